//! What a program may print.

#![no_main]

use hookchain_tests::fuzz;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::response(bytes));
