//! Names of commands to whether they are Greek letters.

/// The Greek letters of TeX, sorted.
const LETTERS: &[&str] = &[
    "Delta",
    "Gamma",
    "Lambda",
    "Omega",
    "Phi",
    "Pi",
    "Psi",
    "Sigma",
    "Theta",
    "Upsilon",
    "Xi",
    "alpha",
    "beta",
    "chi",
    "delta",
    "epsilon",
    "eta",
    "gamma",
    "iota",
    "kappa",
    "lambda",
    "mu",
    "nu",
    "omega",
    "omicron",
    "phi",
    "pi",
    "psi",
    "rho",
    "sigma",
    "tau",
    "theta",
    "upsilon",
    "varepsilon",
    "varkappa",
    "varphi",
    "varpi",
    "varrho",
    "varsigma",
    "vartheta",
    "xi",
    "zeta",
];

/// Whether `name`, without its backslash, is the command of a Greek letter.
pub fn is_greek(name: &str) -> bool {
    LETTERS.binary_search(&name).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_sorted() {
        assert!(LETTERS.is_sorted());
        assert!(is_greek("varepsilon") && !is_greek("log"));
    }
}
