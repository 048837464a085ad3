//! The mark that some editors put before UTF-8.

/// The bytes after the mark that some editors put before UTF-8.
pub(crate) fn without_byte_order_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)
}
