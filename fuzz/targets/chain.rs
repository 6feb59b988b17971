//! Whom a chain may consist of, and what they may say.

#![no_main]

use hookchain_tests::fuzz;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::chain(bytes));
