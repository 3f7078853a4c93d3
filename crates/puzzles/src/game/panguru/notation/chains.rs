//! Lines as a level writes them: `0-1-3, 0-2` has two, and any two plates of one line are joined.

use std::ops::Range;

use crate::diagnostic::Diagnostic;
use crate::level::Origin;

/// The plates of one line, each with the bytes of the level's text that hold it.
pub(super) type Chain = Vec<(usize, Range<usize>)>;

/// Reads lines from the value of a setting, which begins at byte `start` of the level's text.
pub(super) fn read(value: &str, start: usize, origin: &Origin) -> (Vec<Chain>, Vec<Diagnostic>) {
    let (tokens, mut faults) = tokens(value.split('#').next().unwrap_or(""), start, origin);
    let mut chains: Vec<Chain> = Vec::new();
    // Whether the next number goes on with the line before it: after a dash.
    let mut dash: Option<Range<usize>> = None;
    let mut can_go_on = false;
    for (token, span) in tokens {
        match (token, dash.take()) {
            (Token::Plate(plate), None) => chains.push(vec![(plate, span)]),
            (Token::Plate(plate), Some(_)) => {
                chains.last_mut().into_iter().for_each(|chain| chain.push((plate, span.clone())))
            }
            (Token::Dash, None) if can_go_on => {
                dash = Some(span);
                can_go_on = false;
                continue;
            }
            (Token::Dash, _) => faults.push(misplaced_dash(origin, span)),
            (Token::End, Some(dash)) => faults.push(misplaced_dash(origin, dash)),
            (Token::End, None) => {}
        }
        can_go_on = matches!(token, Token::Plate(_));
    }
    if faults.is_empty() {
        chains.iter().for_each(|chain| faults.extend(faults_of(chain, origin)));
    }
    (chains, faults)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Token {
    Plate(usize),
    Dash,
    /// A comma or semicolon, or the end.
    End,
}

/// The numbers, dashes and commas of a text.
fn tokens(text: &str, start: usize, origin: &Origin) -> (Vec<(Token, Range<usize>)>, Vec<Diagnostic>) {
    let mut tokens = Vec::new();
    let mut faults = Vec::new();
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let n_digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let length = n_digits.max(character.len_utf8());
        let at = start + text.len() - rest.len();
        let span = at..at + length;
        match character {
            // A number too large to be read is no plate of any level either.
            '0'..='9' => tokens.push((Token::Plate(rest[..n_digits].parse().unwrap_or(usize::MAX)), span)),
            '-' | '\u{2013}' | '\u{2014}' | '\u{2212}' => tokens.push((Token::Dash, span)),
            ',' | ';' => tokens.push((Token::End, span)),
            white if white.is_whitespace() => {}
            other => {
                let fault = origin.error("bad-line", span, format!("{other:?} is no part of a line"));
                faults.push(fault.labelled("not understood").with_help(HELP));
            }
        }
        rest = &rest[length..];
    }
    let end = start + text.len();
    tokens.push((Token::End, end..end));
    (tokens, faults)
}

const HELP: &str =
    "write the numbers of plates with - between them, and commas between lines, as in `lines: 0-1-3, 0-2`";

fn misplaced_dash(origin: &Origin, span: Range<usize>) -> Diagnostic {
    let message = "a dash stands between the numbers of two plates, and one of them is missing";
    origin.error("bad-line", span, message).labelled("a plate is missing").with_help(HELP)
}

fn faults_of(chain: &Chain, origin: &Origin) -> Vec<Diagnostic> {
    let mut faults = Vec::new();
    if let [(plate, span)] = chain.as_slice() {
        let fault = origin.error("short-line", span.clone(), format!("the line {plate} has only one plate"));
        faults.push(fault.labelled("joins nothing").with_help(HELP));
    }
    for (at, (plate, span)) in chain.iter().enumerate() {
        if chain[..at].iter().any(|(other, _)| other == plate) {
            let fault = origin.error("repeated-plate", span.clone(), format!("the line has the plate {plate} twice"));
            faults.push(fault.labelled("already on this line").with_help("name each plate of a line once"));
        }
    }
    faults
}
