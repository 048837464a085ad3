//! Errors of JSON in plain words: the author of a file knows numbers and lists, not types.

/// Says what was found and what is wanted, with the line and the column.
pub(crate) fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let pair = |start| text.strip_prefix(start)?.rsplit_once(", expected ");
    if let Some((found, wanted)) = pair("invalid type: ") {
        return format!("found {}, wanted {}", known(found), known(wanted));
    }
    if let Some((found, wanted)) = pair("invalid length ") {
        return format!("found a list of {found}, wanted {}", known(wanted));
    }
    text
}

/// The name of a type in JSON; the rest of the text stays.
fn known(text: &str) -> String {
    const NAMES: [(&str, &str); 14] = [
        ("an array of length ", "a list of "),
        ("a sequence", "a list"),
        ("sequence", "a list"),
        ("a map", "an object"),
        ("map", "an object"),
        ("string ", "the text "),
        ("boolean ", ""),
        ("integer ", "the number "),
        ("floating point ", "the number "),
        ("f64", "a number"),
        ("f32", "a number"),
        ("u64", "a whole number, 0 or more"),
        ("u32", "a whole number, 0 or more"),
        ("usize", "a whole number, 0 or more"),
    ];
    let said = NAMES.iter().find_map(|(name, said)| Some(format!("{said}{}", text.strip_prefix(name)?)));
    said.unwrap_or_else(|| text.to_owned()).replace('`', "")
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only read")]
    struct Spec {
        speed: Option<f64>,
        at: Option<[f64; 3]>,
        names: Option<Vec<String>>,
        count: Option<u32>,
    }

    fn said(text: &str) -> String {
        plain(&serde_json::from_str::<Spec>(text).unwrap_err())
    }

    #[test]
    fn what_was_found_and_what_is_wanted_are_named_as_a_person_does() {
        assert_eq!(
            said(r#"{"speed":"fast"}"#),
            "found the text \"fast\", wanted a number at line 1 column 15"
        );
        assert_eq!(said(r#"{"speed":true}"#), "found true, wanted a number at line 1 column 13");
        assert_eq!(said(r#"{"speed":[1]}"#), "found a list, wanted a number at line 1 column 9");
        assert_eq!(said(r#"{"speed":{}}"#), "found an object, wanted a number at line 1 column 9");
        assert_eq!(said(r#"{"at":[0,1]}"#), "found a list of 2, wanted a list of 3 at line 1 column 11");
        assert_eq!(said(r#"{"names":"door"}"#), "found the text \"door\", wanted a list at line 1 column 15");
        assert_eq!(said(r#"{"names":[3]}"#), "found the number 3, wanted a string at line 1 column 11");
        assert_eq!(
            said(r#"{"count":1.5}"#),
            "found the number 1.5, wanted a whole number, 0 or more at line 1 column 12"
        );
    }

    #[test]
    fn other_errors_stay() {
        assert!(said("{").starts_with("EOF while parsing an object"));
    }
}
