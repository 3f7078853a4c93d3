//! The words that a name is made of.

/// The words of a name, in small letters: `from_peg`, `Zug Nr.`, `fromPeg`.
pub(crate) fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for letter in name.chars() {
        if !letter.is_alphabetic() || (was_small && letter.is_uppercase()) {
            words.push(String::new());
        }
        if letter.is_alphabetic() {
            words.last_mut().expect("one").extend(letter.to_lowercase());
        }
        was_small = letter.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}
