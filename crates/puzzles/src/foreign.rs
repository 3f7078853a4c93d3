//! Kinds of files that other programs read, known by their first bytes and not by their names.

use std::fmt;
use std::io;
use std::path::Path;

/// So many bytes of the beginning of a file tell what it is.
pub const ENOUGH: usize = 4096;

/// A kind of file that is no text, or none that says anything by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Foreign {
    /// Kind of file, with its article.
    pub what: &'static str,
    /// Remedy.
    pub fix: &'static str,
}

impl fmt::Display for Foreign {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "it is {}; {}", self.what, self.fix)
    }
}

const UNPACK: &str = "unpack it first, and name what is in it";
const SAVE: &str = "save it as CSV there, and name that";
const OTHER: &str = "name the file that was meant";
const SHEET: &str = "save the sheet as CSV, and name that";
const WORDS: &str = "save what it says as text or as a table, and name that";

/// Magic bytes of a kind of file: their place, the bytes, the kind and the remedy.
type Mark = (usize, &'static [u8], &'static str, &'static str);

const MARKS: [Mark; 66] = [
    (0, &[0x1f, 0x8b], "compressed with gzip", UNPACK),
    (0, &[0x28, 0xb5, 0x2f, 0xfd], "compressed with zstd", UNPACK),
    (0, b"\xfd7zXZ\0", "compressed with xz", UNPACK),
    (0, b"BZh11AY&SY", "compressed with bzip2", UNPACK),
    (0, b"\x04\x22\x4d\x18", "compressed with lz4", UNPACK),
    (0, b"LZIP\x01", "compressed with lzip", UNPACK),
    (0, &[0x1f, 0x9d], "compressed with compress (.Z)", UNPACK),
    (0, &[0x5d, 0, 0], "compressed with LZMA", UNPACK),
    (0, b"7z\xbc\xaf\x27\x1c", "an archive of 7-Zip", UNPACK),
    (0, b"Rar!\x1a\x07", "an archive of RAR", UNPACK),
    (0, b"MSCF\0\0\0\0", "a cabinet of Windows", UNPACK),
    (0, b"070701", "an archive of cpio", UNPACK),
    (0, b"070702", "an archive of cpio", UNPACK),
    (257, b"ustar", "a tar archive", UNPACK),
    (0, b"PK\x05\x06", "a ZIP archive without a file", OTHER),
    (0, b"%PDF-", "a PDF document", WORDS),
    (0, b"{\\rtf", "a document in RTF", WORDS),
    (0, b"%!PS", "a PostScript document", WORDS),
    (0, b"\x89PNG\r\n\x1a\n", "a picture (PNG)", OTHER),
    (0, b"\xff\xd8\xff", "a picture (JPEG)", OTHER),
    (0, b"GIF87a", "a picture (GIF)", OTHER),
    (0, b"GIF89a", "a picture (GIF)", OTHER),
    (0, b"II*\0", "a picture (TIFF)", OTHER),
    (0, b"MM\0*", "a picture (TIFF)", OTHER),
    (8, b"WEBP", "a picture (WebP)", OTHER),
    (14, &[40, 0, 0, 0], "a picture (BMP)", OTHER),
    (14, &[108, 0, 0, 0], "a picture (BMP)", OTHER),
    (14, &[124, 0, 0, 0], "a picture (BMP)", OTHER),
    (0, &[0, 0, 1, 0], "a picture (ICO)", OTHER),
    (0, b"<svg", "a picture (SVG)", OTHER),
    (8, b"WAVE", "a sound (WAV)", OTHER),
    (8, b"AVI ", "a film (AVI)", OTHER),
    (0, b"OggS\0", "a sound or film (Ogg)", OTHER),
    (0, b"\x1a\x45\xdf\xa3", "a film (WebM, Matroska)", OTHER),
    (0, b"ID3\x03\0", "a sound (MP3)", OTHER),
    (0, b"ID3\x04\0", "a sound (MP3)", OTHER),
    (4, b"ftypheic", "a picture (HEIC)", OTHER),
    (4, b"ftypavif", "a picture (AVIF)", OTHER),
    (4, b"ftyp", "a film (MP4, QuickTime)", OTHER),
    (0, b"\x7fELF", "a program", OTHER),
    (0, b"MZ\x90\0", "a program", OTHER),
    (0, b"\0asm", "a program", OTHER),
    (0, b"SQLite format 3\0", "an SQLite database", "write its table as CSV, and name that"),
    (0, b"PAR1", "a table in Parquet", "write it as CSV, and name that"),
    (0, b"ARROW1\0\0", "a table of Arrow (Feather)", "write it as Parquet or CSV, and name that"),
    (0, b"FEA1", "a table of Feather", "write it as Parquet or CSV, and name that"),
    (0, b"Obj\x01", "a table of Avro", "write it as Parquet or CSV, and name that"),
    (0, b"\x93NUMPY", "an array of NumPy", SAVE),
    (0, b"\x89HDF\r\n\x1a\n", "a file of HDF5", SAVE),
    (0, b"MATLAB 5.0 MAT-file", "a file of MATLAB", SAVE),
    (0, b"MATLAB 7.3 MAT-file", "a file of MATLAB", SAVE),
    (0, b"X\n\0\0\0\x02", "an object of R (RDS)", "write it with write.csv in R, and name that"),
    (0, b"X\n\0\0\0\x03", "an object of R (RDS)", "write it with write.csv in R, and name that"),
    (0, b"RDX2\n", "objects of R (RData)", "write them with write.csv in R, and name that"),
    (0, b"RDX3\n", "objects of R (RData)", "write them with write.csv in R, and name that"),
    (0, b"$FL2@(#)", "a file of SPSS", SAVE),
    (0, b"$FL3@(#)", "a file of SPSS", SAVE),
    (0, b"ASCII SPSS PORT FILE", "a file of SPSS", SAVE),
    (0, b"<stata_dta>", "a file of Stata", SAVE),
    (0, b"\0\0\0\0\0\0\0\0\0\0\0\0\xc2\xea\x81\x60", "a file of SAS", SAVE),
    (0, b"HEADER RECORD*******LIBRARY HEADER RECORD", "a file of SAS", SAVE),
    (0, b"Salted__", "encrypted", "decrypt it first, and name what is in it"),
    (0, b"-----BEGIN PGP MESSAGE", "encrypted", "decrypt it first, and name what is in it"),
    (0, b"age-encryption.org/", "encrypted", "decrypt it first, and name what is in it"),
    (
        0,
        b"version https://git-lfs.github.com/",
        "what Git LFS keeps in place of a file",
        "fetch the file with git lfs pull",
    ),
    (
        0,
        b"version https://hawser.github.com/",
        "what Git LFS keeps in place of a file",
        "fetch the file with git lfs pull",
    ),
];

/// Office documents in a ZIP archive, by the names and types that stand in it.
const IN_ZIP: [(&[u8], &str, &str); 8] = [
    (b"word/document.xml", "a Word document", WORDS),
    (b"ppt/presentation.xml", "a presentation of PowerPoint", WORDS),
    (b"xl/workbook.", "a workbook of Excel", SHEET),
    (b"application/vnd.oasis.opendocument.text", "a text document of LibreOffice", WORDS),
    (b"application/vnd.oasis.opendocument.presentation", "a presentation of LibreOffice", WORDS),
    (b"application/vnd.oasis.opendocument.spreadsheet", "a workbook of LibreOffice", SHEET),
    (b"application/epub+zip", "a book (EPUB)", WORDS),
    (b".npy", "arrays of NumPy", SAVE),
];

/// Documents of the office programs before 2007, by the streams in them.
const IN_OLE: [(&[u8], &str, &str); 4] = [
    (b"E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0", "a document with a password", "save it without one"),
    (b"W\0o\0r\0d\0D\0o\0c\0u\0m\0e\0n\0t\0", "a Word document", WORDS),
    (b"P\0o\0w\0e\0r\0P\0o\0i\0n\0t\0", "a presentation of PowerPoint", WORDS),
    (b"W\0o\0r\0k\0b\0o\0o\0k\0", "a workbook of Excel", SHEET),
];

/// Kind of file that begins so, if it is no text; [`ENOUGH`] bytes tell most, those of office documents the whole file.
pub fn foreign(start: &[u8]) -> Option<Foreign> {
    let has = |place: usize, mark: &[u8]| start.get(place..).is_some_and(|rest| rest.starts_with(mark));
    let contains = |mark: &[u8]| start.windows(mark.len()).any(|part| part == mark);
    let among = |kinds: &[(&[u8], &'static str, &'static str)]| {
        kinds.iter().find(|(mark, ..)| contains(mark)).map(|&(_, what, fix)| Foreign { what, fix })
    };
    if has(0, b"PK\x03\x04") {
        return Some(among(&IN_ZIP).unwrap_or(Foreign { what: "a ZIP archive", fix: UNPACK }));
    }
    if has(0, b"\xd0\xcf\x11\xe0") {
        let unknown =
            Foreign { what: "a document of an office program", fix: "save what it says as CSV, and name that" };
        return Some(among(&IN_OLE).unwrap_or(unknown));
    }
    let is_it = |&&(place, mark, ..): &&Mark| match place {
        // A digit tells how much was compressed at once.
        0 if mark.starts_with(b"BZh") => has(0, &mark[..3]) && has(4, &mark[4..]),
        // Of texts, too, some have these letters there.
        4 => start.first() == Some(&0) && has(place, mark),
        8 => has(0, b"RIFF") && has(place, mark),
        _ => has(place, mark),
    };
    MARKS.iter().find(is_it).map(of_mark).or_else(|| stata(start)).or_else(|| pickle(start)).or_else(|| web_page(start))
}

fn of_mark(&(_, _, what, fix): &Mark) -> Foreign {
    Foreign { what, fix }
}

/// A file of Stata 8 to 12: its version, how its bytes are ordered, and two bytes that are always the same.
fn stata(start: &[u8]) -> Option<Foreign> {
    let is_it = matches!(start, [0x6e..=0x73, 1 | 2, 1, 0, ..]);
    is_it.then_some(Foreign { what: "a file of Stata", fix: SAVE })
}

/// An object of Python, by the version of its form, which a step that only some versions have follows.
fn pickle(start: &[u8]) -> Option<Foreign> {
    let is_it = matches!(start, [0x80, 2..=5, b'}' | b']' | b'c' | b'(' | 0x8c | 0x95, ..]);
    is_it.then_some(Foreign { what: "an object of Python (pickle)", fix: SAVE })
}

/// A web page, which a server sends in place of a file.
fn web_page(start: &[u8]) -> Option<Foreign> {
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
    let begins = |mark: &[u8]| start.get(..mark.len()).is_some_and(|bytes| bytes.eq_ignore_ascii_case(mark));
    let fix = "servers send one in place of a file where somebody has to sign in; download the file itself";
    (begins(b"<!doctype html") || begins(b"<html")).then_some(Foreign { what: "a web page", fix })
}

/// The text of a file.
///
/// # Errors
///
/// What the system says, or what the file is if it is no text.
pub fn read_text(path: &Path) -> io::Result<String> {
    let bytes = std::fs::read(path)?;
    if let Some(foreign) = foreign(&bytes) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, foreign.to_string()));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.iter().filter(|&&byte| byte == b'\n').count() + 1;
        io::Error::new(io::ErrorKind::InvalidData, format!("line {line} is no text in UTF-8; save the file as UTF-8"))
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn what(start: &[u8]) -> Option<&'static str> {
        foreign(start).map(|foreign| foreign.what)
    }

    /// Files as the programs themselves write them.
    #[test]
    fn files_of_other_programs_are_what_they_are() {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(b"a,b\n").unwrap();
        assert_eq!(what(&gzip.finish().unwrap()), Some("compressed with gzip"));
        assert_eq!(what(&zstd::encode_all(&b"a,b\n"[..], 1).unwrap()), Some("compressed with zstd"));
        // `printf a | bzip2 -1`, and of nothing; `printf a | xz`.
        assert_eq!(what(b"BZh11AY&SY\x19\x93\x9b\x6b"), Some("compressed with bzip2"));
        assert_eq!(what(b"BZh91AY&SY\x19\x93\x9b\x6b"), Some("compressed with bzip2"));
        assert_eq!(what(b"\xfd7zXZ\0\0\x04\xe6\xd6\xb4\x46"), Some("compressed with xz"));
        let mut tar = vec![0; 512];
        tar[257..262].copy_from_slice(b"ustar");
        assert_eq!(what(&tar), Some("a tar archive"));
        assert_eq!(what(b"RIFF\x24\0\0\0WEBPVP8 "), Some("a picture (WebP)"));
        assert_eq!(what(b"\0\0\0\x18ftypmp42"), Some("a film (MP4, QuickTime)"));
        assert_eq!(what(b"\x73\x02\x01\0\x05\0"), Some("a file of Stata"));
        assert_eq!(what(b"\x80\x04\x95\x10\0\0\0\0\0\0\0"), Some("an object of Python (pickle)"));
        assert_eq!(what(b"\xef\xbb\xbf\r\n<!DOCTYPE HTML>\n"), Some("a web page"));
        assert_eq!(what(b"PK\x03\x04\x14\0..word/document.xml"), Some("a Word document"));
        assert_eq!(what(b"PK\x03\x04\x14\0..a.csv"), Some("a ZIP archive"));
        assert_eq!(what(b"\xd0\xcf\x11\xe0\xa1W\0o\0r\0d\0D\0o\0c\0u\0m\0e\0n\0t\0"), Some("a Word document"));
    }

    #[test]
    fn each_mark_tells_its_own_kind() {
        for (place, mark, kind, _) in MARKS {
            let mut start = vec![0; place];
            if place == 8 {
                start[..4].copy_from_slice(b"RIFF");
            }
            start.extend(mark);
            start.resize(ENOUGH, 0);
            assert_eq!(what(&start), Some(kind), "{mark:?}");
        }
    }

    #[test]
    fn texts_are_none_of_them() {
        let texts = [
            "participant,level\n",
            "BMI,age\n",
            "GIF,shown\n",
            "ID3,x\n",
            "RIFF,x\nWEBP\n",
            "xxxxftyp,a\n",
            "BZh,x\n",
            "{\"a\": 1}",
            "[1]",
            "BB...G\n",
            "<?xml version=\"1.0\"?><log/>",
            "PAR2,x\n",
            "MZ_score,a\n",
            "",
            "P",
            "7z,a\n",
            "]\0",
        ];
        for text in texts {
            assert_eq!(what(text.as_bytes()), None, "{text:?}");
        }
    }

    #[test]
    fn a_text_that_is_none_is_told_with_its_line() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let read = |bytes: &[u8]| {
            std::fs::write(file.path(), bytes).unwrap();
            read_text(file.path()).map_err(|error| error.to_string())
        };
        assert_eq!(read(b"a\nb\n"), Ok("a\nb\n".to_owned()));
        assert_eq!(read(b"a\n\xe9\n"), Err("line 2 is no text in UTF-8; save the file as UTF-8".to_owned()));
        assert_eq!(read(b"%PDF-1.7\n"), Err(format!("it is a PDF document; {WORDS}")));
    }
}
