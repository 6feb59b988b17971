//! What may stand in a hooks file.

#![no_main]

use hookchain_tests::fuzz;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::hooks_file(bytes));
