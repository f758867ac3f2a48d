//! What is written of each module to a table, or to an object of JSON.

use serde_json::{Value, json};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::coverage::{Counts, Row, total};

/// The longest line; titles are cut to keep it.
const WIDTH: usize = 100;

/// What stands where there is nothing to count.
const NONE: &str = "-";

/// What stands between two columns.
const GAP: &str = "  ";

type Line = [String; 8];

const HEAD: [&str; 8] =
    ["", "Module", "Topics", "Formulas", "Snippets", "Figures", "Exercises", "Words"];

/// The column of titles, which is the only one set to the left.
const TITLE: usize = 1;

/// A line for each module, and one for their sum.
pub(super) fn table(rows: &[Row]) -> String {
    let mut lines: Vec<Line> = vec![HEAD.map(str::to_owned)];
    lines.extend(rows.iter().map(module));
    lines.push(sum(rows));
    let others = (0..HEAD.len()).filter(|it| *it != TITLE).map(|it| widest(&lines, it) + GAP.len());
    let room = WIDTH.saturating_sub(others.sum()).max(HEAD[TITLE].len());
    for line in &mut lines {
        line[TITLE] = cut(&line[TITLE], room);
    }
    let widths: [usize; 8] = std::array::from_fn(|it| widest(&lines, it));
    let rule = widths.map(|it| "-".repeat(it)).join(GAP);
    let mut out: Vec<String> = lines.iter().map(|it| aligned(it, widths)).collect();
    out.insert(out.len() - 1, rule.clone());
    out.insert(1, rule);
    out.join("\n")
}

/// The same as one object, whose `kind` no diagnostic has.
pub(super) fn object(rows: &[Row]) -> Value {
    let counts = |it: Counts| {
        json!({
            "topics": it.topics, "formulas": it.formulas, "snippets": it.snippets,
            "figures": it.figures, "exercises": it.exercises, "words": it.words,
        })
    };
    let module = |it: &Row| {
        json!({
            "number": it.number, "title": it.title, "topics": it.topics,
            "listed_formulas": it.listed, "written": it.written.map(counts),
        })
    };
    json!({
        "kind": "coverage",
        "modules": rows.iter().map(module).collect::<Vec<_>>(),
        "total": {
            "topics": topics(rows), "listed_formulas": listed(rows), "written": counts(total(rows)),
        },
    })
}

fn module(row: &Row) -> Line {
    let counts = match row.written {
        Some(it) => written(it, row.topics, row.listed),
        None => {
            let mut planned = [NONE; 6].map(str::to_owned);
            planned[0] = format!("0/{}", row.topics);
            planned
        }
    };
    line(&row.number.to_string(), &row.title, counts)
}

fn sum(rows: &[Row]) -> Line {
    line("", "Total", written(total(rows), topics(rows), listed(rows)))
}

fn topics(rows: &[Row]) -> usize {
    rows.iter().map(|it| it.topics).sum()
}

/// The labels of all modules; `None` if none are listed.
fn listed(rows: &[Row]) -> Option<usize> {
    rows.iter().map(|it| it.listed).sum()
}

fn written(counts: Counts, topics: usize, listed: Option<usize>) -> [String; 6] {
    let formulas = match listed {
        Some(listed) => format!("{}/{listed}", counts.formulas),
        None => counts.formulas.to_string(),
    };
    [
        format!("{}/{topics}", counts.topics),
        formulas,
        counts.snippets.to_string(),
        counts.figures.to_string(),
        counts.exercises.to_string(),
        counts.words.to_string(),
    ]
}

fn line(number: &str, title: &str, [a, b, c, d, e, f]: [String; 6]) -> Line {
    [number.to_owned(), title.to_owned(), a, b, c, d, e, f]
}

fn widest(lines: &[Line], column: usize) -> usize {
    lines.iter().map(|it| it[column].width()).max().unwrap_or_default()
}

/// The beginning of `text`, if it does not fit into `room` columns.
fn cut(text: &str, room: usize) -> String {
    const DOTS: &str = "...";
    if text.width() <= room {
        return text.to_owned();
    }
    let mut left = room.saturating_sub(DOTS.len());
    let fits = |it: &char| {
        let rest = left.checked_sub(it.width().unwrap_or_default());
        left = rest.unwrap_or_default();
        rest.is_some()
    };
    text.chars().take_while(fits).collect::<String>() + DOTS
}

fn aligned(line: &Line, widths: [usize; 8]) -> String {
    let cell = |column: usize| {
        let text = &line[column];
        let pad = " ".repeat(widths[column].saturating_sub(text.width()));
        if column == TITLE { format!("{text}{pad}") } else { format!("{pad}{text}") }
    };
    let cells: [String; 8] = std::array::from_fn(cell);
    cells.join(GAP)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(number: u32, title: &str, words: Option<usize>) -> Row {
        let counts = |words| Counts { topics: 2, formulas: 12, words, ..Counts::default() };
        let written = words.map(counts);
        Row { number, title: title.to_owned(), topics: 3, listed: Some(10), written }
    }

    #[test]
    fn columns_stand_below_each_other_by_display_width() {
        let long = "A title that goes on and on and would push the counts out of the terminal";
        let rows = [
            row(1, "Encoder\u{2013}Decoder", Some(1234)),
            row(2, "\u{7dda}\u{5f62}\u{4ee3}\u{6570}", Some(5)),
            row(3, long, None),
        ];
        let table = table(&rows);
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!(lines.len(), 7);
        assert!(lines.iter().all(|it| it.width() == lines[0].width()), "\n{table}");
        assert!(lines[0].width() <= WIDTH, "\n{table}");
        assert!(lines[0].ends_with("Exercises  Words"), "\n{table}");
        assert!(
            lines[2].ends_with("2/3     12/10         0        0          0   1234"),
            "\n{table}"
        );
        assert!(lines[4].contains("...  "), "\n{table}");
        assert!(
            lines[4].ends_with("0/3         -         -        -          -      -"),
            "\n{table}"
        );
        assert!(lines[6].trim_start().starts_with("Total"), "\n{table}");
        assert!(
            lines[6].ends_with("4/9     24/30         0        0          0   1239"),
            "\n{table}"
        );
    }

    #[test]
    fn labels_are_counted_only_where_they_are_listed() {
        let rows = [Row { listed: None, ..row(1, "One", Some(7)) }];
        assert!(table(&rows).lines().nth(2).is_some_and(|it| it.contains("  2/3        12  ")));
        assert_eq!(object(&rows)["kind"], "coverage");
        assert_eq!(object(&rows)["total"]["listed_formulas"], Value::Null);
        assert_eq!(object(&rows)["modules"][0]["written"]["words"], 7);
    }
}
