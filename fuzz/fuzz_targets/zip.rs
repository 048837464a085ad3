#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| carom_fuzz::reads(bytes, carom_formats::Format::Zip));
