//! Errors of JSON in plain words: the author of a file knows numbers and lists, not types.

/// Says what was found and what is wanted; without the line and the column.
pub(super) fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let text = text.rsplit_once(" at line ").map_or(text.as_str(), |(text, _)| text);
    let pair = |start| text.strip_prefix(start)?.rsplit_once(", expected ");
    if let Some((found, wanted)) = pair("invalid type: ").or_else(|| pair("invalid value: ")) {
        return format!("found {}, wanted {}", known(found), known(wanted));
    }
    if let Some((found, wanted)) = pair("invalid length ") {
        return format!("found a list of {found}, wanted {}", known(wanted));
    }
    let said = match text {
        "expected value" => {
            "there is no value here: JSON has numbers, texts, lists and objects, but no NaN or infinity"
        }
        "expected ident" => "there is no value here: texts have double quotes",
        "trailing characters" => "there is more text after the end",
        "trailing comma" => "there is a comma too many",
        "key must be a string" => "a key is a text in double quotes",
        "EOF while parsing a value" => "the text ends where a value is wanted",
        "EOF while parsing a list" => "the text ends within a list",
        "EOF while parsing an object" => "the text ends within an object",
        "EOF while parsing a string" => "the text ends within a text in quotes",
        "recursion limit exceeded" => "there are too many lists and objects within each other",
        "invalid unicode code point" => "there are bytes that are not UTF-8",
        other => other,
    };
    said.to_owned()
}

/// The name of a type in JSON; the rest of the text stays.
fn known(text: &str) -> String {
    const WHOLE: &str = "a whole number, 0 or more";
    const NAMES: [(&str, &str); 17] = [
        ("an array of length ", "a list of "),
        ("a sequence", "a list"),
        ("sequence", "a list"),
        ("a map", "an object"),
        ("map", "an object"),
        ("a string", "a text"),
        ("string ", "the text "),
        ("boolean ", ""),
        ("a boolean", "true or false"),
        ("integer ", "the number "),
        ("floating point ", "the number "),
        ("f64", "a number"),
        ("f32", "a number"),
        ("u64", WHOLE),
        ("u32", "a whole number from 0 to 4294967295"),
        ("usize", WHOLE),
        ("i32", "a whole number"),
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
        for (text, wanted) in [
            (r#"{"speed":"fast"}"#, "found the text \"fast\", wanted a number"),
            (r#"{"speed":true}"#, "found true, wanted a number"),
            (r#"{"speed":[1]}"#, "found a list, wanted a number"),
            (r#"{"speed":{}}"#, "found an object, wanted a number"),
            (r#"{"at":[0,1]}"#, "found a list of 2, wanted a list of 3"),
            (r#"{"names":"door"}"#, "found the text \"door\", wanted a list"),
            (r#"{"names":[3]}"#, "found the number 3, wanted a text"),
            (r#"{"count":1.5}"#, "found the number 1.5, wanted a whole number from 0 to 4294967295"),
            (r#"{"count":-1}"#, "found the number -1, wanted a whole number from 0 to 4294967295"),
            (
                r#"{"count":4294967296}"#,
                "found the number 4294967296, wanted a whole number from 0 to 4294967295",
            ),
        ] {
            assert_eq!(said(text), wanted, "{text}");
        }
    }

    #[test]
    fn text_that_is_not_json_is_described_as_a_person_does() {
        for (text, part) in [
            (r#"{"speed":NaN}"#, "no NaN"),
            (r#"{"speed":-Infinity}"#, "invalid number"),
            (r#"{"speed":1e999}"#, "number out of range"),
            ("{", "ends within an object"),
            (r#"{"at":[1,"#, "ends where a value is wanted"),
            (r#"{"speed":1,}"#, "a comma too many"),
            ("{} {}", "more text after the end"),
            ("nothing", "there is no value here"),
        ] {
            assert!(said(text).contains(part), "{text}: {}", said(text));
        }
    }
}
