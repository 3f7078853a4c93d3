//! The operator `..` of a script, made to tell what it makes.
//!
//! No hook and no metamethod sees how long a text is that two texts are joined to. So a guard is joined to the left
//! of each chain: `a .. b .. c` becomes `GUARD.. a .. b .. c`. As `..` groups to the right, Lua joins the texts as it
//! always does, and then hands the result to the guard's `__concat`, which gives it back, or fails. Lines and what
//! Lua says of operands stay as they are.

/// By this name a script sees the guard. A script that uses it is refused.
pub(super) const GUARD: &str = "plymap_joined";

/// Token of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    Name,
    /// A number or text.
    Literal,
    Opening,
    Closing,
    Join,
    /// An operator that holds its operands together more tightly than `..` does.
    Tight,
    /// End of an operand of `..`: other operators, separators, keywords.
    Boundary,
}

/// The script with guarded chains; absent if it uses the name of the guard. Its text has to be Lua.
pub(super) fn guarded(script: &str) -> Option<String> {
    let mut guarded = String::with_capacity(script.len() + script.len() / 8);
    let mut n_copied = 0;
    // For each open bracket: where the present operand begins, and whether its chain has a guard.
    let mut chains: Vec<(Option<usize>, bool)> = vec![(None, false)];
    let mut follows_operand = false;
    let mut rest = Tokens { script: script.as_bytes(), at: 0 };
    let mut begins = Vec::new();
    while let Some((start, token)) = rest.next_token() {
        let text = &script[start..rest.at];
        if text == GUARD {
            return None;
        }
        let token = match (token, text) {
            // Between operands `~` is looser than `..`, before one it is tighter.
            (Token::Boundary, "~") if !follows_operand => Token::Tight,
            (Token::Name, keyword) if ends_operand(keyword) => Token::Boundary,
            (other, _) => other,
        };
        let chain = chains.last_mut()?;
        if !matches!(token, Token::Boundary | Token::Closing) {
            chain.0 = chain.0.or(Some(start));
        }
        match token {
            Token::Boundary => *chain = (None, false),
            Token::Join if !chain.1 => {
                chain.1 = true;
                begins.extend(chain.0);
            }
            Token::Opening => chains.push((None, false)),
            Token::Closing if chains.len() > 1 => drop(chains.pop()),
            _ => {}
        }
        let is_operator = matches!(text, "not" | "function");
        follows_operand = matches!(token, Token::Name | Token::Literal | Token::Closing) && !is_operator
            || matches!(text, "end" | "...");
    }
    // A chain in brackets ends before the one around it.
    begins.sort_unstable();
    for begin in begins {
        guarded.push_str(&script[n_copied..begin]);
        guarded.push_str(GUARD);
        guarded.push_str(".. ");
        n_copied = begin;
    }
    guarded.push_str(&script[n_copied..]);
    Some(guarded)
}

/// `true` if no operand of `..` reaches over this keyword.
fn ends_operand(keyword: &str) -> bool {
    matches!(
        keyword,
        "and"
            | "break"
            | "do"
            | "else"
            | "elseif"
            | "end"
            | "for"
            | "goto"
            | "if"
            | "in"
            | "local"
            | "or"
            | "repeat"
            | "return"
            | "then"
            | "until"
            | "while"
    )
}

/// The tokens of a script (Lua 5.4 reference manual, section 3.1).
struct Tokens<'a> {
    script: &'a [u8],
    at: usize,
}

