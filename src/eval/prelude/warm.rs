//! The generic code of nalgebra that snippets use most.
//!
//! The compiler makes generic code where it is used with a type. What is made here, for real
//! matrices and vectors, need not be made again for every snippet.

use nalgebra::{DMatrix, DVector, RowDVector};
use reckoner_prelude::{Plot, Show};

type Matrix = DMatrix<f64>;
type Column = DVector<f64>;
type Row = RowDVector<f64>;

pub fn warm(n: usize) -> usize {
    let (a, x, r) = made(n);
    let mut count = products(&a, &x, &r) + sums(&a, &x) + updates(&a, &x, &r) + parts(&a, &x, &r);
    count += numbers(&a, &x, &r) + factors(&a, &x) + shown(&a, &x, &r);
    count
}

fn made(n: usize) -> (Matrix, Column, Row) {
    let a = Matrix::from_fn(n, n, |i, j| (i + j) as f64);
    let x = Column::from_fn(n, |i, _| i as f64);
    let r = Row::from_fn(n, |_, j| j as f64);
    let _ = (Matrix::zeros(n, n), Matrix::identity(n, n), Matrix::from_element(n, n, 1.0));
    let _ = (Matrix::from_row_slice(n, n, a.as_slice()), Matrix::from_diagonal(&x));
    let _ = (Matrix::from_column_slice(n, n, a.as_slice()), Matrix::from_vec(n, n, vec![0.0]));
    let _ = (Column::zeros(n), Column::from_vec(vec![0.0]), Row::from_vec(vec![0.0]));
    let _ = (Column::from_column_slice(x.as_slice()), Column::from_element(n, 1.0));
    let _ = (Column::from_iterator(n, x.iter().copied()), Row::from_row_slice(r.as_slice()));
    (a, x, r)
}

fn products(a: &Matrix, x: &Column, r: &Row) -> usize {
    let own = || (a.clone(), x.clone());
    let _ = (a * a, a * own().0, own().0 * a, own().0 * own().0);
    let _ = (a * x, a * own().1, own().0 * x, own().0 * own().1);
    let _ = (r * a, r * x, x * r, a * a.transpose(), a.transpose() * a, a.transpose() * x);
    let _ = (a * 2.0, own().0 * 2.0, a / 2.0, own().0 / 2.0, 2.0 * a, 2.0 * own().0);
    let _ = (x * 2.0, own().1 * 2.0, x / 2.0, own().1 / 2.0, 2.0 * x, 2.0 * own().1);
    let _ = (a.component_mul(a), a.component_div(a), x.component_mul(x), x.component_div(x));
    let n = a.nrows();
    let _ = (a.rows(0, n) * a.columns(0, n), a.columns(0, n) * a.rows(0, n));
    let _ = (a.row(0) * a, a * a.column(0), a.row(0).dot(&a.row(0)));
    n
}

fn sums(a: &Matrix, x: &Column) -> usize {
    let own = || (a.clone(), x.clone());
    let _ = (a + a, own().0 + own().0, a + own().0, own().0 + a, -a, -own().0);
    let _ = (a - a, own().0 - own().0, a - own().0, own().0 - a);
    let _ = (x + x, own().1 + own().1, x + own().1, own().1 + x, -x, -own().1);
    let _ = (x - x, own().1 - own().1, x - own().1, own().1 - x);
    a.nrows()
}

fn updates(a: &Matrix, x: &Column, r: &Row) -> usize {
    let mut c = a.clone();
    c += a;
    c -= a;
    c += a.clone();
    c -= a.clone();
    c *= 2.0;
    c /= 2.0;
    c.fill(0.0);
    c[(0, 0)] = c[0];
    c.set_row(0, r);
    c.set_column(0, x);
    c.swap_rows(0, 0);
    c.iter_mut().for_each(|it| *it += 1.0);
    let mut y = x.clone();
    y += x;
    y -= x;
    y *= 2.0;
    y /= 2.0;
    y[0] = 1.0;
    c.nrows() + y.nrows()
}

fn parts(a: &Matrix, x: &Column, r: &Row) -> usize {
    let n = a.nrows();
    let _ = (a.transpose(), x.transpose(), r.transpose(), a.diagonal());
    let _ = (a.row(0).into_owned(), a.column(0).into_owned(), a.view((0, 0), (n, n)).into_owned());
    let _ = (a.rows(0, n).into_owned(), a.columns(0, n).into_owned(), x.rows(0, n).into_owned());
    let _ = (a.map(f64::sqrt), x.map(f64::sqrt), a.abs(), x.abs());
    let _ = (a.row_sum(), a.column_sum(), a.row_mean(), a.column_mean());
    let _ = (a.clone() == *a, x.clone() == *x, a.is_square(), a.shape());
    a.row_iter().count() + a.column_iter().count()
}

fn numbers(a: &Matrix, x: &Column, r: &Row) -> usize {
    let _ = (a.norm(), x.norm(), x.norm_squared(), x.dot(x), a.dot(a), r.dot(r), r.norm());
    let _ = (a.sum(), x.sum(), a.trace(), a.mean(), x.mean(), a.row(0).sum(), a.column(0).sum());
    let _ = (a.amax(), x.amax(), a.max(), a.min(), x.max(), x.min(), x.normalize());
    let _ = (a.iter().sum::<f64>(), x.iter().sum::<f64>(), a.row(0).iter().sum::<f64>());
    a.nrows()
}

fn factors(a: &Matrix, x: &Column) -> usize {
    let svd = a.clone().svd(true, true);
    let _ = (svd.recompose(), a.singular_values(), a.rank(1e-9));
    let qr = a.clone().qr();
    let _ = (qr.q(), qr.r(), qr.solve(x));
    let lu = a.clone().lu();
    let _ = (lu.solve(x), lu.solve(a), lu.determinant(), lu.l(), lu.u());
    let _ = (a.determinant(), a.clone().try_inverse());
    let cholesky = a.clone().cholesky().map(|it| (it.l(), it.solve(x), it.inverse()));
    let eigen = a.clone().symmetric_eigen();
    let _ = (eigen.recompose(), a.symmetric_eigenvalues());
    usize::from(cholesky.is_some())
}

fn shown(a: &Matrix, x: &Column, r: &Row) -> usize {
    let values = [a.to_value(), x.to_value(), r.to_value(), a.transpose().to_value()];
    let parts = [a.row(0).to_value(), a.column(0).to_value(), a.rows(0, 1).to_value()];
    let list = [vec![1.0].to_value(), vec![1usize].to_value(), vec![vec![1.0]].to_value()];
    let points: Vec<(f64, f64)> = vec![(1.0, 1.0)];
    let plot = Plot::new("").line("", points.clone()).scatter("", points).heat(a);
    let text = format!("{a:?}{x:?}{a}{x}{plot:?}");
    text.len() + values.len() + parts.len() + list.len()
}
