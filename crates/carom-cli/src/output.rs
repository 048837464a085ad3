//! The destination of output lines.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Error, Result, ensure};
use glam::DVec3;

/// Refuses an output that is one of the inputs: they would be gone.
pub(crate) fn spare(flag: &str, path: &Path, inputs: &[&Path]) -> Result<()> {
    let same =
        |input: &&Path| matches!((path.canonicalize(), input.canonicalize()), (Ok(a), Ok(b)) if a == b);
    ensure!(!inputs.iter().any(same), "{flag} is the input {} itself: name another file", path.display());
    Ok(())
}

/// A file, or standard output. Not one of the inputs.
pub(crate) fn open(path: Option<&Path>, inputs: &[&Path]) -> Result<Box<dyn Write>> {
    Ok(match path {
        Some(path) => {
            spare("--out", path, inputs)?;
            let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
            Box::new(Named { to: BufWriter::new(file), name: path.display().to_string() })
        }
        None => {
            Box::new(Named { to: BufWriter::new(io::stdout().lock()), name: "standard output".to_owned() })
        }
    })
}

/// A writer whose errors name it: a disk may be full, and there may be several.
struct Named<W> {
    to: W,
    name: String,
}

impl<W: Write> Named<W> {
    fn named(&self, error: &io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("cannot write {}: {error}", self.name))
    }
}

impl<W: Write> Write for Named<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.to.write(bytes).map_err(|error| self.named(&error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush().map_err(|error| self.named(&error))
    }
}

/// Whether the reader of standard output has gone away: `carom … | head` is no error.
pub(crate) fn is_closed_pipe(error: &Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
            || cause
                .downcast_ref::<serde_json::Error>()
                .is_some_and(|error| error.io_error_kind() == Some(io::ErrorKind::BrokenPipe))
    })
}

/// Three numbers for JSON; −0 is 0.
pub(crate) fn numbers(v: DVec3) -> [f64; 3] {
    (v + DVec3::ZERO).to_array()
}

/// A rate for people: two digits.
pub(crate) fn per_second(rate: f64) -> String {
    match rate {
        rate if rate >= 1e6 => format!("{:.1} million", rate / 1e6),
        rate if rate >= 1e4 => format!("{:.0},000", rate / 1e3),
        rate => format!("{rate:.0}"),
    }
}
