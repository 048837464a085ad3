#![no_main]

// The first bytes tell JSON from a container.
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| carom_fuzz::reads(bytes, carom_formats::Format::Gltf));
