//! A column as expressions name it.

/// A column as expressions name it.
pub(crate) fn quoted(column: &str) -> String {
    let is_word = column.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
        && column.chars().next().is_some_and(|letter| letter.is_alphabetic());
    if is_word { column.to_owned() } else { format!("`{column}`") }
}
