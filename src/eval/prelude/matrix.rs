//! Vectors and matrices of nalgebra to values.

use nalgebra::{Dim, Matrix, RawStorage};

use crate::{Show, Value};

/// A type that says by itself that it has one row or one column is a vector; every other matrix is
/// a matrix, also if it happens to have one row.
impl<T: Show, R: Dim, C: Dim, S: RawStorage<T, R, C>> Show for Matrix<T, R, C, S> {
    fn to_value(&self) -> Value {
        let (rows, columns) = self.shape();
        let is_vector = R::try_to_usize() == Some(1) || C::try_to_usize() == Some(1);
        if is_vector {
            let cell = |index| self[(index / columns, index % columns)].to_value();
            return Value::List((0..rows * columns).map(cell).collect());
        }
        let row = |i| Value::List((0..columns).map(|j| self[(i, j)].to_value()).collect());
        Value::List((0..rows).map(row).collect())
    }
}
