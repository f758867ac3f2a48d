//! Book and index to what is written of each module of the course.

use std::iter::Sum;
use std::ops::Add;

use crate::ir::{Block, BlockKind, Book, Document, EnvironmentKind, Figure};
use crate::link::{Index, ModuleEntry};

/// What there is of one module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its number.
    pub number: u32,
    /// Its title.
    pub title: String,
    /// How many topics it has.
    pub topics: usize,
    /// How many labels of formulas `labels.toml` lists for it; `None` if it lists no chapter.
    pub listed: Option<usize>,
    /// What is written; `None` if its chapter is planned.
    pub written: Option<Counts>,
}

/// What a chapter has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Topics that a section covers.
    pub topics: usize,
    /// Formulas with a label.
    pub formulas: usize,
    /// Snippets, also those whose code is hidden.
    pub snippets: usize,
    /// Figures: pictures and outputs of snippets that are shown at a place of their own. Outputs
    /// that are captioned as tables are none.
    pub figures: usize,
    /// Exercises.
    pub exercises: usize,
    /// Words of running text, as [`Document::running_words`] counts them.
    pub words: usize,
}

/// The modules of the course in order; none if the book has no course.
pub fn modules(book: &Book, documents: &[&Document], index: &Index) -> Vec<Row> {
    let row = |it: &ModuleEntry| {
        let document = documents.iter().find(|document| document.file.name() == it.module.id);
        let listed = book.planned.iter().filter(|label| label.chapter == it.module.id).count();
        Row {
            number: it.module.number,
            title: it.module.title.clone(),
            topics: it.topics.len(),
            listed: (!book.planned.is_empty()).then_some(listed),
            written: document.map(|document| counts(it, document)),
        }
    };
    index.modules.iter().map(row).collect()
}

/// The sum of what is written.
pub fn total(rows: &[Row]) -> Counts {
    rows.iter().filter_map(|it| it.written).sum()
}

fn counts(entry: &ModuleEntry, document: &Document) -> Counts {
    let mut counts = Counts {
        topics: entry.topics.iter().filter(|it| it.1.is_some()).count(),
        formulas: entry.formulas,
        words: document.running_words(),
        ..Counts::default()
    };
    for Block { kind, .. } in document.all_blocks() {
        match kind {
            BlockKind::Snippet(_) => counts.snippets += 1,
            BlockKind::Figure(it) if !is_table(it) => counts.figures += 1,
            BlockKind::Environment(it) if it.kind == EnvironmentKind::Exercise => {
                counts.exercises += 1;
            }
            BlockKind::Heading(_)
            | BlockKind::Paragraph(_)
            | BlockKind::Display(_)
            | BlockKind::Environment(_)
            | BlockKind::Code(_)
            | BlockKind::Figure(_)
            | BlockKind::Table(_)
            | BlockKind::List(_)
            | BlockKind::Quote(_)
            | BlockKind::Rule
            | BlockKind::Html(_) => {}
        }
    }
    counts
}

fn is_table(figure: &Figure) -> bool {
    figure.labels.first().is_some_and(|it| it.value.0.starts_with("tab:"))
}

impl Add for Counts {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            topics: self.topics + other.topics,
            formulas: self.formulas + other.formulas,
            snippets: self.snippets + other.snippets,
            figures: self.figures + other.figures,
            exercises: self.exercises + other.exercises,
            words: self.words + other.words,
        }
    }
}

impl Sum for Counts {
    fn sum<I: Iterator<Item = Self>>(list: I) -> Self {
        list.fold(Self::default(), Add::add)
    }
}
