//! Errors of JavaScript with a `code`, as those of Node have.

use js_sys::Reflect;
use wasm_bindgen::JsValue;

/// An `Error` of this code, with the library's own message.
pub(crate) fn coded(code: &str, message: impl core::fmt::Display) -> JsValue {
    let error = JsValue::from(js_sys::Error::new(&message.to_string()));
    // An Error takes any property.
    let _ = Reflect::set(&error, &"code".into(), &code.into());
    let _ = Reflect::set(&error, &"name".into(), &"CaromError".into());
    error
}

/// A number that is out of its range.
pub(crate) fn bad_value(message: impl core::fmt::Display) -> JsValue {
    coded("BAD_VALUE", message)
}

/// A body or character that is not there.
#[cfg(feature = "world")]
pub(crate) fn gone(message: impl core::fmt::Display) -> JsValue {
    coded("NO_SUCH_OBJECT", message)
}
