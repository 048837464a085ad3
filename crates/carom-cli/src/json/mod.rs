//! JSON that people write: scenes, rules, queries and reports. One reader for all, so that all are as strict
//! and all errors say in plain words which object, which key, and where.

mod objects;
mod plain;

use anyhow::{Result, anyhow};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_path_to_error::{Path, Segment};

use objects::Objects;
use plain::plain;

/// Some editors begin a file with this.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Reads a whole file. An error names the object if it has a name, the key, the line and the column.
pub(crate) fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T> {
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let mut reader = serde_json::Deserializer::from_slice(text);
    let read = serde_path_to_error::deserialize(Objects(&mut reader)).map_err(|error| {
        let owner = owner(text, error.path()).map(|owner| format!("{owner}: ")).unwrap_or_default();
        let json = error.inner();
        anyhow!("{owner}{}{}{}", place(error.path()), plain(json), line_and_column(json))
    })?;
    reader.end().map_err(|error| anyhow!("{}{}", plain(&error), line_and_column(&error)))?;
    Ok(read)
}

/// Reads one line of many. An error names the key and the column: the number of the line is not known here.
pub(crate) fn read_line<'a, T: Deserialize<'a>>(text: &'a [u8]) -> Result<T, String> {
    let mut reader = serde_json::Deserializer::from_slice(text);
    // Read again for the place: most lines are fine, and there may be millions.
    T::deserialize(Objects(&mut reader)).and_then(|read| reader.end().map(|()| read)).map_err(|error| {
        let mut again = serde_json::Deserializer::from_slice(text);
        let placed = serde_path_to_error::deserialize::<_, T>(Objects(&mut again)).err();
        let place = placed.map(|error| place(error.path())).unwrap_or_default();
        format!("{place}{} at column {}", plain(&error), error.column().max(1))
    })
}

fn place(path: &Path) -> String {
    let path = path.to_string();
    if path == "." || path == "?" { String::new() } else { format!("{path}: ") }
}

fn line_and_column(error: &serde_json::Error) -> String {
    // Before the first character of a line the column is 0.
    let (line, column) = (error.line(), error.column().max(1));
    if line == 0 { String::new() } else { format!(" at line {line} column {column}") }
}

/// The names alone, whatever else is wrong.
#[derive(Deserialize)]
struct Names {
    #[serde(default)]
    bodies: Vec<Named>,
    #[serde(default)]
    characters: Vec<Named>,
    #[serde(default)]
    volumes: Vec<Named>,
}

#[derive(Deserialize)]
struct Named {
    name: Option<String>,
}

/// The name of the object with the wrong key, if it has a name: `body "door"` for one of `bodies`.
fn owner(text: &[u8], path: &Path) -> Option<String> {
    let mut segments = path.iter();
    let (Some(Segment::Map { key }), Some(Segment::Seq { index })) = (segments.next(), segments.next())
    else {
        return None;
    };
    let names: Names = serde_json::from_slice(text).ok()?;
    let (kind, list) = match key.as_str() {
        "bodies" => ("body", &names.bodies),
        "characters" => ("character", &names.characters),
        "volumes" => ("volume", &names.volumes),
        _ => return None,
    };
    let name = list.get(*index)?.name.as_ref()?;
    Some(format!("{kind} {name:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only read")]
    struct Whole {
        #[serde(default)]
        bodies: Vec<Piece>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only read")]
    struct Piece {
        name: Option<String>,
        position: Option<[f64; 3]>,
        inner: Option<Box<Piece>>,
    }

    fn refusal(text: &str) -> String {
        read::<Whole>(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn the_object_the_key_and_the_place_are_named() {
        assert_eq!(
            refusal("{\"bodies\":[{\"name\":\"door\",\n\"position\":[0,1,\"x\"]}]}"),
            "body \"door\": bodies[0].position[2]: found the text \"x\", wanted a number at line 2 column 19"
        );
    }

    #[test]
    fn a_list_is_no_object_at_any_depth() {
        for (text, place) in [
            ("[]", ""),
            ("[[]]", ""),
            (r#"{"bodies":[[]]}"#, "bodies[0]: "),
            (r#"{"bodies":[["a",[0,0,0],null]]}"#, "bodies[0]: "),
            (r#"{"bodies":[{"inner":["a",null,null]}]}"#, "bodies[0].inner: "),
        ] {
            let error = refusal(text);
            let wanted = format!("{place}found a list, wanted an object at line 1");
            assert!(error.starts_with(&wanted), "{text}: {error}");
        }
    }

    #[test]
    fn a_list_of_a_wrong_length_is_named_with_both_lengths() {
        for (list, found) in [("[]", 0), ("[0,1]", 2), ("[0,1,2,3]", 4), ("[0,1,2,3,4,5]", 6)] {
            let error = refusal(&format!(r#"{{"bodies":[{{"position":{list}}}]}}"#));
            let wanted = format!("bodies[0].position: found a list of {found}, wanted a list of 3");
            assert!(error.starts_with(&wanted), "{error}");
        }
    }

    #[test]
    fn a_line_is_named_by_its_column_alone() {
        let said = |text: &str| read_line::<Piece>(text.as_bytes()).unwrap_err();
        assert_eq!(
            said(r#"{"position":[0,true,0]}"#),
            "position[1]: found true, wanted a number at column 19"
        );
        assert_eq!(said(r#"{} {}"#), "there is more text after the end at column 4");
        assert_eq!(said("[1]"), "found a list, wanted an object at column 1");
        assert!(read_line::<Piece>(b" {\"name\":\"x\"} \r\n").is_ok());
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_text_and_what_follows_is_refused() {
        assert!(read::<Whole>("\u{FEFF}{}\r\n".as_bytes()).is_ok());
        assert!(refusal("\u{FEFF}{} {}").starts_with("there is more text after the end"));
    }
}
