//! Memory that will be read soon, asked for before it is.
//!
//! Data beyond the caches takes as long to arrive as hundreds of instructions; asked for early enough it has
//! come when it is wanted. Nothing is read and nothing waits, so no answer changes. Where a target has no
//! such instruction at hand nothing happens.

/// Whether anything is asked for.
pub(crate) const ASKS: bool =
    cfg!(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse"));

/// Asks for the line of memory that the first byte of a thing is in.
#[inline(always)]
pub(crate) fn prefetch<T>(thing: &T) {
    #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse"))]
    safe_arch::prefetch_t0(thing);
    #[cfg(not(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse")))]
    let _ = thing;
}

/// The same for what is wanted later, among much else: as far as the second cache, for it would not stay in
/// the first.
#[inline(always)]
pub(crate) fn prefetch_far<T>(thing: &T) {
    #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse"))]
    safe_arch::prefetch_t1(thing);
    #[cfg(not(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse")))]
    let _ = thing;
}

/// The same for those of a list that there are, each of which begins a line.
#[inline(always)]
pub(crate) fn prefetch_all<'a, T: 'a>(things: impl IntoIterator<Item = &'a T>) {
    things.into_iter().for_each(prefetch);
}
