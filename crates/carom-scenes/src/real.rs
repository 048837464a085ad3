//! Levels that others made: the folder that the environment variable `CAROM_DATA` names. They are in no
//! repository of Carom; tests that want them leave them out, with a word about it, where it is not set.

use std::io;
use std::path::{Path, PathBuf};

/// The folder; `None`, and a line that says so, where the variable is not set.
pub fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("CAROM_DATA").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: CAROM_DATA is not set");
    }
    folder
}

/// Every wanted file below a folder, in the order of their names.
///
/// # Errors
/// A folder that cannot be listed.
pub fn files_below(folder: &Path, wanted: impl Fn(&Path) -> bool) -> io::Result<Vec<PathBuf>> {
    let (mut folders, mut files) = (vec![folder.to_path_buf()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if wanted(&path) {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_all_folders_below_come_in_order() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("b")).unwrap();
        for name in ["c.obj", "b/z.obj", "b/a.obj", "a.txt", "a.obj"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let wanted = |path: &Path| path.extension().is_some_and(|extension| extension == "obj");
        let expected = ["a.obj", "b/a.obj", "b/z.obj", "c.obj"].map(|name| folder.path().join(name));
        assert_eq!(files_below(folder.path(), wanted).unwrap(), expected);
        assert!(files_below(&folder.path().join("nowhere"), wanted).is_err());
    }
}
