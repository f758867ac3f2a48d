//! Tables of any kind: alignments, matrices, case distinctions, diagrams.

use katex::parser::parse_node::{
    AlignSpec, AnyParseNode as Node, ColSeparationType, ParseNodeArray, ParseNodeArrayTag,
};

use super::boxes::upright_phantom;
use super::spacing::{em, space};
use super::{Level, NOTHING, Unsupported, Writer, Written};

/// A column: alignment, and the space before and after it in em.
struct Column {
    align: char,
    before: f64,
    after: f64,
}

/// A table as Typst needs it.
struct Shape {
    columns: Vec<Column>,
    /// Rules before columns, the last after all: whether each is dashed.
    rules: Vec<Vec<bool>>,
    /// Space between rows in em.
    gap: f64,
}

impl Shape {
    fn of(it: &ParseNodeArray) -> Self {
        let count = it.body.iter().map(Vec::len).max().unwrap_or(0).max(1);
        let small = it.col_separation_type == Some(ColSeparationType::Small);
        let separation = if small { 0.277_8 } else { 0.5 };
        let mut columns: Vec<Column> = Vec::new();
        let mut rules = vec![Vec::new()];
        for spec in it.cols.iter().flatten() {
            match spec {
                AlignSpec::Separator { separator } => {
                    if let Some(last) = rules.last_mut() {
                        last.push(separator == ":");
                    }
                }
                AlignSpec::Align { align, pregap, postgap } => {
                    let align = align.chars().next().unwrap_or('c');
                    let before = pregap.unwrap_or(separation);
                    let after = postgap.unwrap_or(separation);
                    columns.push(Column { align, before, after });
                    rules.push(Vec::new());
                }
            }
        }
        while columns.len() < count {
            columns.push(Column { align: 'c', before: separation, after: separation });
            rules.push(Vec::new());
        }
        if it.hskip_before_and_after != Some(true) {
            if let Some(first) = columns.first_mut() {
                first.before = 0.0;
            }
            if let Some(last) = columns.last_mut() {
                last.after = 0.0;
            }
        }
        let jot = it.add_jot == Some(true);
        let close = if small { 0.1 } else { 0.2 };
        let gap = if jot { 0.5 } else { close } + (it.arraystretch - 1.0) * 1.2;
        Self { columns, rules, gap: gap.max(0.0) }
    }

    /// Whether Typst's matrix can draw the rules: all solid, and never two side by side.
    fn is_plain(&self, it: &ParseNodeArray) -> bool {
        let lines = self.rules.iter().chain(&it.h_lines_before_row);
        lines.into_iter().all(|it| it.len() <= 1 && !it.contains(&true))
    }
}

impl Writer {
    pub(super) fn array(&mut self, it: &ParseNodeArray) -> Written {
        if it.body.is_empty() {
            return Ok(NOTHING.into());
        }
        let shape = Shape::of(it);
        if shape.is_plain(it) { self.matrix(it, &shape) } else { self.grid(it, &shape) }
    }

