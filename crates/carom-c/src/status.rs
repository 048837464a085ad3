//! What a call came to, and the message of the last call of a thread that failed.

use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::fmt::Display;

/// What a call came to. `CAROM_STATUS_OK` is 0; whatever else it is, nothing was changed unless the function
/// says so, and `carom_last_error` says what is wrong.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaromStatus {
    /// Done.
    Ok = 0,
    /// A pointer that must not be null is null, or is not aligned for its type.
    NullPointer = 1,
    /// A handle that is null, was freed, or is of another kind of object.
    NoSuchObject = 2,
    /// A body that is null, was removed, or is of another world.
    NoSuchBody = 3,
    /// A number that is NaN, infinite or out of its range.
    BadValue = 4,
    /// A buffer with less room than the answer needs. What fits was written, and how much there is.
    BufferTooSmall = 5,
    /// A file that cannot be read, or is not what its name says.
    BadFile = 6,
    /// A structure whose `size` is not that of this library: it was not made by its `…_default` function,
    /// or the program was compiled with another carom.h.
    StructSize = 7,
    /// Another thread is using the object, or it is named twice in one call.
    Busy = 8,
    /// The body is fixed: only kinematic and dynamic ones move in a tick.
    FixedBody = 9,
    /// The new shape of a character does not fit where it stands.
    DoesNotFit = 10,
    /// A bug in Carom, caught at the border. The objects that the call was to change can only be freed.
    Panic = 11,
    /// A level that cannot be explored: without floor, or too large for its grid.
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

/// What went wrong in the last call of this thread that failed: UTF-8, empty before the first. The text is
/// good until the next call of the same thread fails; a call that succeeds leaves it.
#[unsafe(no_mangle)]
pub extern "C" fn carom_last_error() -> *const c_char {
    LAST.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

/// The name of a status, as in `NoSuchBody`; "unknown" for any other number.
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
