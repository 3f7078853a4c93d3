//! For which host a request may ask, and who asks through a proxy.

use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, Uri, header};

/// Header in which a proxy says who asks; each proxy on the way appends the address that it saw.
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Header in which a proxy says which host was asked for.
const FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");

/// The name of a host, without a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostName(String);

impl FromStr for HostName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let name = host_of(text).filter(|name| !name.is_empty() && name.len() == text.trim_end_matches('.').len());
        let why = || format!("{text:?} is no name of a host, such as play.lab.example: without http://, port and path");
        name.map(Self).ok_or_else(why)
    }
}

/// The host of an authority, in small letters and without a port.
fn host_of(authority: &str) -> Option<String> {
    let authority: Authority = authority.parse().ok().filter(|_| !authority.contains('@'))?;
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || "-._[]:".contains(letter);
    let host = authority.host().trim_end_matches('.').to_ascii_lowercase();
    host.chars().all(is_name).then_some(host)
}

/// The hosts that requests may ask for. A page from elsewhere, whose name is made to lead here, could read and write what is
/// recorded: its name is none of these.
#[derive(Clone, Debug, Default)]
pub(super) struct Hosts {
    /// True if the server is for more than this machine.
    pub is_open: bool,
    /// Names that were given.
    pub names: Vec<HostName>,
}

impl Hosts {
    fn allows(&self, host: &str) -> bool {
        if host == "localhost" || self.names.iter().any(|name| name.0 == host) {
            return true;
        }
        // An address leads to this machine alone, and to no other one later; only names can be made to lead here.
        let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        address.is_ok_and(|address| self.is_open || address.is_loopback())
    }

    /// Checks the host of a request, and the one that the proxy, if it comes from there, says was asked for.
    pub(super) fn check(&self, uri: &Uri, headers: &HeaderMap, is_of_proxy: bool) -> Result<(), String> {
        let mut names: Vec<&str> = Vec::new();
        let mut hosts = headers.get_all(header::HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else {
            return Err("the request has to name its host once".to_owned());
        };
        names.push(host.to_str().unwrap_or_default());
        names.extend(uri.authority().map(Authority::as_str));
        if is_of_proxy {
            names.extend(last_of(headers, &FORWARDED_HOST));
        }
        match names.into_iter().find(|host| !host_of(host).is_some_and(|host| self.allows(&host))) {
            None => Ok(()),
            Some(host) => Err(self.why(host)),
        }
    }

    fn why(&self, host: &str) -> String {
        let name = host_of(host);
        match name.filter(|name| name.len() > 1) {
            Some(name) => format!(
                "the server does not answer as {name:?}: ask for 127.0.0.1 or localhost, or, if that is its name, start it with --name {name}"
            ),
            None => format!("the host {host:?} of the request is none"),
        }
    }
}

/// The last entry of a list that may stand in several lines.
fn last_of<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let last = headers.get_all(name).iter().next_back()?;
    Some(last.to_str().unwrap_or_default().rsplit(',').next().unwrap_or_default().trim())
}

/// Returns true if a header says who asks.
pub(super) fn is_forwarded(headers: &HeaderMap) -> bool {
    headers.contains_key(FORWARDED_FOR)
}

