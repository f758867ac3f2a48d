//! The codes of all stages, with their explanations.

use crate::diag::Explained;
use crate::{cite, eval, link, math, parse, pipeline, project, prose, render, typeset};

/// Every code, sorted.
pub fn all() -> Vec<&'static Explained> {
    let tables = [
        cite::CODES,
        eval::CODES,
        link::CODES,
        math::CODES,
        parse::CODES,
        pipeline::CODES,
        project::CODES,
        prose::CODES,
        render::CODES,
        typeset::CODES,
    ];
    let mut all: Vec<_> = tables.into_iter().flatten().collect();
    all.sort_by_key(|it| it.code);
    all
}

/// The explanation of `code`.
///
/// # Errors
/// A message with the nearest code, when there is no such code.
pub fn text(code: &str) -> Result<&'static str, String> {
    let all = all();
    // As it stands in a message: `error[link-unknown-label]`.
    let code = code.split_once('[').map_or(code, |it| it.1.trim_end_matches([':', ']']));
    if let Some(found) = all.iter().find(|it| it.code.0 == code) {
        return Ok(found.text);
    }
    let near = link::nearest(code, all.iter().map(|it| it.code.0));
    Err(match near {
        Some(near) => format!("there is no code `{code}`; did you mean `{near}`?"),
        None => format!("there is no code `{code}`; `reckoner explain` lists all"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_distinct_and_explained() {
        let all = all();
        assert!(all.is_sorted_by(|a, b| a.code < b.code), "a code is listed twice");
        for explained in all {
            assert!(explained.text.len() > 60, "{} is not explained", explained.code.0);
        }
        assert!(text("link-unknown-lable").unwrap_err().contains("link-unknown-label"));
    }
}
