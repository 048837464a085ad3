//! The text of .map files and of the entities of compiled levels: braces, parentheses, words, quoted strings,
//! comments.

use glam::DVec3;

use crate::error::{LoadError, Location};
use crate::text;

/// A reader of such a text that knows its line.
#[derive(Clone, Debug)]
pub(super) struct Words<'a> {
    bytes: &'a [u8],
    next: usize,
    line: u64,
    /// The lump that the text is of.
    lump: Option<&'static str>,
}

impl<'a> Words<'a> {
    pub(super) fn new(bytes: &'a [u8], lump: Option<&'static str>) -> Self {
        Self { bytes: crate::byte_order_mark::without_byte_order_mark(bytes), next: 0, line: 1, lump }
    }

    pub(super) fn line(&self) -> u64 {
        self.line
    }

    pub(super) fn at(&self) -> Location {
        self.at_line(self.line)
    }

    pub(super) fn at_line(&self, line: u64) -> Location {
        match self.lump {
            Some(lump) => Location::Part(format!("lump {lump}, line {line}")),
            None => Location::Line(line),
        }
    }

    /// The next byte that is no blank and in no comment; `None` at the end.
    pub(super) fn peek(&mut self) -> Option<u8> {
        loop {
            match *self.bytes.get(self.next)? {
                // Compilers end the entities with a zero.
                0 => return None,
                b'\n' => {
                    self.line += 1;
                    self.next += 1;
                }
                b'/' if self.bytes.get(self.next + 1) == Some(&b'/') => {
                    let rest = &self.bytes[self.next..];
                    self.next += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                }
                byte if byte <= b' ' => self.next += 1,
                byte => return Some(byte),
            }
        }
    }

    /// The same, on the same line; `None` at its end.
    pub(super) fn peek_in_line(&mut self) -> Option<u8> {
        let (line, next) = (self.line, self.next);
        let byte = self.peek();
        if self.line == line {
            return byte;
        }
        (self.line, self.next) = (line, next);
        None
    }

    /// Takes this byte if it is next.
    pub(super) fn take(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.next += usize::from(is_next);
        is_next
    }

    /// Takes this byte, or says that it was expected.
    pub(super) fn expect(&mut self, byte: u8, expected: &'static str) -> Result<(), LoadError> {
        if self.take(byte) { Ok(()) } else { Err(self.expected(expected)) }
    }

    /// A word up to the next blank, or a string in quotes without them.
    pub(super) fn word(&mut self, expected: &'static str) -> Result<&'a [u8], LoadError> {
        match self.peek() {
            None => Err(self.expected(expected)),
            Some(b'"') => self.quoted(),
            Some(_) => {
                let rest = &self.bytes[self.next..];
                let end = rest.iter().position(|byte| *byte <= b' ').unwrap_or(rest.len());
                self.next += end;
                Ok(&rest[..end])
            }
        }
    }

    /// A string in quotes, without them.
    pub(super) fn quoted(&mut self) -> Result<&'a [u8], LoadError> {
        self.expect(b'"', "a string in quotes")?;
        let rest = &self.bytes[self.next..];
        let end = memchr::memchr2(b'"', b'\n', rest).filter(|end| rest[*end] == b'"');
        let Some(end) = end else {
            return Err(LoadError::EndsEarly { at: self.at(), missing: "the quote that ends a string" });
        };
        self.next += end + 1;
        Ok(&rest[..end])
    }

    /// A number up to the next blank or bracket.
    pub(super) fn number(&mut self) -> Result<f64, LoadError> {
        const EXPECTED: &str = "a number";
        if self.peek().is_none() {
            return Err(self.expected(EXPECTED));
        }
        let rest = &self.bytes[self.next..];
        let ends = |byte: &u8| *byte <= b' ' || b"()[]{}\"".contains(byte);
        let word = &rest[..rest.iter().position(ends).unwrap_or(rest.len())];
        match text::number(word).filter(|number| number.is_finite()) {
            Some(number) => {
                self.next += word.len();
                Ok(number)
            }
            None => Err(self.expected("a finite number")),
        }
    }

    /// `( x y z )`
    pub(super) fn point(&mut self) -> Result<DVec3, LoadError> {
        self.expect(b'(', "( before a point")?;
        let point = DVec3::new(self.number()?, self.number()?, self.number()?);
        self.expect(b')', ") after three coordinates")?;
        Ok(point)
    }

    /// The rest of the line goes by.
    pub(super) fn skip_line(&mut self) {
        let rest = &self.bytes[self.next..];
        self.next += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    }

    /// The error for something else than was expected.
    pub(super) fn expected(&mut self, expected: &'static str) -> LoadError {
        if self.peek().is_none() {
            return LoadError::EndsEarly { at: self.at(), missing: expected };
        }
        let rest = &self.bytes[self.next..];
        let end = rest.iter().position(|byte| *byte <= b' ').unwrap_or(rest.len()).max(1);
        LoadError::malformed(self.at(), expected, &rest[..end])
    }
}
