//! Values with their derivatives.

/// A value with its derivatives by M parameters.
#[derive(Clone, Copy)]
pub struct Jet<const M: usize> {
    pub value: f64,
    pub first: [f64; M],
    pub second: [[f64; M]; M],
}

/// A term that depends on no parameter.
pub(super) fn constant<const M: usize>(value: f64) -> Jet<M> {
    Jet { value, first: [0.0; M], second: [[0.0; M]; M] }
}