    /// A table whose rows stand on their base lines.
    fn matrix(&mut self, it: &ParseNodeArray, shape: &Shape) -> Written {
        let mut out = format!("mat(delim:#none,column-gap:#0em,row-gap:#{:.3}em", shape.gap);
        out += &augment(it, shape);
        for (row, cells) in it.body.iter().enumerate() {
            out += if row == 0 { "," } else { " ;" };
            let strut = strut(it, row);
            for (index, column) in shape.columns.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                let cell = self.cell(cells.get(index))?;
                let (before, after) = (space(column.before), space(column.after));
                let strut = if index == 0 { strut.as_str() } else { "" };
                out += &match column.align {
                    'r' => format!("{strut}{before}{cell}&{after}"),
                    'l' => format!("{strut}{before}&{cell}{after}"),
                    _ => format!("{strut}{before}{cell}{after}"),
                };
            }
        }
        Ok(out + ")")
    }

    /// A table with dashed or double rules, which only a grid draws.
    fn grid(&mut self, it: &ParseNodeArray, shape: &Shape) -> Written {
        let aligns = shape.columns.iter().map(|it| match it.align {
            'l' => "left+horizon,",
            'r' => "right+horizon,",
            _ => "center+horizon,",
        });
        let mut out = format!(
            "#box(baseline:50%-0.25em,grid(columns:{},inset:(x:0em,y:{:.3}em),align:({}),",
            shape.columns.len(),
            0.2 + shape.gap / 2.0,
            aligns.collect::<String>()
        );
        let stroke = |dashed: &bool| match dashed {
            true => "(thickness:0.04em,dash:\"dashed\")",
            false => "0.04em",
        };
        for (at, lines) in shape.rules.iter().enumerate() {
            // Of lines side by side the grid draws the last; that they are two is shown by width.
            if let Some(dashed) = lines.last() {
                let stroke = if lines.len() > 1 { "0.1em" } else { stroke(dashed) };
                out += &format!("grid.vline(x:{at},stroke:{stroke}),");
            }
        }
        for (at, lines) in it.h_lines_before_row.iter().enumerate() {
            if let Some(dashed) = lines.last() {
                let stroke = if lines.len() > 1 { "0.1em" } else { stroke(dashed) };
                out += &format!("grid.hline(y:{at},stroke:{stroke}),");
            }
        }
        for cells in &it.body {
            for (index, column) in shape.columns.iter().enumerate() {
                let cell = self.cell(cells.get(index))?;
                out += &format!("${}{cell}{}$,", space(column.before), space(column.after));
            }
        }
        Ok(out + "))")
    }

    /// A cell. The engine puts an empty atom first where an operator would lose its space.
    fn cell(&mut self, node: Option<&Node>) -> Written {
        let written = match node {
            None => String::new(),
            Some(Node::Styling(it)) => {
                let level = Level::of(it.style.size);
                let body = self.at(level, |writer| writer.cell_body(&it.body))?;
                if body.is_empty() { body } else { format!("{}({body})", level.function()) }
            }
            Some(Node::OrdGroup(it)) => self.list(&it.body)?,
            Some(node) => self.node(node, None)?,
        };
        Ok(if written.is_empty() { NOTHING.to_owned() } else { written })
    }

    fn cell_body(&mut self, body: &[Node]) -> Written {
        body.iter().try_fold(String::new(), |out, node| {
            let next = match node {
                Node::OrdGroup(it) => self.list(&it.body)?,
                node => self.node(node, None)?,
            };
            Ok(out + &next)
        })
    }

    /// The formula `body` in the middle of the line, with the numbers of `table` at the margin,
    /// each at the height of its row.
    pub(super) fn beside(&mut self, body: &str, table: &ParseNodeArray) -> Written {
        let shape = Shape::of(table);
        let mut numbers = format!("mat(delim:#none,align:#right,row-gap:#{:.3}em,", shape.gap);
        let tags = table.tags.iter().flatten();
        for (row, (cells, tag)) in table.body.iter().zip(tags).enumerate() {
            let whole: Result<Vec<String>, Unsupported> =
                cells.iter().map(|it| self.cell(Some(it))).collect();
            let number = match tag {
                ParseNodeArrayTag::Nodes(nodes) => self.text_or_list(nodes)?,
                ParseNodeArrayTag::Bool(_) => String::new(),
            };
            let (strut, whole) = (strut(table, row), whole?.concat());
            numbers +=
                &format!("{strut}{}{number};", upright_phantom(&format!("display({whole})")));
        }
        let numbers = numbers.trim_end_matches(';');
        Ok(format!(
            "#box(width:100%,grid(columns:(1fr,auto,1fr),align:(start+horizon,center+horizon,\
             end+horizon),[],$display({body})$,$display({numbers}))$))"
        ))
    }
}

/// Solid rules of a matrix.
fn augment(it: &ParseNodeArray, shape: &Shape) -> String {
    let places = |lines: &mut dyn Iterator<Item = bool>| -> String {
        lines.enumerate().filter(|it| it.1).map(|it| format!("{},", it.0)).collect()
    };
    let across = places(&mut it.h_lines_before_row.iter().map(|it| !it.is_empty()));
    let down = places(&mut shape.rules.iter().map(|it| !it.is_empty()));
    if across.is_empty() && down.is_empty() {
        return String::new();
    }
    format!(",augment:#(hline:({across}),vline:({down}),stroke:0.04em)")
}

/// What makes a row deeper by the space that `\\[1em]` asks for.
fn strut(it: &ParseNodeArray, row: usize) -> String {
    match it.row_gaps.get(row) {
        Some(Some(gap)) if gap.number > 0.0 && row + 1 < it.body.len() => {
            let depth = em(gap, Level::Text) + 0.3;
            format!("#box(width:0pt,height:{depth:.3}em,baseline:{depth:.3}em)")
        }
        Some(_) | None => String::new(),
    }
}
