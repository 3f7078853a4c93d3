//! Addresses that a study names: those of the web, and those of links in its texts.

use http::Uri;

/// Parses the address of a page that people are led to, or that data are sent to.
///
/// # Errors
///
/// It is no address of the web, with a host, as browsers would read it.
pub fn of_web(text: &str) -> Result<Uri, String> {
    let wrong = |why: &str| {
        Err(format!("{text:?} is no address of the web: {why}; such as https://example.org/collect?study=1"))
    };
    if let Some(letter) = text.chars().find(|letter| !letter.is_ascii_graphic()) {
        return wrong(&format!(
            "{letter:?} cannot stand in it (blanks and letters with accents are written as %20, hosts as xn--…)"
        ));
    }
    if text.contains('\\') {
        return wrong("a backslash cannot stand in it");
    }
    let Ok(uri) = text.parse::<Uri>() else {
        return wrong("it has to be https:// and a host, and what comes after it");
    };
    if !matches!(uri.scheme_str(), Some("https" | "http")) {
        return wrong("it has to begin with https:// (or http://)");
    }
    let Some(authority) = uri.authority().filter(|authority| !authority.host().is_empty()) else {
        return wrong("it names no host");
    };
    if authority.as_str().contains('@') {
        return wrong("a name or password cannot stand before the host");
    }
    let is_of_host = |letter: char| letter.is_ascii_alphanumeric() || "-._:[]".contains(letter);
    let port = authority.as_str().strip_prefix(authority.host()).unwrap_or_default();
    let has_port = port.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok());
    if !(port.is_empty() || has_port) || !authority.as_str().chars().all(is_of_host) {
        return wrong(&format!("{:?} is no host", authority.as_str()));
    }
    Ok(uri)
}

/// Scheme, host and port of an address of the web, as a content security policy names them.
pub fn origin(uri: &Uri) -> String {
    let (scheme, authority) = (uri.scheme_str().unwrap_or_default(), uri.authority().map_or("", |part| part.as_str()));
    format!("{scheme}://{authority}").to_ascii_lowercase()
}

/// Checks that a link of a text leads to the web, to mail, or to a place of the page itself.
///
/// # Errors
///
/// It leads elsewhere, or browsers could read it as if it did.
pub fn of_link(text: &str) -> Result<(), String> {
    // Browsers leave some of these out, and read what is left.
    if let Some(letter) = text.chars().find(|letter| letter.is_control() || letter.is_whitespace()) {
        return Err(format!("the link {text:?} has {letter:?} in it: write it as %20, or leave it out"));
    }
    let bare = text.trim_matches(is_left_out);
    if bare.len() < text.len() {
        return Err(format!("the link {text:?} has invisible letters around it: leave them out"));
    }
    // As browsers have it, a scheme ends at the first colon before any slash, question mark or hash.
    let scheme = text.split_once(':').map(|(scheme, _)| scheme).filter(|scheme| !scheme.contains(['/', '?', '#']));
    match scheme.map(str::to_ascii_lowercase).as_deref() {
        Some("http" | "https") => of_web(&in_ascii(text)).map(drop),
        Some("mailto") => Ok(()),
        Some(other) => Err(format!(
            "the link {text:?} begins with {:?}: links lead to https://, http://, mailto: or a place in the page",
            format!("{other}:")
        )),
        None if text.starts_with(['/', '\\']) && text[1..].starts_with(['/', '\\']) => {
            Err(format!("the link {text:?} names a host without https://: put that before it"))
        }
        None => Ok(()),
    }
}

/// Letters that show nothing and that some readers leave out.
fn is_left_out(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

/// The address without the letters that browsers write as numbers by themselves.
fn in_ascii(text: &str) -> String {
    let is_own = |letter: char| letter.is_ascii() && letter != '"';
    text.chars().map(|letter| if is_own(letter) { letter } else { 'x' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_of_the_web_has_a_scheme_and_a_host() {
        for (text, origin_of) in [
            ("https://example.org", "https://example.org"),
            ("http://127.0.0.1:8000/collect", "http://127.0.0.1:8000"),
            ("https://App.Prolific.com/submissions/complete?cc=C1XYZ", "https://app.prolific.com"),
            ("https://[2001:db8::1]:8443/x?y={z}", "https://[2001:db8::1]:8443"),
            ("HTTPS://example.org/#part", "https://example.org"),
        ] {
            assert_eq!(of_web(text).map(|uri| origin(&uri)), Ok(origin_of.to_owned()), "{text}");
        }
        for (text, words) in [
            ("", "address"),
            ("example.org/collect", "https://"),
            ("/collect", "https://"),
            ("collect", "https://"),
            ("ftp://example.org", "https://"),
            ("javascript:alert(1)", "address"),
            ("javascript://example.org/%0aalert(1)", "https://"),
            ("data:text/html,x", "address"),
            ("https://", "address"),
            ("https:///collect", "address"),
            ("https:example.org", "address"),
            ("https://exa mple.org", "' '"),
            (" https://example.org", "' '"),
            ("https://example.org\n", "'\\n'"),
            ("https:\\\\example.org", "backslash"),
            ("https://ex\u{e4}mple.org", "xn--"),
            ("https://lab@example.org", "before the host"),
            ("https://example.org;script-src", "address"),
            ("https://example.org:99999/", "no host"),
            ("https://*/", "no host"),
        ] {
            let error = of_web(text).unwrap_err();
            assert!(error.contains(words) && error.contains("no address of the web"), "{text}: {error}");
        }
    }

    #[test]
    fn links_lead_to_the_web_to_mail_or_within_the_page() {
        for text in [
            "https://example.org/a?b=c#d",
            "http://example.org",
            "https://de.wikipedia.org/wiki/R\u{e4}tsel",
            "https://example.org/?a=\"2\"",
            "mailto:lab@example.org",
            "MAILTO:lab@example.org?subject=Study",
            "#part",
            "?participant=P01",
            "page/javascript:no",
            "",
        ] {
            assert_eq!(of_link(text), Ok(()), "{text}");
        }
        for text in [
            "javascript:alert(1)",
            "JavaScript:alert(1)",
            "java\tscript:alert(1)",
            "java\nscript:alert(1)",
            " javascript:alert(1)",
            "\u{1}javascript:alert(1)",
            "\u{feff}javascript:alert(1)",
            "\u{a0}javascript:alert(1)",
            "data:text/html,<script>alert(1)</script>",
            "DATA:text/html;base64,PHNjcmlwdD4=",
            "vbscript:msgbox(1)",
            "file:///etc/passwd",
            "blob:https://example.org/1",
            "C:\\lab\\x.html",
            "//example.org/x",
            "\\\\example.org\\x",
            "/\\example.org",
            "https://",
            "https:example.org",
        ] {
            assert!(of_link(text).is_err(), "{text:?}");
        }
        assert!(of_link("javascript:alert(1)").unwrap_err().contains("\"javascript:\""));
    }
}
