//! The heap that stays in use, with every allocator.
//!
//! The C library counts: what Rust and the C++ libraries hold comes from the same heap. Only on Linux with
//! glibc.

#![expect(unsafe_code, reason = "the count of the C library is a foreign function")]

use std::hint::black_box;

/// The bytes in use by what is made, once it is made: what making it needed and gave back does not count.
pub fn kept<T>(make: impl FnOnce() -> T) -> usize {
    let before = in_use();
    let made = black_box(make());
    let after = in_use();
    drop(made);
    after.saturating_sub(before)
}

fn in_use() -> usize {
    // SAFETY: takes no arguments, returns plain numbers, and may be called at any time.
    let info = unsafe { libc::mallinfo2() };
    // Small blocks of the heap of this thread, and large ones that are mapped each on its own.
    info.uordblks + info.hblkhd
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_small_and_large_blocks_that_stay() {
        const SIZE: usize = 1 << 25;
        // Other tests allocate at the same time, but far less.
        let expected = SIZE..SIZE + (SIZE >> 2);
        let large = kept(|| {
            drop(black_box(vec![1u8; SIZE]));
            vec![1u8; SIZE]
        });
        assert!(expected.contains(&large), "{large}");
        let small = kept(|| (0..SIZE / 1024).map(|_| vec![1u8; 1024]).collect::<Vec<_>>());
        assert!(expected.contains(&small), "{small}");
    }
}
