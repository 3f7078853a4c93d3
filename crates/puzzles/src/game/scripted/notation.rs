//! Notations of moves: what they may be, and the order in which people count them.

use std::cmp::Ordering;

/// The longest notation of a move, in characters.
pub(super) const MAX_NOTATION: usize = 100;

/// Checks the notation of a move; the fault is told of it.
pub(super) fn check_notation(notation: &str) -> Result<(), &'static str> {
    let fault = if notation.is_empty() {
        "is empty"
    } else if notation.trim() != notation {
        "has blanks around it"
    } else if notation.chars().any(char::is_control) {
        "has a line end or another control character in it"
    } else if notation.chars().count() > MAX_NOTATION {
        "is longer than 100 characters"
    } else {
        return Ok(());
    };
    Err(fault)
}

/// The order in which people count: `m2` comes before `m10`.
pub fn natural_order(first: &str, second: &str) -> Ordering {
    let (mut left, mut right) = (first, second);
    loop {
        let (left_digits, right_digits) = (digits(left), digits(right));
        let order = if left_digits.is_empty() || right_digits.is_empty() {
            let (mut left_rest, mut right_rest) = (left.chars(), right.chars());
            match (left_rest.next(), right_rest.next()) {
                (None, None) => return first.cmp(second),
                (left_letter, right_letter) => {
                    (left, right) = (left_rest.as_str(), right_rest.as_str());
                    left_letter.cmp(&right_letter)
                }
            }
        } else {
            (left, right) = (&left[left_digits.len()..], &right[right_digits.len()..]);
            let (left_number, right_number) =
                (left_digits.trim_start_matches('0'), right_digits.trim_start_matches('0'));
            left_number.len().cmp(&right_number.len()).then_with(|| left_number.cmp(right_number))
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

fn digits(text: &str) -> &str {
    &text[..text.bytes().take_while(u8::is_ascii_digit).count()]
}