/// The address for which the proxy asks: the last one, which it appended itself. Those before come from the client, who may
/// write what they like.
pub(super) fn forwarded_for(headers: &HeaderMap) -> Result<Option<IpAddr>, String> {
    let Some(last) = last_of(headers, &FORWARDED_FOR) else { return Ok(None) };
    let bare = last.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(last);
    let address = bare.parse::<IpAddr>().or_else(|_| last.parse::<SocketAddr>().map(|address| address.ip()));
    let why = || format!("X-Forwarded-For of the proxy ends in {last:?}, which is no address");
    address.map(|address| Some(address.to_canonical())).map_err(|_| why())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(lines: &[(&'static str, &str)]) -> HeaderMap {
        lines.iter().map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap())).fold(
            HeaderMap::new(),
            |mut map, (name, value)| {
                map.append(name, value);
                map
            },
        )
    }

    fn allows(hosts: &Hosts, lines: &[(&'static str, &str)], is_of_proxy: bool) -> bool {
        hosts.check(&Uri::from_static("/"), &head(lines), is_of_proxy).is_ok()
    }

    #[test]
    fn a_host_is_this_machine_or_a_name_that_was_given() {
        let local = Hosts::default();
        let open = Hosts { is_open: true, names: vec!["Play.Lab.Example".parse().unwrap()] };
        let cases = [
            ("localhost", true, true),
            ("LOCALHOST:8080", true, true),
            ("127.0.0.1:8080", true, true),
            ("[::1]:8080", true, true),
            ("192.168.1.5:8080", false, true),
            ("[2001:db8::1]", false, true),
            ("play.lab.example", false, true),
            ("play.lab.example.:8080", false, true),
            ("elsewhere.example", false, false),
            ("127.0.0.1.elsewhere.example", false, false),
            ("localhost.elsewhere.example", false, false),
            ("elsewhere.example#127.0.0.1", false, false),
            ("someone@localhost", false, false),
            ("localhost/", false, false),
            ("", false, false),
        ];
        for (host, by_local, by_open) in cases {
            assert_eq!(allows(&local, &[("host", host)], false), by_local, "{host}");
            assert_eq!(allows(&open, &[("host", host)], false), by_open, "{host}");
        }
        assert!(!allows(&open, &[], false));
        assert!(!allows(&open, &[("host", "localhost"), ("host", "elsewhere.example")], false));
        let of_uri = Uri::from_static("http://elsewhere.example/");
        assert!(open.check(&of_uri, &head(&[("host", "localhost")]), false).is_err());
        let said = open.check(&Uri::from_static("/"), &head(&[("host", "Other.example:80")]), false).unwrap_err();
        assert!(said.contains("--name other.example"), "{said}");
    }

    #[test]
    fn the_host_that_a_proxy_names_is_checked_too() {
        let open = Hosts { is_open: false, names: vec!["play.lab.example".parse().unwrap()] };
        let is_allowed = |forwarded: &str, is_of_proxy| {
            allows(&open, &[("host", "127.0.0.1:8080"), ("x-forwarded-host", forwarded)], is_of_proxy)
        };
        assert!(is_allowed("play.lab.example", true) && is_allowed("elsewhere.example, play.lab.example", true));
        assert!(!is_allowed("elsewhere.example", true) && !is_allowed("play.lab.example, elsewhere.example", true));
        assert!(is_allowed("elsewhere.example", false), "nobody else is listened to");
    }

    #[test]
    fn names_of_hosts_have_nothing_around_them() {
        for text in ["http://play.example", "play.example:80", "play.example/x", "a b", "", "a@b", "*.example"] {
            let parsed = text.parse::<HostName>();
            assert!(parsed.as_ref().is_err_and(|why| why.contains("no name of a host")), "{text}: {parsed:?}");
        }
        assert_eq!("Play.Example.".parse(), Ok(HostName("play.example".to_owned())));
        assert_eq!("192.168.1.5".parse(), Ok(HostName("192.168.1.5".to_owned())));
    }

    #[test]
    fn the_last_address_is_that_which_the_proxy_saw() {
        let forwarded = |lines: &[&str]| {
            forwarded_for(&head(&lines.iter().map(|line| ("x-forwarded-for", *line)).collect::<Vec<_>>()))
        };
        let address = |text: &str| Ok(Some(text.parse().unwrap()));
        assert_eq!(forwarded(&[]), Ok(None));
        assert_eq!(forwarded(&["10.0.0.1"]), address("10.0.0.1"));
        assert_eq!(forwarded(&["1.2.3.4, 10.0.0.1"]), address("10.0.0.1"));
        assert_eq!(forwarded(&["1.2.3.4", "5.6.7.8,10.0.0.1:4711"]), address("10.0.0.1"));
        assert_eq!(forwarded(&["2001:db8::1"]), address("2001:db8::1"));
        assert_eq!(forwarded(&["[2001:db8::1]:80"]), address("2001:db8::1"));
        assert_eq!(forwarded(&["[2001:db8::1]"]), address("2001:db8::1"));
        assert_eq!(forwarded(&["::ffff:10.0.0.1"]), address("10.0.0.1"));
        for wrong in ["unknown", "10.0.0.1,", "10.0.0", ""] {
            assert!(forwarded(&[wrong]).is_err_and(|why| why.contains("no address")), "{wrong}");
        }
    }
}
