//! Files to one ZIP archive.
//!
//! Equal files give equal bytes: entries are in order, and none has a time.

use std::collections::BTreeMap;
use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// Packs files, path → bytes, below one folder.
pub fn pack(folder: &str, files: &BTreeMap<String, Vec<u8>>) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    for (path, bytes) in files {
        let path = format!("{folder}/{path}");
        let written = writer.start_file(path, options).map_err(std::io::Error::other);
        let written = written.and_then(|()| writer.write_all(bytes));
        written.expect("paths of a package are short and apart, and memory takes every byte");
    }
    writer.finish().expect("memory takes every byte").into_inner()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn what_is_packed_comes_out_again() {
        let files = [("a/b.txt", "one"), ("c", "two")];
        let files = files.map(|it| (it.0.to_owned(), it.1.as_bytes().to_vec())).into();
        let bytes = pack("book", &files);
        assert_eq!(bytes, pack("book", &files));
        let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
        assert_eq!(archive.file_names().collect::<Vec<_>>(), ["book/a/b.txt", "book/c"]);
        let mut text = String::new();
        archive.by_name("book/a/b.txt").unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "one");
    }
}
