//! Numbers as bytes, small ones in one: seven bits a byte, the lowest first; the highest bit says that more
//! follow.

pub(crate) fn write(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number from the front; `None` if it is cut off or too large.
pub(crate) fn read(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if *byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// Writes a number near another one, on either side of it.
pub(crate) fn write_near(bytes: &mut Vec<u8>, number: u32, other: u32) {
    let away = i64::from(number) - i64::from(other);
    write(bytes, ((away << 1) ^ (away >> 63)) as u64);
}

/// Takes a number near another one from the front.
pub(crate) fn read_near(bytes: &mut &[u8], other: u32) -> Option<u32> {
    let coded = read(bytes)?;
    let away = (coded >> 1) as i64 ^ -((coded & 1) as i64);
    i64::from(other).checked_add(away).and_then(|number| number.try_into().ok())
}
