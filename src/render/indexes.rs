//! The index to the pages of the whole book: formulas, notation, bibliography, contents.

use std::collections::BTreeMap;

use super::views::{self, Letter, Letters};
use super::writer::Writer;
use super::{Drawn, Page, Whole, course, preview, theme};
use crate::diag::Checked;
use crate::html::Html;
use crate::link::{FormulaEntry, Links, SymbolEntry, Target, WorkEntry, alphabetical};
use crate::math::Facts;
use crate::source::FileId;

/// Renders one page of the whole book.
type Render = fn(&Whole<'_>) -> Checked<Page>;

/// The pages of the whole book.
pub(super) const PAGES: &[(&str, Render)] = &[
    ("404.html", missing),
    ("bibliography.html", bibliography),
    ("contents.html", contents),
    ("formulas.html", formulas),
    ("index.html", course::home),
    ("symbols.html", symbols),
];

/// Renders the page at `path` by a function that fills its template.
pub(super) fn with_writer(
    whole: &Whole<'_>,
    path: &'static str,
    fill: impl FnOnce(&mut Writer<'_>) -> String,
) -> Checked<Page> {
    let links = Links { page: path.to_owned(), ..Links::default() };
    let mut writer = Writer::new(whole.frame, whole.outputs, &links, path);
    let html = fill(&mut writer);
    let Writer { diagnostics, styles, drawn, previews, .. } = writer;
    let html = html.into();
    Checked { value: Page { path: path.to_owned(), html, styles, drawn, previews }, diagnostics }
}

fn missing(whole: &Whole<'_>) -> Checked<Page> {
    with_writer(whole, "404.html", |writer| {
        let view = views::Missing { base: writer.base(writer.words.missing, "") };
        let theme = &writer.frame.theme;
        theme::fill(theme, "404.html", &view, &Html::new(), &mut writer.diagnostics)
    })
}

fn contents(whole: &Whole<'_>) -> Checked<Page> {
    with_writer(whole, "contents.html", |writer| {
        let tree = writer.apart(|it| it.tree(&whole.index.contents, true));
        let base = writer.base(writer.words.contents, "");
        let view = views::Contents { base, contents: tree.as_str().to_owned() };
        theme::fill(&writer.frame.theme, "contents.html", &view, &tree, &mut writer.diagnostics)
    })
}

fn bibliography(whole: &Whole<'_>) -> Checked<Page> {
    with_writer(whole, "bibliography.html", |writer| {
        let row = |it: &WorkEntry| views::WorkRow {
            anchor: format!("cite:{}", it.key),
            entry: writer.apart(|writer| writer.work_entry(&it.work.entry)).into_string(),
            chapters: list(writer, &it.chapters),
        };
        let works = whole.index.works.iter().map(row).collect();
        let base = writer.base(writer.words.bibliography, writer.words.bibliography_lead);
        let view = views::Bibliography { base, works };
        let theme = &writer.frame.theme;
        theme::fill(theme, "bibliography.html", &view, &Html::new(), &mut writer.diagnostics)
    })
}

/// HTML: links to `targets`.
fn list(writer: &mut Writer<'_>, targets: &[Target]) -> String {
    let targets: Vec<&Target> = targets.iter().collect();
    writer.apart(|it| it.users(&targets)).into_string()
}

fn symbols(whole: &Whole<'_>) -> Checked<Page> {
    with_writer(whole, "symbols.html", |writer| {
        let symbols = whole.index.symbols.iter().map(|it| symbol(writer, whole, it)).collect();
        let base = writer.base(writer.words.notation, writer.words.notation_lead);
        let view = views::Symbols { base, symbols };
        let theme = &writer.frame.theme;
        theme::fill(theme, "symbols.html", &view, &Html::new(), &mut writer.diagnostics)
    })
}

fn symbol(writer: &mut Writer<'_>, whole: &Whole<'_>, entry: &SymbolEntry) -> views::SymbolRow {
    // The index has the symbol without its place; a mistake in it is reported where it stands.
    let notation = &whole.frame.book.notation;
    let here = notation.iter().find(|it| it.key == entry.symbol.key).unwrap_or(&entry.symbol);
    writer.file = Some(FileId::new("notation.toml"));
    let row = views::SymbolRow {
        anchor: format!("sym:{}", here.key),
        symbol: writer.apart(|it| it.math(&here.tex)).into_string(),
        meaning: writer.apart(|it| it.inlines(&here.meaning)).into_string(),
        shape: writer.apart(|it| it.inlines(&here.shape)).into_string(),
        scope: here.scope.clone(),
        formulas: list(writer, &entry.formulas),
    };
    writer.file = None;
    keep_symbol(writer, &row);
    row
}

/// Keeps what links to a symbol show: the symbol, its meaning, its shape and where it has them.
fn keep_symbol(writer: &mut Writer<'_>, row: &views::SymbolRow) {
    let scope = match &row.scope[..] {
        "" | "all" => String::new(),
        scope => format!("{} {scope}", writer.words.chapters),
    };
    let mut body = Html::new();
    body.markup("<p>").html(&Html::trusted(preview::bare(&row.meaning)));
    if !row.shape.is_empty() {
        let shape = Html::trusted(preview::bare(&row.shape));
        body.markup(" <span class=\"shape\">").html(&shape).markup("</span>");
    }
    if !scope.is_empty() {
        body.markup(" <span class=\"scope\">").text(&scope).markup("</span>");
    }
    body.markup("</p>\n");
    writer.keep_html(&row.anchor, &Html::trusted(row.symbol.clone()), body.as_str());
}

fn formulas(whole: &Whole<'_>) -> Checked<Page> {
    with_writer(whole, "formulas.html", |writer| {
        let mut chapters: Vec<views::FormulaChapter> = Vec::new();
        let mut last: Option<&Target> = None;
        for entry in &whole.index.formulas {
            if last != Some(&entry.chapter) {
                let link = writer.link_to(&entry.chapter);
                chapters.push(views::FormulaChapter { link, formulas: Vec::new() });
                last = Some(&entry.chapter);
            }
            let formula = formula(writer, whole, entry);
            chapters.last_mut().expect("the first entry starts a chapter").formulas.push(formula);
        }
        let base = writer.base(writer.words.formula_index, writer.words.formulas_lead);
        let letters = letters(writer, &whole.index.formulas, &chapters);
        let count = whole.index.formulas.len();
        let view = views::Formulas { base, chapters, letters, count };
        let theme = &writer.frame.theme;
        theme::fill(theme, "formulas.html", &view, &Html::new(), &mut writer.diagnostics)
    })
}

fn formula(writer: &mut Writer<'_>, whole: &Whole<'_>, entry: &FormulaEntry) -> views::Formula {
    let label = entry.target.label.as_ref().map_or("", |it| &it.0);
    views::Formula {
        link: writer.link_to(&entry.target),
        anchor: format!("f:{label}"),
        words: words(writer, whole, entry),
        formula: displayed(writer, whole, entry),
        symbols: symbols_of(writer, whole, entry),
        snippets: list(writer, &entry.snippets),
        uses: list(writer, &entry.uses),
        used_by: list(writer, &entry.used_by),
    }
}

/// What the filter looks at.
fn words(writer: &mut Writer<'_>, whole: &Whole<'_>, entry: &FormulaEntry) -> String {
    let name = writer.plain(&entry.target.title);
    let label = entry.target.label.as_ref().map_or("", |it| &it.0);
    let symbols = entry.symbols.join(" ");
    let plain = match drawn(whole, entry) {
        Some(drawn) => drawn.plain.clone(),
        None => writer.math_plain(&entry.formula.tex),
    };
    let number = &entry.target.number;
    format!("{name} {number} {label} {symbols} {plain}").to_lowercase()
}

/// What the chapter of a formula has drawn.
fn drawn<'a>(whole: &Whole<'a>, entry: &FormulaEntry) -> Option<&'a Drawn> {
    whole.drawn.get(entry.target.label.as_ref()?).copied()
}

