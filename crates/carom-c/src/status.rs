//! The status of a call, and the message of the last failed call of a thread.

use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::fmt::Display;

/// The result of a call. `CAROM_STATUS_OK` is 0. With any other status nothing was changed, unless the
/// function says otherwise, and `carom_last_error` explains the error.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaromStatus {
    /// The call succeeded.
    Ok = 0,
    /// A pointer that must not be null is null, or is not aligned for its type.
    NullPointer = 1,
    /// A handle that is null, was freed, or is of another kind of object.
    NoSuchObject = 2,
    /// A body that is null, was removed, or is of another world.
    NoSuchBody = 3,
    /// A number that is NaN, infinite or out of its range.
    BadValue = 4,
    /// A buffer is too small for the answer. It was filled, and the full count was written.
    BufferTooSmall = 5,
    /// A file cannot be read, or is not of the kind that its name says.
    BadFile = 6,
    /// A structure has a `size` that this library does not know: its `…_default` function did not make it, or
    /// the program was compiled with another carom.h.
    StructSize = 7,
    /// Another thread is using the object, or a call names it twice.
    Busy = 8,
    /// The body is fixed: only kinematic and dynamic bodies move in a tick.
    FixedBody = 9,
    /// The new shape of a character does not fit at its position.
    DoesNotFit = 10,
    /// A bug in Carom. The objects that the call was to change can only be freed.
    Panic = 11,
    /// A level that cannot be explored: it has no floor, or is too large for its grid.
    CannotExplore = 12,
}

/// Why a call failed.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) status: CaromStatus,
    pub(crate) message: String,
}

impl Failure {
    pub(crate) fn new(status: CaromStatus, message: impl Display) -> Self {
        Self { status, message: message.to_string() }
    }

    pub(crate) fn bad_value(message: impl Display) -> Self {
        Self::new(CaromStatus::BadValue, message)
    }

    /// The same, saying in which of several things it is.
    pub(crate) fn within(self, what: impl Display) -> Self {
        Self { message: format!("{what}: {}", self.message), ..self }
    }
}

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// Keeps the message for the thread.
pub(crate) fn keep(message: &str) {
    // C ends a text at the first zero.
    let message = CString::new(message.replace('\0', "?")).unwrap_or_default();
    // A thread that is ending has no place for it any more.
    let _ = LAST.try_with(|last| last.replace(message));
}

/// The message of the last failed call of this thread, in UTF-8; empty before the first. The text is valid
/// until the next call of the same thread fails; a call that succeeds leaves it unchanged.
#[unsafe(no_mangle)]
pub extern "C" fn carom_last_error() -> *const c_char {
    LAST.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

/// The name of a status, such as `NoSuchBody`; "unknown" for any other number.
#[unsafe(no_mangle)]
pub extern "C" fn carom_status_name(status: i32) -> *const c_char {
    let name = match status {
        0 => c"Ok",
        1 => c"NullPointer",
        2 => c"NoSuchObject",
        3 => c"NoSuchBody",
        4 => c"BadValue",
        5 => c"BufferTooSmall",
        6 => c"BadFile",
        7 => c"StructSize",
        8 => c"Busy",
        9 => c"FixedBody",
        10 => c"DoesNotFit",
        11 => c"Panic",
        12 => c"CannotExplore",
        _ => c"unknown",
    };
    name.as_ptr()
}
