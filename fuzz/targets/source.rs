//! What may stand in any text that a person writes.

#![no_main]

use hookchain_tests::fuzz;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::source(bytes));
