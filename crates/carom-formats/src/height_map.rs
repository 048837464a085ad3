//! Height maps: grayscale PNG pictures of 8 or 16 bits, one sample per pixel.

use std::io::Cursor;

use png::{BitDepth, ColorType, Decoder, Limits};
use thiserror::Error;

/// Pictures of more bytes than this are refused: 16,384 × 16,384 samples of 16 bits.
const MOST_BYTES: usize = 1 << 29;

/// The samples of a height map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeightMap {
    /// Along x, from the left of the picture.
    pub columns: u32,
    /// Along z, from its top.
    pub rows: u32,
    /// Row by row: 0 is black, 65,535 is white. Samples of 8 bits are spread over the same range.
    pub samples: Vec<u16>,
}

/// Why bytes give no height map.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum HeightMapError {
    /// Not a PNG picture, or a damaged one.
    #[error("cannot be read as PNG: {0}")]
    Png(png::DecodingError),
    /// Colors or transparency.
    #[error(
        "a height map must be grayscale, without colors or transparency, but this picture is {0}: export it as grayscale"
    )]
    NotGray(&'static str),
    /// Fewer than 8 bits a sample.
    #[error("a height map must have 8 or 16 bits per sample, not {0}")]
    Bits(u8),
    /// More than fits into memory with good sense.
    #[error("{columns} × {rows} samples are too many: split the picture")]
    TooLarge {
        /// Along x.
        columns: u32,
        /// Along z.
        rows: u32,
    },
}

/// The message has that of the decoder, so that is no source of its own: chains would say it twice.
impl From<png::DecodingError> for HeightMapError {
    fn from(error: png::DecodingError) -> Self {
        Self::Png(error)
    }
}

/// Reads a gray PNG picture of 8 or 16 bits.
///
/// # Errors
/// Bytes that are no PNG or damaged, colors, transparency, fewer than 8 bits, too many samples.
pub fn height_map(bytes: &[u8]) -> Result<HeightMap, HeightMapError> {
    let limits = Limits { bytes: MOST_BYTES };
    let mut reader = Decoder::new_with_limits(Cursor::new(bytes), limits).read_info()?;
    let info = reader.info();
    let (columns, rows) = (info.width, info.height);
    match info.color_type {
        ColorType::Grayscale => {}
        ColorType::Rgb => return Err(HeightMapError::NotGray("RGB")),
        ColorType::Rgba => return Err(HeightMapError::NotGray("RGB with alpha")),
        ColorType::Indexed => return Err(HeightMapError::NotGray("of a palette")),
        ColorType::GrayscaleAlpha => return Err(HeightMapError::NotGray("gray with alpha")),
    }
    let bits = info.bit_depth;
    if !matches!(bits, BitDepth::Eight | BitDepth::Sixteen) {
        return Err(HeightMapError::Bits(bits as u8));
    }
    let size = reader.output_buffer_size().filter(|size| *size <= MOST_BYTES);
    let size = size.ok_or(HeightMapError::TooLarge { columns, rows })?;
    let mut buffer = vec![0; size];
    reader.next_frame(&mut buffer)?;
    let samples = if bits == BitDepth::Sixteen {
        buffer.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect()
    } else {
        buffer.iter().map(|sample| u16::from(*sample) * 257).collect()
    };
    Ok(HeightMap { columns, rows, samples })
}

#[cfg(test)]
mod tests {
    use png::Encoder;

    use super::*;

    fn picture(color: ColorType, bits: BitDepth, data: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes, 3, 2);
        encoder.set_color(color);
        encoder.set_depth(bits);
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(data).unwrap();
        writer.finish().unwrap();
        bytes
    }

    #[test]
    fn samples_of_both_depths_are_read_row_by_row() {
        let sixteen: Vec<u8> = [0u16, 1, 256, 65_535, 7, 1000].iter().flat_map(|x| x.to_be_bytes()).collect();
        let map = height_map(&picture(ColorType::Grayscale, BitDepth::Sixteen, &sixteen)).unwrap();
        assert_eq!((map.columns, map.rows), (3, 2));
        assert_eq!(map.samples, [0, 1, 256, 65_535, 7, 1000]);
        let eight =
            height_map(&picture(ColorType::Grayscale, BitDepth::Eight, &[0, 1, 2, 3, 4, 255])).unwrap();
        assert_eq!(eight.samples, [0, 257, 514, 771, 1028, 65_535]);
    }

    #[test]
    fn what_is_no_height_map_is_refused_by_name() {
        let says = |bytes: &[u8]| height_map(bytes).unwrap_err().to_string();
        assert!(says(b"").contains("PNG") && says(b"v 0 0 0").contains("PNG"));
        let error = height_map(b"v 0 0 0").unwrap_err();
        assert!(core::error::Error::source(&error).is_none(), "its message is in this one already");
        assert!(says(&picture(ColorType::Rgb, BitDepth::Eight, &[0; 18])).contains("RGB"));
        assert!(says(&picture(ColorType::Grayscale, BitDepth::One, &[0; 2])).contains("8 or 16 bits"));
        let whole = picture(ColorType::Grayscale, BitDepth::Eight, &[9; 6]);
        for end in 0..whole.len() - 12 {
            assert!(height_map(&whole[..end]).is_err(), "cut at {end}");
        }
    }
}
