//! SARIF 2.1.0: findings for code scanning. A level has no lines, so the location of a finding is its file,
//! and its point is a logical location with properties.

use serde_json::{Value, json};

use crate::findings::finding::{Code, Finding, Severity};
use crate::level::Level;

/// The log; `file` is the level as results name it, `known` says which findings a baseline holds.
pub fn sarif(level: &Level, file: &str, findings: &[Finding], known: Option<&[bool]>) -> String {
    let rules: Vec<Value> = Code::ALL
        .iter()
        .map(|code| {
            json!({
                "id": code.name(),
                "shortDescription": { "text": code.meaning() },
                "defaultConfiguration": { "level": code.severity().name() },
            })
        })
        .collect();
    let result = |(number, finding): (usize, &Finding)| {
        let p = finding.position + glam::DVec3::ZERO;
        let mut result = json!({
            "ruleId": finding.code.name(),
            "ruleIndex": Code::ALL.iter().position(|code| *code == finding.code),
            "level": if finding.is_listed() { finding.code.severity().name() } else { "note" },
            "message": { "text": format!("{} at {:.2}, {:.2}, {:.2}", crate::report::meaning(finding), p.x, p.y, p.z) },
            "locations": [{
                "physicalLocation": { "artifactLocation": { "uri": uri(file) } },
                "logicalLocations": [{ "name": format!("{:.2}, {:.2}, {:.2}", p.x, p.y, p.z), "kind": "element" }],
            }],
            "partialFingerprints": { "caromFinding/v1": finding.id },
            "properties": {
                "position": p.to_array(),
                "filePosition": level.frame.to_file(p).to_array(),
                "witness": crate::report::witness_path(number),
            },
        });
        if let Some(known) = known {
            result["baselineState"] = json!(if known[number] { "unchanged" } else { "new" });
        }
        if let Some(reason) = &finding.folded {
            result["suppressions"] = json!([{ "kind": "external", "justification": reason }]);
        }
        result
    };
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "carom explore", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "results": findings.iter().enumerate().map(result).collect::<Vec<_>>(),
            "columnKind": "unicodeCodePoints",
        }],
    });
    // Finite numbers and strings are always JSON.
    serde_json::to_string_pretty(&log).unwrap_or_default() + "\n"
}

/// A path as a relative reference.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            b'\\' => uri.push('/'),
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}

/// `JUnit`: each code is a test, and each listed finding that is not known a failure of it.
pub fn junit(level: &Level, findings: &[Finding], known: Option<&[bool]>, seconds: f64) -> String {
    let is_counted = |number: usize| findings[number].is_listed() && known.is_none_or(|known| !known[number]);
    let failing = |code: Code| {
        (0..findings.len()).filter(move |number| findings[*number].code == code && is_counted(*number))
    };
    let is_error = |code: &&Code| code.severity() == Severity::Error;
    let failures = Code::ALL.iter().filter(is_error).filter(|code| failing(**code).next().is_some()).count();
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"carom explore\" tests=\"{}\" failures=\"{failures}\" time=\"{seconds:.3}\">\n  <testsuite name=\"{}\" tests=\"{}\" failures=\"{failures}\" time=\"{seconds:.3}\">\n",
        Code::ALL.len(),
        xml(&level.name),
        Code::ALL.len(),
    );
    for code in Code::ALL {
        text += &format!("    <testcase classname=\"{}\" name=\"{}\">", xml(&level.name), code.name());
        let lines: Vec<String> = failing(code)
            .map(|number| {
                let p = findings[number].position;
                format!("{} {:.2}, {:.2}, {:.2}: {}", findings[number].id, p.x, p.y, p.z, code.meaning())
            })
            .collect();
        let count = lines.len();
        let lines = xml(&lines.join("\n"));
        match (count, code.severity()) {
            (0, _) => {}
            (_, Severity::Error) => {
                text += &format!(
                    "\n      <failure message=\"{count} × {}\">{lines}</failure>\n    ",
                    code.name()
                );
            }
            (_, Severity::Warning) => text += &format!("\n      <system-out>{lines}</system-out>\n    "),
        }
        text += "</testcase>\n";
    }
    text + "  </testsuite>\n</testsuites>\n"
}

/// Text within XML: what XML cannot hold becomes a query mark.
fn xml(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' => out.push(c),
            c if c.is_control() || c == '\u{FFFE}' || c == '\u{FFFF}' => out.push('?'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_any_kind_are_escaped() {
        assert_eq!(uri("a b/ü.glb"), "a%20b/%C3%BC.glb");
        assert_eq!(xml("<a & \"b\">\u{1}"), "&lt;a &amp; &quot;b&quot;&gt;?");
    }
}
