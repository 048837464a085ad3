//! The bytes of a file, no more than a limit.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::error::{LoadError, Resource};

/// All bytes of a file, if they are no more than `limit`.
pub(crate) fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, LoadError> {
    let unreadable = |cause| LoadError::Unreadable { cause };
    // Before it is opened: to open a pipe is to wait for its writer, perhaps for ever.
    let metadata = std::fs::metadata(path).map_err(unreadable)?;
    if !metadata.is_file() {
        let kind =
            if metadata.is_dir() { "it is a folder" } else { "it is a pipe or a device: copy it to a file" };
        return Err(unreadable(std::io::Error::other(kind)));
    }
    let file = File::open(path).map_err(unreadable)?;
    // The announced length only saves growing.
    let announced = metadata.len().min(limit);
    let mut bytes = Vec::new();
    // Without room reading fails with an error of its own.
    let _ = bytes.try_reserve_exact(usize::try_from(announced).unwrap_or(0));
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > limit {
        return Err(LoadError::OverLimit { resource: Resource::Bytes, limit });
    }
    Ok(bytes)
}
