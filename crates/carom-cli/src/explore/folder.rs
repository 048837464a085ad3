//! The folder of a report: checked before the work, written completely or not at all, and without the files
//! of an older report.

use std::io::{ErrorKind, Read, Write};
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;

use crate::json;

/// This many bytes of a file show its kind.
const BEGINNING: u64 = 4096;

/// The folder of a report.
pub(crate) struct Folder {
    path: PathBuf,
    /// The files of an older report, by its own list.
    older: Vec<String>,
}

/// The files that an older report lists. Every report names its level and has findings, if only a list of
/// none.
#[derive(Deserialize)]
struct Older {
    #[serde(rename = "level")]
    _level: String,
    #[serde(default)]
    files: Vec<String>,
    findings: Vec<OlderFinding>,
}

#[derive(Deserialize)]
struct OlderFinding {
    witness: Option<String>,
    picture: Option<String>,
}

impl Folder {
    /// Makes the folder, and makes sure that files can be written there.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        // Looked at first: a folder that is refused stays as it is.
        let older = older(&path.join("report.json"))?;
        for name in ["", "witness", "picture"] {
            let path = path.join(name);
            std::fs::create_dir_all(&path)
                .with_context(|| format!("cannot make the folder {}", path.display()))?;
        }
        writable(&path.join("report.json"))?;
        Ok(Self { path: path.to_owned(), older })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file completely, or not at all.
    pub(crate) fn put(&self, name: &str, bytes: &[u8]) -> Result<()> {
        put(&self.path.join(name), bytes)
    }

    /// Removes what the older report wrote, but for what the new one has too.
    pub(crate) fn remove_stale(&self, files: &[String]) {
        for name in self.older.iter().filter(|name| !files.contains(name)) {
            // A missing file is fine.
            let _ = std::fs::remove_file(self.path.join(name));
        }
    }
}

/// The files of the report that is there. One that is no report of Carom is not overwritten.
fn older(report: &Path) -> Result<Vec<String>> {
    let text = match std::fs::read(report) {
        Ok(text) => text,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(Vec::new());
        }
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", report.display())),
    };
    let Ok(older) = json::read::<Older>(&text) else {
        bail!("{} is not a report of carom explore: name another folder with --out", report.display());
    };
    let mut files = older.files;
    if files.is_empty() {
        // Reports without a list name the files of each finding.
        files = older
            .findings
            .into_iter()
            .flat_map(|finding| [finding.witness, finding.picture])
            .flatten()
            .collect();
    }
    // Nothing outside of the folder, whatever the list says.
    files.retain(|name| Path::new(name).components().all(|part| matches!(part, Component::Normal(_))));
    Ok(files)
}

/// Writes a file beside its place and moves it there.
pub(crate) fn put(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut beside = path.to_owned().into_os_string();
    beside.push(".part");
    let write = || {
        let mut file = std::fs::File::create(&beside)?;
        file.write_all(bytes)?;
        // A full disk is noticed here at the latest, before the old file is replaced.
        file.sync_all()?;
        std::fs::rename(&beside, path)
    };
    write().with_context(|| {
        let _ = std::fs::remove_file(&beside);
        format!("cannot write {}", path.display())
    })
}

/// Refuses to replace a file that is there without the mark that files of its kind begin with.
pub(crate) fn ours(flag: &str, path: &Path, mark: &str) -> Result<()> {
    let Ok(file) = std::fs::File::open(path) else { return Ok(()) };
    let mut start = Vec::new();
    file.take(BEGINNING)
        .read_to_end(&mut start)
        .with_context(|| format!("cannot read {}", path.display()))?;
    let is_ours = start.is_empty() || String::from_utf8_lossy(&start).contains(mark);
    ensure!(is_ours, "{flag}: {} exists and is another kind of file: name another file", path.display());
    Ok(())
}

/// Whether two paths name one file, which need not be there.
pub(crate) fn is_same(a: &Path, b: &Path) -> bool {
    let place = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
        Some((folder, path.file_name()?.to_owned()))
    };
    a == b || place(a).is_some() && place(a) == place(b)
}

/// Whether a file can be written later: tried beside its place, so that the existing file stays.
pub(crate) fn writable(path: &Path) -> Result<()> {
    ensure!(!path.is_dir(), "cannot write {}: it is a folder", path.display());
    let mut beside = path.to_owned().into_os_string();
    beside.push(".part");
    std::fs::File::create(&beside)
        .and_then(|_| std::fs::remove_file(&beside))
        .with_context(|| format!("cannot write {}", path.display()))
}
