//! Walks a document in reading order.

use super::{Block, BlockKind, Document, Figure, Inline, Table};

/// A node of the tree.
#[derive(Clone, Copy, Debug)]
pub enum Node<'a> {
    /// A block; its parts follow.
    Block(&'a Block),
    /// An inline; its parts follow.
    Inline(&'a Inline),
}

impl Document {
    /// Every node of the chapter in reading order, title first, footnotes last.
    pub fn nodes(&self) -> Vec<Node<'_>> {
        let mut out = Vec::new();
        inlines(&self.title, &mut out);
        inlines(&self.front.summary, &mut out);
        blocks(&self.blocks, &mut out);
        for note in &self.footnotes {
            blocks(&note.blocks, &mut out);
        }
        out
    }

    /// Every block of the chapter in reading order, also those inside of others.
    pub fn all_blocks(&self) -> impl Iterator<Item = &Block> {
        self.nodes().into_iter().filter_map(|it| match it {
            Node::Block(block) => Some(block),
            Node::Inline(_) => None,
        })
    }

    /// Every inline of the chapter in reading order, also those inside of others.
    pub fn all_inlines(&self) -> impl Iterator<Item = &Inline> {
        self.nodes().into_iter().filter_map(|it| match it {
            Node::Block(_) => None,
            Node::Inline(inline) => Some(inline),
        })
    }
}

/// Appends `list` and all that is inside, in reading order.
pub fn blocks<'a>(list: &'a [Block], out: &mut Vec<Node<'a>>) {
    for block in list {
        out.push(Node::Block(block));
        match &block.kind {
            BlockKind::Heading(it) => inlines(&it.body, out),
            BlockKind::Paragraph(it) => inlines(it, out),
            BlockKind::Display(it) => {
                inlines(&it.name, out);
                inlines(&it.conditions, out);
            }
            BlockKind::Environment(it) => {
                inlines(&it.title, out);
                blocks(&it.blocks, out);
            }
            BlockKind::Snippet(it) => inlines(&it.title, out),
            BlockKind::Figure(it) => {
                let Figure { caption, .. } = &**it;
                inlines(caption, out);
            }
            BlockKind::Table(it) => table(it, out),
            BlockKind::List(it) => it.items.iter().for_each(|it| blocks(&it.blocks, out)),
            BlockKind::Quote(it) => blocks(it, out),
            BlockKind::Code(_) | BlockKind::Rule | BlockKind::Html(_) => {}
        }
    }
}

fn table<'a>(table: &'a Table, out: &mut Vec<Node<'a>>) {
    for cell in table.head.iter().chain(table.rows.iter().flatten()) {
        inlines(cell, out);
    }
    inlines(&table.caption, out);
}

/// Appends `list` and all that is inside, in reading order.
pub fn inlines<'a>(list: &'a [Inline], out: &mut Vec<Node<'a>>) {
    for inline in list {
        out.push(Node::Inline(inline));
        match inline {
            Inline::Emphasis(it) | Inline::Strong(it) | Inline::Strike(it) => inlines(it, out),
            Inline::Link { body, .. } | Inline::Citation { body, .. } => inlines(body, out),
            Inline::Reference(it) => inlines(&it.body, out),
            Inline::Text(_)
            | Inline::Code(_)
            | Inline::Math(_)
            | Inline::Value(_)
            | Inline::Image { .. }
            | Inline::Footnote(_)
            | Inline::SoftBreak
            | Inline::HardBreak
            | Inline::Html(_) => {}
        }
    }
}

/// The words of `list` without any form; a formula gives its TeX.
pub fn plain(list: &[Inline]) -> String {
    let mut out = String::new();
    let mut nodes = Vec::new();
    inlines(list, &mut nodes);
    for node in nodes {
        let Node::Inline(inline) = node else { continue };
        match inline {
            Inline::Text(text) | Inline::Code(text) => out.push_str(text),
            Inline::Math(formula) => out.push_str(&formula.tex),
            Inline::Image { alt, .. } => out.push_str(alt),
            Inline::SoftBreak | Inline::HardBreak => out.push(' '),
            Inline::Emphasis(_)
            | Inline::Strong(_)
            | Inline::Strike(_)
            | Inline::Link { .. }
            | Inline::Reference(_)
            | Inline::Citation { .. }
            | Inline::Value(_)
            | Inline::Footnote(_)
            | Inline::Html(_) => {}
        }
    }
    out
}