/// The formula with its numbers, as it stands in its chapter.
fn displayed(writer: &mut Writer<'_>, whole: &Whole<'_>, entry: &FormulaEntry) -> String {
    let name = match &entry.target.number[..] {
        "" => writer.words.formula.to_owned(),
        number => format!("{} {number}", writer.words.formula),
    };
    let here;
    let html = match drawn(whole, entry) {
        Some(drawn) => &drawn.html,
        None => {
            here = drawn_here(writer, entry);
            &here
        }
    };
    let shown = writer.apart(|it| {
        it.scroll(&name, |it| {
            it.out.html(html);
        });
    });
    shown.into_string()
}

/// The formula with addresses as seen from this page.
fn drawn_here(writer: &mut Writer<'_>, entry: &FormulaEntry) -> Html {
    let mut facts = Facts { tags: entry.tags.clone(), ..Facts::default() };
    for (label, target) in &entry.mentions {
        let there = (target.number.clone(), writer.href(&target.href()));
        facts.targets.insert(label.clone(), there);
    }
    facts.values = crate::eval::values(&entry.formula.tex, writer.outputs);
    writer.rendered(&entry.formula, &facts)
}

/// HTML: the symbols of a formula, each a link to the notation index.
fn symbols_of(writer: &mut Writer<'_>, whole: &Whole<'_>, entry: &FormulaEntry) -> String {
    let notation = &whole.frame.book.notation;
    let known = entry.symbols.iter().filter_map(|key| notation.iter().find(|it| it.key == *key));
    let html = writer.apart(|it| {
        for (index, symbol) in known.enumerate() {
            it.out.markup(if index > 0 { ", " } else { "" });
            it.symbol_link(symbol);
        }
    });
    html.into_string()
}

/// The named formulas by letter.
fn letters(
    writer: &mut Writer<'_>,
    formulas: &[FormulaEntry],
    chapters: &[views::FormulaChapter],
) -> Vec<Letter> {
    let words = chapters.iter().flat_map(|it| &it.formulas).map(|it| &it.words);
    let named = formulas.iter().zip(words).filter(|it| !it.0.target.title.is_empty());
    let mut named: Vec<(&FormulaEntry, &String)> = named.collect();
    named.sort_by_cached_key(|it| alphabetical(it.0));
    let mut letters: BTreeMap<String, Vec<Letters>> = BTreeMap::new();
    for (entry, words) in named {
        let name = writer.plain(&entry.target.title);
        let first = name.chars().find(|it| it.is_alphabetic());
        let letter = first.map_or_else(|| "#".into(), |it| it.to_uppercase().to_string());
        let line = Letters { link: writer.link_to(&entry.target), words: words.clone() };
        letters.entry(letter).or_default().push(line);
    }
    letters.into_iter().map(|(letter, formulas)| Letter { letter, formulas }).collect()
}

#[cfg(test)]
mod tests {
    use super::PAGES;

    #[test]
    fn no_chapter_may_have_the_name_of_a_page() {
        let mut known: Vec<String> =
            crate::ir::PAGES.iter().map(|it| format!("{it}.html")).collect();
        known.push("index.html".to_owned());
        known.sort();
        assert_eq!(known, PAGES.iter().map(|it| it.0).collect::<Vec<_>>());
    }
}
