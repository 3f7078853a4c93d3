//! A drawing in the page: as it is, or packed where it would be most of the page.

use super::interactive::packed;

/// Letters of a drawing that stand in the page as they are. Packed, a drawing takes a sixth; of the 61 drawings of the
/// demo 44 are larger than this, and have 5.5 of 5.6 MB.
const MOST_PLAIN: usize = 12_000;

/// Returns the HTML of a drawing. Of a large one it has title, size and description, and what stands inside of it packed:
/// the script of the page fills it in.
pub(super) fn canvas(svg: &str) -> String {
    let inside = svg.split_once("</desc>").and_then(|(_, rest)| rest.strip_suffix("</svg>"));
    match inside {
        Some(inside) if svg.len() > MOST_PLAIN => {
            let around = svg.strip_suffix("</svg>").and_then(|rest| rest.strip_suffix(inside)).unwrap_or_default();
            let packed = packed(&[inside.as_bytes()]);
            format!(
                "{around}</svg><script type=\"text/plain\">{packed}</script>\
                 <p class=\"packed\">To see this drawing here needs JavaScript; its files are named below.</p>"
            )
        }
        _ => svg.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use base64::prelude::{BASE64_STANDARD, Engine as _};

    use super::*;

    fn drawing(n_marks: usize) -> String {
        let marks = "<circle cx=\"1\" cy=\"2\" r=\"3\"/>\n".repeat(n_marks);
        format!("<svg viewBox=\"0 0 9 9\">\n<title>t</title>\n<desc>d</desc>\n{marks}</svg>")
    }

    #[test]
    fn a_small_drawing_stays_as_it_is() {
        assert_eq!(canvas(&drawing(50)), drawing(50));
    }

    #[test]
    fn a_large_drawing_is_packed_without_its_frame() {
        let html = canvas(&drawing(3_000));
        let head = "<svg viewBox=\"0 0 9 9\">\n<title>t</title>\n<desc>d</desc></svg><script type=\"text/plain\">";
        let packed = html.strip_prefix(head).and_then(|rest| rest.split_once("</script>")).map(|(packed, _)| packed);
        let bytes = BASE64_STANDARD.decode(packed.expect("a packed drawing")).expect("base64");
        let mut inside = String::new();
        flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut inside).expect("a whole gzip file of text");
        assert_eq!(
            format!("<svg viewBox=\"0 0 9 9\">\n<title>t</title>\n<desc>d</desc>{inside}</svg>"),
            drawing(3_000)
        );
        assert!(html.len() < 3_000, "{} letters", html.len());
    }
}
