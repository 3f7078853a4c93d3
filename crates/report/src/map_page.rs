//! The interactive maps of states as a page of their own.

use minijinja::context;

use super::error::ReportError;
use super::interactive::StateMaps;
use super::page::{STYLE, csp_hash, environment, generated_by};

/// Rules of the page beside those of the report and of the maps: there is no table of contents beside the content.
const PAGE_STYLE: &str = "
body.map-page { display: block; padding-bottom: 1.5rem; }
body.map-page.is-framed { max-width: none; padding: 0; }
";

/// Returns maps as one HTML file, which fetches nothing: the maps of a report with its script and style. `about` says under
/// the title what is on the maps; without it there is no heading, as for a frame below one.
///
/// # Errors
/// The template fails.
pub fn map_page(maps: &StateMaps, title: &str, about: Option<&str>) -> Result<String, ReportError> {
    let pieces = maps.pieces();
    let style = format!("{STYLE}{}{PAGE_STYLE}", pieces.style);
    let context = context! {
        title => title, about => about, generated_by => generated_by(),
        markup => &pieces.markup, style => &style, style_hash => csp_hash(&style),
        script => pieces.script, script_hash => csp_hash(pieces.script),
    };
    Ok(environment()?.get_template("map_page.html")?.render(context)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_text_and_a_frame_has_no_heading() {
        let maps = StateMaps::default();
        let page = map_page(&maps, "<b>", Some("all & none")).unwrap();
        assert!(page.contains("<title>&lt;b&gt;</title>") && page.contains("<h1>&lt;b&gt;</h1>"), "{page}");
        assert!(page.contains("<p>all &amp; none</p>") && page.contains("id=\"state-map\""), "{page}");
        let framed = map_page(&maps, "a", None).unwrap();
        assert!(framed.contains("is-framed") && !framed.contains("<h1>"), "{framed}");
    }
}
