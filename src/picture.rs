//! A picture's bytes to what is wrong with them.

use std::io::Cursor;

use image::{ImageFormat, ImageReader};
use roxmltree::{Document, ParsingOptions};

use crate::source::FileId;

/// The namespace without which browsers take an SVG for any other XML.
const SVG: &str = "http://www.w3.org/2000/svg";

/// Why the picture `file` cannot be shown. `None` if it can, or if files with this ending are none
/// that both outputs show.
pub fn fault(file: &FileId, bytes: &[u8]) -> Option<String> {
    let ending = file.path().rsplit_once('.')?.1.to_ascii_lowercase();
    let format = match &ending[..] {
        "svg" => return drawing(bytes).err(),
        "png" => ImageFormat::Png,
        "jpg" | "jpeg" => ImageFormat::Jpeg,
        "gif" => ImageFormat::Gif,
        "webp" => ImageFormat::WebP,
        _ => return None,
    };
    if bytes.is_empty() {
        return Some("it is empty".to_owned());
    }
    let found = image::guess_format(bytes).ok();
    if found != Some(format) {
        return Some(format!("what it holds is no {} picture", ending.to_uppercase()));
    }
    // Decoders fill what is missing of a JPEG with gray, and say nothing.
    let tail = &bytes[bytes.len().saturating_sub(1024)..];
    if format == ImageFormat::Jpeg && !tail.windows(2).any(|it| it == [0xff, 0xd9]) {
        return Some("it is cut off".to_owned());
    }
    let decoded = ImageReader::with_format(Cursor::new(bytes), format).decode();
    decoded.err().map(|it| it.to_string().to_lowercase())
}

fn drawing(bytes: &[u8]) -> Result<(), String> {
    if bytes.is_empty() {
        return Err("it is empty".to_owned());
    }
    let text = std::str::from_utf8(bytes).map_err(|_| "its text is not UTF-8".to_owned())?;
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|it| it.to_string())?;
    match document.root_element().has_tag_name((SVG, "svg")) {
        true => Ok(()),
        false => Err(format!("its root is no `<svg xmlns=\"{SVG}\">`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, bytes: &[u8]) -> Option<String> {
        fault(&FileId::new(name), bytes)
    }

    fn raster(format: ImageFormat) -> Vec<u8> {
        let noise = |x: u32, y: u32| image::Rgb([(x * 37) as u8, (y * 91) as u8, (x * y) as u8]);
        let mut out = Cursor::new(Vec::new());
        image::RgbImage::from_fn(40, 30, noise).write_to(&mut out, format).unwrap();
        out.into_inner()
    }

    #[test]
    fn what_can_be_shown_has_no_fault() {
        let formats = [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Gif, ImageFormat::WebP];
        for (name, format) in ["a.PNG", "a.jpeg", "a.gif", "a.webp"].into_iter().zip(formats) {
            assert_eq!(of(name, &raster(format)), None, "{name}");
        }
        assert_eq!(of("a.svg", format!("\u{feff}<svg xmlns=\"{SVG}\"/>").as_bytes()), None);
        assert_eq!(of("data.csv", b""), None);
        assert_eq!(of("no-ending", b""), None);
    }

    #[test]
    fn a_picture_that_is_cut_off_is_noticed() {
        let formats = [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Gif, ImageFormat::WebP];
        for (name, format) in ["a.png", "a.jpg", "a.gif", "a.webp"].into_iter().zip(formats) {
            let whole = raster(format);
            for part in [whole.len() / 2, 20, 12] {
                assert!(of(name, &whole[..part]).is_some(), "{part} bytes of {name}");
            }
        }
    }

    #[test]
    fn what_is_no_picture_is_noticed() {
        for (name, bytes, why) in [
            ("a.png", &b""[..], "it is empty"),
            ("a.svg", b"", "it is empty"),
            ("a.png", b"hello", "what it holds is no PNG picture"),
            ("a.jpg", &raster(ImageFormat::Png), "what it holds is no JPG picture"),
            ("a.svg", b"\xff\xfe<\0", "its text is not UTF-8"),
            ("a.svg", b"<svg/>", "its root is no `<svg xmlns=\"http://www.w3.org/2000/svg\">`"),
            ("a.svg", b"<svg><rect", "the root node was opened but never closed"),
        ] {
            assert_eq!(of(name, bytes).as_deref(), Some(why), "{name}");
        }
    }
}