impl Tokens<'_> {
    /// The next token with the byte at which it begins; it ends at `at`.
    fn next_token(&mut self) -> Option<(usize, Token)> {
        self.skip_blanks();
        let start = self.at;
        let byte = self.byte(0)?;
        self.at += 1;
        let token = match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                self.skip_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
                Token::Name
            }
            b'0'..=b'9' => self.number(start),
            b'.' if self.byte(0).is_some_and(|digit| digit.is_ascii_digit()) => self.number(start),
            b'"' | b'\'' => {
                while let Some(next) = self.byte(0).filter(|&next| next != byte) {
                    self.at += 1 + usize::from(next == b'\\');
                }
                self.at += 1;
                Token::Literal
            }
            b'[' if self.skip_long() => Token::Literal,
            b'(' | b'[' | b'{' => Token::Opening,
            b')' | b']' | b'}' => Token::Closing,
            b'.' if self.skip(b".") => {
                if self.skip(b".") {
                    Token::Literal
                } else {
                    Token::Join
                }
            }
            b'/' => {
                self.skip(b"/");
                Token::Tight
            }
            b'.' | b'+' | b'-' | b'*' | b'%' | b'^' | b'#' => Token::Tight,
            b':' if !self.skip(b":") => Token::Tight,
            b'<' | b'>' | b'=' | b'~' => {
                let _ = self.skip(b"=") || (matches!(byte, b'<' | b'>') && self.skip(&[byte]));
                Token::Boundary
            }
            _ => Token::Boundary,
        };
        self.at = self.at.min(self.script.len());
        Some((start, token))
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.script.get(self.at + ahead).copied()
    }

    fn skip(&mut self, bytes: &[u8]) -> bool {
        let is_there = self.script[self.at.min(self.script.len())..].starts_with(bytes);
        self.at += if is_there { bytes.len() } else { 0 };
        is_there
    }

    fn skip_while(&mut self, belongs: impl Fn(u8) -> bool) {
        while self.byte(0).is_some_and(&belongs) {
            self.at += 1;
        }
    }

    /// Skips blanks and comments.
    fn skip_blanks(&mut self) {
        loop {
            self.skip_while(|byte| byte.is_ascii_whitespace() || byte == 0x0b);
            if !self.skip(b"--") {
                return;
            }
            let is_long = self.skip(b"[") && self.skip_long();
            if !is_long {
                self.skip_while(|byte| byte != b'\n' && byte != b'\r');
            }
        }
    }

    /// Skips a long text or comment, whose first bracket was read; false if it is none.
    fn skip_long(&mut self) -> bool {
        let level = self.script[self.at..].iter().take_while(|&&byte| byte == b'=').count();
        if self.byte(level) != Some(b'[') {
            return false;
        }
        let end: Vec<u8> = [b"]".as_slice(), &vec![b'='; level], b"]"].concat();
        self.at += level + 1;
        let length = self.script[self.at..].windows(end.len()).position(|window| window == end);
        self.at = length.map_or(self.script.len(), |length| self.at + length + end.len());
        true
    }

    fn number(&mut self, start: usize) -> Token {
        let is_hexadecimal = matches!(self.script[start..], [b'0', b'x' | b'X', ..]);
        let exponent = if is_hexadecimal { b'p' } else { b'e' };
        while let Some(byte) = self.byte(0).filter(|&byte| byte.is_ascii_alphanumeric() || byte == b'.') {
            let is_signed = byte.eq_ignore_ascii_case(&exponent) && matches!(self.byte(1), Some(b'+' | b'-'));
            self.at += 1 + usize::from(is_signed);
        }
        Token::Literal
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(script: &str) -> String {
        guarded(script).map_or("refused".to_owned(), |guarded| guarded.replace(&format!("{GUARD}.. "), "@.. "))
    }

    #[test]
    fn each_chain_has_one_guard_on_its_left() {
        for (script, expected) in [
            ("return a .. b", "return @.. a .. b"),
            ("x = a..b..c", "x = @.. a..b..c"),
            ("x = a + 1 .. b", "x = @.. a + 1 .. b"),
            ("x = not a .. b", "x = @.. not a .. b"),
            ("x = a or b .. c", "x = a or @.. b .. c"),
            ("x = a .. b == c .. d", "x = @.. a .. b == @.. c .. d"),
            ("x = a << b .. c", "x = a << @.. b .. c"),
            ("x = a ~ b .. c", "x = a ~ @.. b .. c"),
            ("x = ~b .. c", "x = @.. ~b .. c"),
            ("x = a ~= b .. c", "x = a ~= @.. b .. c"),
            ("f(a .. b, c)[d .. e] = g .. h", "f(@.. a .. b, c)[@.. d .. e] = @.. g .. h"),
            ("x = f(a .. b).c:d('e') .. g", "x = @.. f(@.. a .. b).c:d('e') .. g"),
            ("x = {a .. b; k = c .. d, [e] = 1}", "x = {@.. a .. b; k = @.. c .. d, [e] = 1}"),
            ("if a .. b then x = c .. d end", "if @.. a .. b then x = @.. c .. d end"),
            ("x = function() return a .. b end y = c .. d", "x = function() return @.. a .. b end y = @.. c .. d"),
            ("local x <const> = 1 .. 2", "local x <const> = @.. 1 .. 2"),
            ("x = ... .. .5 .. 0x.8p-1", "x = @.. ... .. .5 .. 0x.8p-1"),
            (
                "x = 'a\\'..' .. \"..\\\\\" .. [[..]] .. [==[ ]] .. ]==]",
                "x = @.. 'a\\'..' .. \"..\\\\\" .. [[..]] .. [==[ ]] .. ]==]",
            ),
            (
                "-- a .. b\nx = 1 --[[ .. ]] .. 2 --[=[ ]] .. ]=]",
                "-- a .. b\nx = @.. 1 --[[ .. ]] .. 2 --[=[ ]] .. ]=]",
            ),
            ("x = a // b .. c % d ^ -e", "x = @.. a // b .. c % d ^ -e"),
            ("goto out ::out:: x = a .. b", "goto out ::out:: x = @.. a .. b"),
            ("x = 'plymap_joined'", "x = 'plymap_joined'"),
            ("plymap_joined = ''", "refused"),
        ] {
            assert_eq!(shown(script), expected, "{script}");
        }
    }

    /// With a guard that does nothing, expressions mean what they meant.
    #[test]
    fn guards_change_no_value() {
        let (plain, watched) = (mlua::Lua::new(), mlua::Lua::new());
        let setup = "a, b, c, n, t = 'one', 'two', 'three', 7, { k = 'four', f = function(x) return x or '' end, g = function() return '8' end }";
        plain.load(setup).exec().unwrap();
        watched.load(setup).exec().unwrap();
        let guard = format!(
            "n_seen = 0 {GUARD} = setmetatable({{}}, {{ __concat = function(_, text) n_seen = n_seen + 1 return text end }})"
        );
        watched.load(guard).exec().unwrap();
        let operands = [
            "a", "b", "n", "-n", "~n", "#b", "not n", "t.k", "t.f(c)", "t.f'x'", "t:g()", "(a .. b)", "1.5", "'..'",
            "[[..]]",
        ];
        let operators = [
            " .. ", "..", " + ", " - ", " * ", " // ", " ^ ", " | ", " & ", " ~ ", " << ", " == ", " < ", " and ",
            " or ",
        ];
        let mut seed = 1u64;
        let mut draw = |n: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % n
        };
        let mut n_values = 0;
        for _ in 0..40_000 {
            let mut expression = operands[draw(operands.len())].to_owned();
            for _ in 0..1 + draw(5) {
                // Half of the operators are joins.
                let operator = operators[if draw(2) == 0 { 0 } else { draw(operators.len()) }];
                expression = format!("{expression}{operator}{}", operands[draw(operands.len())]);
            }
            let script = format!("return tostring({expression})");
            // A number directly before `..` is malformed.
            if plain.load(&script).into_function().is_err() {
                continue;
            }
            let value = plain.load(&script).eval::<String>();
            let guarded_value = watched.load(guarded(&script).unwrap()).eval::<String>();
            match (value, guarded_value) {
                (Ok(value), Ok(guarded_value)) => {
                    assert_eq!(guarded_value, value, "{expression}");
                    n_values += 1;
                }
                (Err(_), Err(_)) => {}
                (value, guarded_value) => panic!("{expression}: {value:?}, with guards {guarded_value:?}"),
            }
        }
        let n_seen: usize = watched.globals().get("n_seen").unwrap();
        assert!(n_values > 5_000 && n_seen > n_values, "{n_values} {n_seen}");
    }
}
