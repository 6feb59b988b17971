//! What a runtime may ask about.

#![no_main]

use hookchain_tests::fuzz;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::request(bytes));
