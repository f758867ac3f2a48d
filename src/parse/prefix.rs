//! Lines of a container to their own text: past quote markers and list indent.

use super::survey::{Container, ContainerKind};

/// Containers deeper than this are not followed; what stands in them is left out of the tree.
const DEPTH: usize = 128;

/// The containers around the place that is being read, outer before inner.
#[derive(Debug, Default)]
pub(super) struct Containers {
    open: Vec<Open>,
}

#[derive(Clone, Debug)]
struct Open {
    container: Container,
    /// Columns that the lines of an item are indented by, counted from the container around it.
    indent: usize,
    /// Where its text begins on its first line.
    content: usize,
}

/// A line of a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// Where its own text begins.
    pub text: usize,
    /// How many of the containers it goes on with.
    pub depth: usize,
    /// Whether the container that it does not go on with is a quote.
    pub leaves_quote: bool,
}

impl Containers {
    /// Moves on to byte `at`: closes what ended and opens the containers of `list` that begin
    /// before it, from index `next` on.
    pub(super) fn advance(&mut self, text: &str, list: &[Container], next: &mut usize, at: usize) {
        while let Some(container) = list.get(*next).filter(|it| it.range.start <= at) {
            *next += 1;
            self.close(container.range.start);
            if container.range.end > at && self.open.len() < DEPTH {
                let open = self.enter(text, container.clone());
                self.open.push(open);
            }
        }
        self.close(at);
    }

    fn close(&mut self, at: usize) {
        while self.open.last().is_some_and(|it| it.container.range.end <= at) {
            self.open.pop();
        }
    }

    fn enter(&self, text: &str, container: Container) -> Open {
        let bytes = text.as_bytes();
        let base = match self.open.last() {
            Some(outer) if outer.container.line == container.line => outer.content,
            Some(_) | None => self.line(text, container.line, self.open.len(), |_| ()).text,
        };
        let space = |at: usize| bytes.get(at).is_some_and(|it| *it == b' ' || *it == b'\t');
        let mut at = container.range.start;
        while space(at) {
            at += 1;
        }
        let (content, indent) = match container.kind {
            ContainerKind::Quote => (at + 1 + usize::from(space(at + 1)), 0),
            ContainerKind::Note => (at, 4),
            ContainerKind::Item => {
                let digits = bytes[at..].iter().take_while(|it| it.is_ascii_digit()).count();
                let marker = at + digits + 1;
                let spaces = (marker..).take_while(|it| space(*it)).count();
                let blank = matches!(bytes.get(marker + spaces), None | Some(b'\n'));
                let width = if spaces > 4 || blank { 1 } else { spaces };
                (marker + width, (marker + width).saturating_sub(base))
            }
        };
        Open { container, indent, content }
    }

    /// How many containers the line of `at`, which begins at `line`, goes on with. Lazy lines go
    /// on with fewer than there are.
    pub(super) fn depth(&self, text: &str, line: usize) -> usize {
        let begun = self.open.iter().any(|it| it.container.line == line);
        if begun { self.open.len() } else { self.line(text, line, self.open.len(), |_| ()).depth }
    }

    /// Reads the prefix of the line that begins at `start`, for the first `depth` containers.
    /// `quote` is told of every quote marker.
    pub(super) fn line(
        &self,
        text: &str,
        start: usize,
        depth: usize,
        mut quote: impl FnMut(usize),
    ) -> Line {
        let bytes = text.as_bytes();
        let mut at = start;
        for (index, open) in self.open.iter().take(depth).enumerate() {
            let spaces = bytes[at..].iter().take_while(|it| **it == b' ').count();
            let tab = bytes.get(at + spaces) == Some(&b'\t');
            let quoted = open.container.kind == ContainerKind::Quote;
            let blank = !quoted && matches!(bytes.get(at + spaces), None | Some(b'\n'));
            if quoted && spaces < 4 && bytes.get(at + spaces) == Some(&b'>') {
                quote(at + spaces);
                at += spaces + 1;
                at += usize::from(matches!(bytes.get(at), Some(b' ' | b'\t')));
            } else if !quoted && (spaces >= open.indent || blank) {
                at += spaces.min(open.indent);
            } else if !quoted && tab {
                at += spaces + 1;
            } else {
                return Line { text: at, depth: index, leaves_quote: quoted };
            }
        }
        Line { text: at, depth: self.open.len().min(depth), leaves_quote: false }
    }
}
