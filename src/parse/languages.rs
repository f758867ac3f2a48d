//! The language of the book to its tag, and to what is said of it.

use super::fields::Field;
use super::{checks, codes};
use crate::diag::Diagnostic;

/// Languages whose words the pages have; see `render`.
const WORDS: &[&str] = &["en"];

/// The languages that have a code of two letters (ISO 639-1), sorted.
const LANGUAGES: &str = "aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu";

/// The tag of the language, if it is one.
pub(super) fn language(field: Field<'_>, out: &mut Vec<Diagnostic>) -> Option<String> {
    let text = field.text(out)?;
    let place = field.place();
    let Some(primary) = primary(&text.value) else {
        let message = format!("`{}` is not the tag of a language", text.value);
        let near = checks::near(&text.value, LANGUAGES.split(' '));
        let near = near.map(|it| format!("; did you mean \"{it}\"?")).unwrap_or_default();
        let there = WORDS.join("`, `");
        let help = format!(
            "the words around the text are there in `{there}`; the text may be in any language, as \
             \"de\", \"pt-BR\" or \"zh-Hans\"{near}"
        );
        out.push(Diagnostic::error(codes::LANGUAGE, place, message).help(help));
        return None;
    };
    if !WORDS.contains(&&primary[..]) {
        let message = format!("the words around a text in `{primary}` are English");
        let help = "the text itself is marked and hyphenated as the language says";
        out.push(Diagnostic::warning(codes::LANGUAGE, place, message).help(help));
    }
    Some(text.value)
}

/// The language of a tag of BCP 47, in lower case: `pt` of `pt-BR`. Codes of three letters are too
/// many to list, so each is taken for one.
fn primary(tag: &str) -> Option<String> {
    let mut parts = tag.split('-');
    let primary = parts.next()?.to_ascii_lowercase();
    let letters = primary.bytes().all(|it| it.is_ascii_alphabetic());
    let known = match primary.len() {
        2 => LANGUAGES.split(' ').any(|it| it == primary),
        3 => letters,
        _ => false,
    };
    let is_part =
        |it: &str| (1..=8).contains(&it.len()) && it.bytes().all(|it| it.is_ascii_alphanumeric());
    (known && parts.all(is_part)).then_some(primary)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_told_from_words() {
        assert!(LANGUAGES.split(' ').is_sorted());
        for (tag, expected) in
            [("en", "en"), ("de-AT", "de"), ("zh-Hans-CN", "zh"), ("tlh", "tlh"), ("EN-us", "en")]
        {
            assert_eq!(primary(tag).as_deref(), Some(expected));
        }
        for tag in ["", "klingon", "english", "xx", "en_US", "en-", "de DE"] {
            assert_eq!(primary(tag), None, "{tag}");
        }
    }
}
