//! Parts of a level by the names of its surfaces, objects and groups.

use carom_formats::RawLevel;

/// Whether a surface, or an object or group that it belongs to, has this name.
pub(crate) fn is_called(name: &str, pattern: &str) -> bool {
    fits(name, pattern) || name.split('/').any(|part| fits(part, pattern))
}

/// Leaves out the triangles with this name. Returns whether there are any.
pub(crate) fn leave_out(raw: &mut RawLevel, pattern: &str) -> bool {
    let open: Vec<bool> = raw.surfaces.iter().map(|name| is_called(name, pattern)).collect();
    if !open.contains(&true) {
        return false;
    }
    let id = |triangle: usize| usize::from(raw.surface_ids.get(triangle).copied().unwrap_or(0));
    let kept: Vec<usize> = (0..raw.triangles.len()).filter(|triangle| !open[id(*triangle)]).collect();
    raw.triangles = kept.iter().map(|triangle| raw.triangles[*triangle]).collect();
    if !raw.surface_ids.is_empty() {
        raw.surface_ids = kept.iter().map(|triangle| raw.surface_ids[*triangle]).collect();
    }
    true
}

/// Whether a name fits a pattern, in which `*` is any run of letters.
fn fits(name: &str, pattern: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else { return false };
    let mut last: Option<&str> = None;
    for part in parts {
        if let Some(part) = last {
            let Some(at) = rest.find(part) else { return false };
            rest = &rest[at + part.len()..];
        }
        last = Some(part);
    }
    last.map_or(rest.is_empty(), |last| rest.ends_with(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_is_any_run_of_letters() {
        for (name, pattern) in
            [("door_1", "door_*"), ("a/door", "*door"), ("abc", "a*b*c"), ("abc", "*"), ("x", "x")]
        {
            assert!(fits(name, pattern), "{name} {pattern}");
        }
        for (name, pattern) in
            [("adoor", "door_*"), ("door", "door_*"), ("abc", "a*c*b"), ("x", ""), ("aba", "ab*ba")]
        {
            assert!(!fits(name, pattern), "{name} {pattern}");
        }
    }
}
