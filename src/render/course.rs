//! The home page: what the book is, and for a course its modules with what covers each topic.

use super::theme;
use super::views::{self, Link, Sample};
use super::writer::Writer;
use super::{Page, Whole, indexes};
use crate::diag::Checked;
use crate::ir::Module;
use crate::link::ModuleEntry;
use crate::source::FileId;

/// So many formulas show what the book is like.
const SAMPLES: usize = 3;

/// Renders the home page.
pub(super) fn home(whole: &Whole<'_>) -> Checked<Page> {
    let Whole { frame, index, .. } = *whole;
    indexes::with_writer(whole, "index.html", |writer| {
        let course = frame.book.course.as_ref();
        let fact = |key: &str| course.and_then(|it| it.facts.get(key)).cloned();
        let settings = &frame.book.settings;
        let description = fact("description").unwrap_or_else(|| settings.description.clone());
        let modules: Vec<views::Module> =
            index.modules.iter().map(|it| module(writer, whole, it)).collect();
        let contents = match modules.is_empty() {
            true => writer.apart(|it| it.tree(&index.contents, true)).into_string(),
            false => String::new(),
        };
        let seo = fact("seo_description").unwrap_or_else(|| description.clone());
        let mut base = writer.base("", &seo);
        base.title = fact("seo_title").unwrap_or(base.title);
        let first = index.contents.iter().map(|it| &it.target).find(|it| it.is_written());
        let view = views::Home {
            base,
            title: fact("title").unwrap_or_else(|| settings.title.clone()),
            description,
            facts: facts(writer, whole),
            start: first.map(|it| writer.link_to(it)),
            samples: samples(&modules),
            modules,
            contents,
        };
        let body = crate::html::Html::new();
        theme::fill(&frame.theme, "home.html", &view, &body, &mut writer.diagnostics)
    })
}

/// What it says on the cover. The numbers of formulas and lessons are counted.
fn facts(writer: &Writer<'_>, whole: &Whole<'_>) -> Vec<(String, String)> {
    let words = writer.words;
    let settings = &whole.frame.book.settings;
    let course = whole.frame.book.course.as_ref();
    let fact = |key: &str| course.and_then(|it| it.facts.get(key)).cloned().unwrap_or_default();
    let count = |count: usize| if count == 0 { String::new() } else { count.to_string() };
    let written = whole.index.contents.iter().filter(|it| it.target.is_written()).count();
    let lessons = match course {
        Some(course) => (words.lessons, count(course.modules.len())),
        None => (words.chapters, count(written)),
    };
    let updated = settings.updated.clone().filter(|it| !it.is_empty());
    let list = [
        (words.level, capitalized(&fact("level"))),
        lessons,
        (words.formulas, count(whole.index.formulas.len())),
        (words.hours, fact("estimated_hours")),
        (words.instructor, fact("instructor")),
        (words.price, fact("price")),
        (words.updated, updated.unwrap_or_else(|| fact("updated"))),
        (words.license, settings.license.clone()),
    ];
    let known = list.into_iter().filter(|it| !it.1.is_empty());
    known.map(|(word, fact)| (word.to_owned(), fact)).collect()
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |it| it.to_uppercase().chain(letters).collect())
}

fn module(writer: &mut Writer<'_>, whole: &Whole<'_>, entry: &ModuleEntry) -> views::Module {
    let ModuleEntry { module, chapter, topics, formulas } = entry;
    // The index has the formula without its place; a mistake in it is reported where it stands.
    let modules = whole.frame.book.course.iter().flat_map(|it| &it.modules);
    let here = modules.into_iter().find(|it| it.number == module.number);
    writer.file = here.map(|_| FileId::new("outline.toml"));
    let example = example(writer, here.unwrap_or(module));
    writer.file = None;
    let mut link = writer.link_to(chapter);
    link.title = writer
        .calmly(|it| {
            it.out.text(&module.title);
        })
        .into_string();
    if link.number.is_empty() {
        link.number = module.number.to_string();
    }
    let topic = |(name, target): &(String, Option<crate::link::Target>)| {
        let target = target.as_ref().filter(|it| it.is_written());
        let mut title = crate::html::Html::new();
        title.text(name);
        Link {
            href: target.map_or_else(String::new, |it| writer.href(&it.href())),
            number: target.map_or_else(String::new, |it| it.number.clone()),
            title: title.into_string(),
        }
    };
    views::Module {
        topics: topics.iter().map(topic).collect(),
        link,
        lesson: module.lesson.clone(),
        description: module.description.clone(),
        minutes: module.minutes,
        formulas: *formulas,
        example,
    }
}

fn example(writer: &mut Writer<'_>, module: &Module) -> String {
    if module.example.tex.trim().is_empty() {
        return String::new();
    }
    writer.apart(|it| it.math(&module.example)).into_string()
}

/// Formulas of modules that are written, spread over the course.
fn samples(modules: &[views::Module]) -> Vec<Sample> {
    let written: Vec<&views::Module> =
        modules.iter().filter(|it| !it.link.href.is_empty() && !it.example.is_empty()).collect();
    let every = written.len().div_ceil(SAMPLES).max(1);
    let sample = |it: &&views::Module| Sample {
        link: Link {
            href: it.link.href.clone(),
            number: it.link.number.clone(),
            title: it.link.title.clone(),
        },
        formula: it.example.clone(),
    };
    written.iter().step_by(every).map(sample).collect()
}
