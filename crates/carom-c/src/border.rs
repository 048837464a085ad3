//! The border: pointers of C become references, panics become statuses.
//!
//! The rules of pointers, which every call from C obeys and every `unsafe` block here relies on: a pointer is
//! null, or points to as many initialized elements of its type as the call says (for answers: to memory for
//! them). No other thread changes these elements (or reads them, for answers) until the call returns. A text
//! ends with a zero. Null and misaligned pointers are refused; other violations cannot be detected.

use std::any::Any;
use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::status::{CaromStatus, Failure, keep};

/// Runs a call: whatever it comes to is a status, and what failed leaves its message.
#[inline]
pub(crate) fn guard(call: impl FnOnce() -> Result<(), Failure>) -> CaromStatus {
    // A panic leaves objects behind that were being changed: their locks are poisoned, and they are refused.
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(())) => CaromStatus::Ok,
        Ok(Err(failure)) => failed(&failure),
        Err(panic) => panicked(panic.as_ref()),
    }
}

#[cold]
fn failed(failure: &Failure) -> CaromStatus {
    keep(&failure.message);
    failure.status
}

#[cold]
fn panicked(panic: &(dyn Any + Send)) -> CaromStatus {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
    keep(&format!("a bug in Carom, please report it: {text}"));
    CaromStatus::Panic
}

/// Whether something of this type can be where the pointer leads.
fn check<T>(pointer: *const T, name: &str) -> Result<(), Failure> {
    let what = match (pointer.is_null(), pointer.is_aligned()) {
        (true, _) => "must not be null",
        (_, false) => "is not aligned for its type",
        _ => return Ok(()),
    };
    Err(Failure::new(CaromStatus::NullPointer, format!("{name} {what}")))
}

/// A copy of the target of a pointer.
///
/// # Safety
/// The rules of pointers.
#[inline]
pub(crate) unsafe fn read<T: Copy>(pointer: *const T, name: &str) -> Result<T, Failure> {
    check(pointer, name)?;
    // SAFETY: it is not null and aligned, and by the rules leads to a T.
    Ok(unsafe { pointer.read() })
}

/// The same; `None` for null.
///
/// # Safety
/// The rules of pointers.
pub(crate) unsafe fn read_or_null<T: Copy>(pointer: *const T, name: &str) -> Result<Option<T>, Failure> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller keeps the rules.
    unsafe { read(pointer, name) }.map(Some)
}

/// A list; null is good for an empty one.
///
/// # Safety
/// The rules of pointers; the list outlives what is done with it.
pub(crate) unsafe fn list<'a, T>(first: *const T, count: usize, name: &str) -> Result<&'a [T], Failure> {
    if count == 0 {
        return Ok(&[]);
    }
    check(first, name)?;
    check_length::<T>(count, name)?;
    // SAFETY: not null, aligned, no longer than memory is, and by the rules it leads to `count` of them.
    Ok(unsafe { core::slice::from_raw_parts(first, count) })
}

/// Room for a list of answers; null is good for none.
///
/// # Safety
/// The rules of pointers; the room outlives what is done with it.
pub(crate) unsafe fn room<'a, T>(
    first: *mut T,
    count: usize,
    name: &str,
) -> Result<&'a mut [MaybeUninit<T>], Failure> {
    if count == 0 {
        return Ok(&mut []);
    }
    check(first, name)?;
    check_length::<T>(count, name)?;
    // SAFETY: not null, aligned, no longer than memory is, and by the rules there is room for `count`.
    // Whatever is there may be taken as not initialized.
    Ok(unsafe { core::slice::from_raw_parts_mut(first.cast::<MaybeUninit<T>>(), count) })
}

fn check_length<T>(count: usize, name: &str) -> Result<(), Failure> {
    let bytes = count.checked_mul(size_of::<T>()).filter(|bytes| isize::try_from(*bytes).is_ok());
    bytes
        .map(drop)
        .ok_or_else(|| Failure::bad_value(format!("{name}: {count} elements are more than memory")))
}

/// Room for one answer. Asked for before anything is done, so that no work is lost for want of room.
///
/// # Safety
/// The rules of pointers; the room outlives what is done with it.
#[inline]
pub(crate) unsafe fn out<'a, T>(pointer: *mut T, name: &str) -> Result<&'a mut MaybeUninit<T>, Failure> {
    check(pointer, name)?;
    // SAFETY: not null, aligned, and by the rules there is room for one, which no other thread uses.
    Ok(unsafe { &mut *pointer.cast::<MaybeUninit<T>>() })
}

/// A text.
///
/// # Safety
/// The rules of pointers; the text outlives what is done with it.
pub(crate) unsafe fn text<'a>(pointer: *const c_char, name: &str) -> Result<&'a str, Failure> {
    check(pointer, name)?;
    // SAFETY: it is not null, and by the rules ends with a zero.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map_err(|_| Failure::bad_value(format!("{name} is not UTF-8")))
}

/// Writes the answers that there is room for, and how many there are.
pub(crate) fn fill<T: Copy>(
    room: &mut [MaybeUninit<T>],
    count: &mut MaybeUninit<usize>,
    answers: &[T],
) -> Result<(), Failure> {
    count.write(answers.len());
    for (place, answer) in room.iter_mut().zip(answers) {
        place.write(*answer);
    }
    if room.len() < answers.len() {
        let message = format!("there are {} answers and room for {}", answers.len(), room.len());
        return Err(Failure::new(CaromStatus::BufferTooSmall, message));
    }
    Ok(())
}

/// A structure that may grow begins with its size.
pub(crate) fn check_size<T>(size: u32, name: &str) -> Result<(), Failure> {
    let own = size_of::<T>();
    if usize::try_from(size) == Ok(own) {
        return Ok(());
    }
    let message = format!(
        "{name}: its size is {size}, not {own}: fill it by its _default function, with the carom.h of this library"
    );
    Err(Failure::new(CaromStatus::StructSize, message))
}
