//! Writes the JavaScript half of a module of `carom-web`.
//!
//! ```text
//! bindgen MODULE.wasm NAME DIRECTORY      writes NAME.js and NAME_bg.wasm to DIRECTORY
//! ```
#![forbid(unsafe_code)]

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [module, name, directory] = arguments.as_slice() else {
        bail!("usage: bindgen MODULE.wasm NAME DIRECTORY");
    };
    Bindgen::new()
        .input_path(module)
        .web(true)?
        .omit_default_module_path(true)
        .typescript(false)
        .out_name(name)
        .generate(directory)
        .with_context(|| format!("cannot bind {module}"))
}
