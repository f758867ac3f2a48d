//! What stands beside the drawing of a plot: title, names of its series, the scale of its shades.

use super::{Area, LETTER, LINE, WIDTH, label, marks, px, text};
use crate::html::Html;
use crate::value::{Heat, Plot};

/// A name in the legend has at most so many characters.
const NAME: usize = 64;
/// A title has at most so many lines.
const LINES: usize = 3;
/// Width of a letter of the title, about.
const BOLD: f64 = LETTER + 1.2;
/// Width of the bar of shades.
const BAR: f64 = 12.0;
/// Least height of the bar of shades: its three numbers have room.
const SCALE: f64 = 44.0;

/// The lines of a title, broken between words where it is wider than the plot.
pub(super) fn title(title: &str) -> Vec<String> {
    let room = ((WIDTH - 60.0) / BOLD) as usize;
    let mut out: Vec<String> = Vec::new();
    for word in title.split_whitespace() {
        let count = |it: &str| it.chars().count();
        match out.last_mut() {
            Some(line) if count(line) + 1 + count(word) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            Some(_) | None => out.push(clipped(word, room)),
        }
    }
    if out.len() > LINES {
        let rest = out[LINES - 1..].join(" ");
        out.truncate(LINES - 1);
        out.push(clipped(&rest, room));
    }
    out
}

/// Width of the widest line of the title.
pub(super) fn title_width(lines: &[String]) -> f64 {
    lines.iter().map(|it| it.chars().count() as f64 * BOLD).fold(0.0, f64::max)
}

/// Text of at most so many characters, with dots for what is left out.
pub(super) fn clipped(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// Which marks stand in each line of the legend, with their place and width.
pub(super) fn rows(plot: &Plot, room: f64) -> Vec<Vec<(usize, f64, f64)>> {
    let mut rows: Vec<Vec<(usize, f64, f64)>> = Vec::new();
    let mut x = f64::INFINITY;
    for index in plot.legend() {
        let name = marks::name(&plot.marks[index]);
        let width = 44.0 + name.chars().count().min(NAME) as f64 * LETTER;
        if x + width > room {
            rows.push(Vec::new());
            x = 0.0;
        }
        rows.last_mut().expect("the first name starts a row").push((index, x, width));
        x += width;
    }
    rows
}

/// Draws the legend from a corner on.
pub(super) fn draw(
    svg: &mut Html,
    plot: &Plot,
    rows: &[Vec<(usize, f64, f64)>],
    (left, top): (f64, f64),
) {
    for (row, entries) in rows.iter().enumerate() {
        let y = top + row as f64 * LINE + LINE / 2.0;
        for (index, x, _) in entries {
            let mark = &plot.marks[*index];
            marks::sample(svg, plot, *index, (left + x, y));
            label(svg, "legend", (left + x + 32.0, y + 4.0), &clipped(marks::name(mark), NAME));
        }
    }
}

/// How far down the scale of a heat map reaches.
pub(super) fn scale_bottom(heat: &Heat, area: &Area) -> f64 {
    let sample = if heat.unshaded.is_empty() { 0.0 } else { LINE + 6.0 };
    area.bottom.max(area.top + SCALE) + sample
}

/// Room to the right of a heat map for its scale.
pub(super) fn scale_width(heat: &Heat) -> f64 {
    let words =
        [heat.unshaded.join(", "), heat.low.clone(), heat.middle.clone(), heat.high.clone()];
    let widest = words.iter().map(|it| it.chars().count()).max().unwrap_or(0);
    14.0 + BAR + 6.0 + widest as f64 * LETTER
}

/// Draws the shades of a heat map from the least below to the greatest on top, with their numbers,
/// and what stands for a number without a shade.
pub(super) fn scale(svg: &mut Html, heat: &Heat, area: &Area) {
    let bottom = area.bottom.max(area.top + SCALE);
    let left = area.right + 14.0;
    let step = (bottom - area.top) / marks::SHADES as f64;
    for shade in 0..marks::SHADES {
        let y = bottom - step * (shade + 1) as f64;
        marks::rectangle(svg, &format!("shade h{shade}"), (left, y), (BAR, step));
    }
    let middle = f64::midpoint(area.top, bottom);
    let numbers = [(area.top + 9.0, &heat.high), (middle + 4.0, &heat.middle), (bottom, &heat.low)];
    for (y, words) in numbers {
        text(svg, "scale", (left + BAR + 6.0, y), words, None);
    }
    if !heat.unshaded.is_empty() {
        let y = bottom + 10.0;
        marks::unshaded(svg, (left, y), (BAR, BAR));
        text(svg, "scale", (left + BAR + 6.0, y + 10.0), &heat.unshaded.join(", "), None);
    }
}

/// A line of words in the middle of an empty drawing.
pub(super) fn nothing(svg: &mut Html, area: &Area, words: &str) {
    let at = (f64::midpoint(area.left, area.right), f64::midpoint(area.top, area.bottom));
    svg.open("text", &[("class", Some("nothing")), ("x", Some(&px(at.0))), ("y", Some(&px(at.1)))]);
    svg.text(words).close("text");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_titles_have_lines() {
        assert_eq!(title("Softmax"), ["Softmax"]);
        let words = "many words ".repeat(40);
        let lines = title(&words);
        assert_eq!(lines.len(), LINES);
        assert!(title_width(&lines) <= WIDTH - 60.0 + BOLD, "{lines:?}");
        assert!(lines[LINES - 1].ends_with('…') && !lines[0].ends_with('…'), "{lines:?}");
        assert_eq!(title(&"x".repeat(200))[0].chars().count(), 58);
        assert!(title(" ").is_empty());
    }
}
