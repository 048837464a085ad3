//! Bytes as text: lines and words with their line numbers, numbers in f64.
//!
//! Text is treated as bytes, not as UTF-8: names and comments may have any encoding, and only numbers and
//! keywords matter. A line ends at a line feed, a carriage return, or both.

use memchr::{memchr, memchr2};

use crate::error::LoadError;
use crate::format::Format;

/// Refuses what is plainly no text: UTF-16 and binary data have zero bytes early on, text has none.
pub(crate) fn require_text(bytes: &[u8], format: Format) -> Result<(), LoadError> {
    const EARLY: usize = 4096;
    if memchr(0, &bytes[..bytes.len().min(EARLY)]).is_some() {
        return Err(LoadError::NotThisFormat { format, expected: "text in ASCII or UTF-8" });
    }
    Ok(())
}

/// A reader of words that knows its line.
#[derive(Clone, Debug)]
pub(crate) struct Text<'a> {
    rest: &'a [u8],
    line: u64,
}

impl<'a> Text<'a> {
    pub(crate) fn new(bytes: &'a [u8], line: u64) -> Self {
        Self { rest: bytes, line }
    }

    /// The line of the next byte, from 1.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }

    /// The unread rest.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// The next line without its end; `None` at the end of the text.
    pub(crate) fn next_line(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let line = self.rest_of_line();
        self.rest = match self.rest {
            [b'\r', b'\n', rest @ ..] | [_, rest @ ..] => rest,
            [] => return Some(line),
        };
        self.line += 1;
        Some(line)
    }

    /// All up to the end of the line, which stays.
    pub(crate) fn rest_of_line(&mut self) -> &'a [u8] {
        let (line, rest) = self.rest.split_at(memchr2(b'\n', b'\r', self.rest).unwrap_or(self.rest.len()));
        self.rest = rest;
        line
    }

    /// The next word on whatever line; `None` at the end of the text. [`Self::line`] is then the word's.
    pub(crate) fn next_word(&mut self) -> Option<&'a [u8]> {
        loop {
            match self.rest {
                [] => return None,
                [b'\r', b'\n', rest @ ..] | [b'\n' | b'\r', rest @ ..] => {
                    self.line += 1;
                    self.rest = rest;
                }
                [byte, rest @ ..] if is_blank(*byte) => self.rest = rest,
                _ => break,
            }
        }
        let end = self.rest.iter().position(|&byte| is_blank(byte) || byte == b'\n' || byte == b'\r');
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        Some(word)
    }
}

/// The words of one line, each found as it is asked for.
#[derive(Clone)]
pub(crate) struct Words<'a>(pub(crate) &'a [u8]);

impl<'a> Words<'a> {
    /// The rest of the line, without the blanks around it.
    pub(crate) fn rest(&self) -> &'a [u8] {
        trim(self.0)
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let start = self.0.iter().position(|&byte| !is_blank(byte))?;
        let line = &self.0[start..];
        let (word, rest) = line.split_at(line.iter().position(|&byte| is_blank(byte)).unwrap_or(line.len()));
        self.0 = rest;
        Some(word)
    }
}

/// Without the blanks at both ends.
pub(crate) fn trim(line: &[u8]) -> &[u8] {
    let start = line.iter().position(|&byte| !is_blank(byte)).unwrap_or(line.len());
    let end = line.iter().rposition(|&byte| !is_blank(byte)).map_or(start, |last| last + 1);
    &line[start..end]
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\x0B' | b'\x0C')
}

/// A number as text, to the nearest f64. NaN and infinity in the words of C (`nan`, `-inf`, `nan(ind)`) and
/// of old Microsoft runtimes (`1.#QNAN`, `-1.#IND`, `1.#INF`) are numbers too.
pub(crate) fn number(word: &[u8]) -> Option<f64> {
    let text = str::from_utf8(word).ok()?;
    if let Ok(number) = text.parse() {
        return Some(number);
    }
    let (sign, size) = match text.as_bytes() {
        [b'-', ..] => (-1.0, &text[1..]),
        [b'+', ..] => (1.0, &text[1..]),
        _ => (1.0, text),
    };
    let special = size.strip_prefix("1.#").or_else(|| size.strip_prefix("nan"))?;
    if special.starts_with("INF") {
        Some(sign * f64::INFINITY)
    } else if special.starts_with("QNAN")
        || special.starts_with("SNAN")
        || special.starts_with("IND")
        || special.starts_with('(')
    {
        Some(f64::NAN)
    } else {
        None
    }
}

/// An integer as text.
pub(crate) fn integer(word: &[u8]) -> Option<i64> {
    str::from_utf8(word).ok()?.parse().ok()
}

/// A name as text; what is not UTF-8 is replaced.
pub(crate) fn name(bytes: &[u8]) -> String {
    String::from_utf8_lossy(trim(bytes)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_ends_at_a_feed_a_return_or_both() {
        let mut text = Text::new(b"a\nb\r\nc\rd\n\r\ne", 1);
        let mut lines = Vec::new();
        loop {
            let number = text.line();
            let Some(line) = text.next_line() else { break };
            lines.push((number, line));
        }
        let expected: [(u64, &[u8]); 6] = [(1, b"a"), (2, b"b"), (3, b"c"), (4, b"d"), (5, b""), (6, b"e")];
        assert_eq!(lines, expected);
    }

    #[test]
    fn a_word_knows_its_line() {
        let mut text = Text::new(b" a\t b\r\n\r\n\x0B c\rd ", 1);
        let mut words = Vec::new();
        while let Some(word) = text.next_word() {
            words.push((text.line(), word));
        }
        let expected: [(u64, &[u8]); 4] = [(1, b"a"), (1, b"b"), (3, b"c"), (4, b"d")];
        assert_eq!(words, expected);
    }

    #[test]
    fn the_words_of_a_line_are_between_its_blanks() {
        let words: Vec<&[u8]> = Words(b"  f 1/2\t\t3//4  ").collect();
        assert_eq!(words, [b"f".as_slice(), b"1/2", b"3//4"]);
        let mut words = Words(b" o  a name \t");
        assert_eq!(words.next(), Some(b"o".as_slice()));
        assert_eq!(words.rest(), b"a name");
        assert_eq!(trim(b" \t "), b"");
    }

    #[test]
    fn a_number_is_the_nearest_f64() {
        for (text, value) in [
            ("0.1", 0.1),
            ("-1.", -1.0),
            (".5", 0.5),
            ("+2e3", 2000.0),
            ("1E-400", 0.0),
            ("16777217", 16_777_217.0),
        ] {
            assert_eq!(number(text.as_bytes()), Some(value), "{text}");
        }
        for text in ["", "-", "1,5", "0x10", "1.0f", "1 2", "abc", "1.#", "nano", "\u{663}"] {
            assert_eq!(number(text.as_bytes()), None, "{text}");
        }
        assert_eq!(number(b"\xFF"), None);
    }

    #[test]
    fn not_a_number_and_infinity_are_numbers() {
        for text in ["nan", "NaN", "-nan", "nan(ind)", "-nan(0x8)", "1.#QNAN", "-1.#IND", "1.#IND00"] {
            assert!(number(text.as_bytes()).is_some_and(f64::is_nan), "{text}");
        }
        for (text, value) in [
            ("inf", f64::INFINITY),
            ("-Infinity", -f64::INFINITY),
            ("-1.#INF", -f64::INFINITY),
            ("1e999", f64::INFINITY),
        ] {
            assert_eq!(number(text.as_bytes()), Some(value), "{text}");
        }
    }
}
