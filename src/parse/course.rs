//! `outline.toml` and `labels.toml` to the course and the labels that are planned.

use super::fields::{self, Field, Fields};
use super::{codes, fragment};
use crate::diag::Diagnostic;
use crate::ir::{Course, Label, Module, Planned};
use crate::math::{Formula, Style};
use crate::source::{Source, Span};

/// Fields of a module.
const MODULE: &[&str] = &[
    "description",
    "example_formula",
    "example_pipeline",
    "id",
    "lesson",
    "minutes",
    "number",
    "title",
    "topics",
];

/// Reads the course outline.
pub(super) fn course(source: &Source, out: &mut Vec<Diagnostic>) -> Course {
    let whole = 0..source.text.len();
    fields::read(source, whole, codes::TOML, out, |fields, out| {
        let mut course = Course::default();
        for field in fields.all() {
            match field.key {
                "course" => {
                    for fact in field.table(out).iter().flat_map(Fields::all) {
                        if let Some(text) = fact.fact(out) {
                            course.facts.insert(fact.key.to_string(), text);
                        }
                    }
                }
                "module" => {
                    let tables = field.tables(out);
                    course.modules = tables.iter().map(|it| module(it, out)).collect();
                }
                _ => field.unknown(&["course", "module"], codes::BOOK_FIELD, out),
            }
        }
        course
    })
}

fn module(fields: &Fields<'_>, out: &mut Vec<Diagnostic>) -> Module {
    let mut module = Module {
        number: 0,
        title: String::new(),
        lesson: String::new(),
        id: String::new(),
        minutes: 0,
        description: String::new(),
        topics: Vec::new(),
        example: Formula { tex: String::new(), style: Style::Inline, span: Span::NONE },
        pipeline: Vec::new(),
    };
    let text = |field: Field<'_>, out: &mut Vec<Diagnostic>| {
        field.text(out).map(|it| it.value).unwrap_or_default()
    };
    for field in fields.all() {
        match field.key {
            "number" => module.number = field.number(out).unwrap_or_default(),
            "title" => module.title = text(field, out),
            "lesson" => module.lesson = text(field, out),
            "id" => module.id = text(field, out),
            "minutes" => module.minutes = field.number(out).unwrap_or_default(),
            "description" => module.description = text(field, out),
            "topics" => module.topics = field.texts(out).into_iter().map(|it| it.value).collect(),
            "example_formula" => module.example = formula(field, out),
            "example_pipeline" => {
                module.pipeline = field.texts(out).into_iter().map(|it| it.value).collect();
            }
            _ => field.unknown(MODULE, codes::BOOK_FIELD, out),
        }
    }
    for key in ["number", "title", "id", "topics"] {
        if !fields.has(key) {
            fields.missing(key, out);
        }
    }
    module
}

/// A formula that is the value of a field.
pub(super) fn formula(field: Field<'_>, out: &mut Vec<Diagnostic>) -> Formula {
    let tex = field.tex(out).map(|it| it.value).unwrap_or_default();
    let span = match field.base() {
        fragment::Base::At(span) | fragment::Base::Whole(span) => span,
    };
    Formula { tex, style: Style::Inline, span }
}

/// Reads the labels of chapters, by chapter.
pub(super) fn planned(source: &Source, out: &mut Vec<Diagnostic>) -> Vec<Planned> {
    let whole = 0..source.text.len();
    fields::read(source, whole, codes::TOML, out, |fields, out| {
        let mut planned = Vec::new();
        for chapter in fields.all() {
            let Some(table) = chapter.table(out) else { continue };
            for field in table.all() {
                planned.push(Planned {
                    label: Label(field.key.to_string()),
                    name: field.inline(out),
                    chapter: chapter.key.to_string(),
                    span: field.key_span,
                });
            }
        }
        planned
    })
}
