//! Products of the habits of a move.

/// 1, two habits, and their products.
pub type Products = [f64; 8];

/// The products of habits: 1, each of them, and the lower triangle of their products by rows.
pub fn products(habits: &[f64]) -> Products {
    let mut products = [0.0; 8];
    let second =
        habits.iter().enumerate().flat_map(|(row, habit)| habits[..=row].iter().map(move |other| habit * other));
    let all = [1.0].into_iter().chain(habits.iter().copied()).chain(second);
    products.iter_mut().zip(all).for_each(|(product, value)| *product = value);
    products
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_of_habits_are_the_lower_triangle() {
        assert_eq!(products(&[-1.0, 1.0]), [1.0, -1.0, 1.0, 1.0, -1.0, 1.0, 0.0, 0.0]);
        assert_eq!(products(&[-1.0])[..4], [1.0, -1.0, 1.0, 0.0]);
    }
}
