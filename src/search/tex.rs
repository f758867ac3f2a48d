//! TeX to tokens that are equal for formulas that say the same.
//!
//! Spaces, braces, sizes and fonts are nothing; `\nabla`, `∇` and the word are one token. The
//! browser's side does the same by the same tables; `tests/data/search-cases.json` holds them
//! together.

use unicode_normalization::UnicodeNormalization;

use super::tables::Tables;

/// A word that is written without a command has at least this many letters.
const WORD: usize = 4;

/// The tokens of `tex`.
pub fn tokens(tex: &str, tables: &Tables) -> Vec<String> {
    let chars = tex.chars().collect();
    let mut reader = Reader { chars, at: 0, tables, upright: false, out: Vec::new() };
    while reader.at < reader.chars.len() {
        reader.step();
    }
    reader.out
}

struct Reader<'a> {
    chars: Vec<char>,
    at: usize,
    tables: &'a Tables,
    /// Whether the next letters are set upright, and are a word.
    upright: bool,
    out: Vec<String>,
}

impl Reader<'_> {
    fn step(&mut self) {
        let c = self.chars[self.at];
        match c {
            '\\' => self.command(),
            '%' => {
                self.take(|it| it != '\n');
            }
            '{' | '}' | '&' | '$' | '~' => self.at += 1,
            _ if c.is_whitespace() => self.at += 1,
            _ if c.is_ascii_alphabetic() => {
                let run = self.take(|it| it.is_ascii_alphabetic());
                self.letters(&run);
            }
            _ if c.is_ascii_digit() => self.number(),
            _ => {
                self.at += 1;
                self.sign(c);
            }
        }
    }

    /// The characters from here on that are `wanted`.
    fn take(&mut self, wanted: fn(char) -> bool) -> String {
        let start = self.at;
        while self.at < self.chars.len() && wanted(self.chars[self.at]) {
            self.at += 1;
        }
        self.chars[start..self.at].iter().collect()
    }

    fn command(&mut self) {
        self.at += 1;
        let name = self.take(|it| it.is_ascii_alphabetic());
        if name.is_empty() {
            let sign = self.chars.get(self.at).copied();
            self.at += 1;
            match sign {
                Some('{') => self.push("lbrace"),
                Some('}') => self.push("rbrace"),
                Some('|') => self.push("Vert"),
                Some(it @ ('_' | '%' | '&' | '#' | '$')) => self.push(&it.to_string()),
                // Spaces, line ends, and the marks around a formula.
                _ => {}
            }
            return;
        }
        if self.chars.get(self.at) == Some(&'*') {
            self.at += 1;
        }
        if self.tables.groups.contains(&&name[..]) {
            // The columns of a table follow its name.
            let of_table = self.group().is_some_and(|it| it.contains("array"));
            if of_table && name == "begin" {
                self.group();
            }
            return;
        }
        if matches!(&name[..], "left" | "right" | "middle") {
            self.take(char::is_whitespace);
            if self.chars.get(self.at) == Some(&'.') {
                self.at += 1;
            }
        }
        if self.tables.upright.contains(&&name[..]) {
            self.upright = true;
        }
        match self.tables.commands.get(&name) {
            Some(tokens) => tokens.split_whitespace().for_each(|it| self.push(it)),
            None => self.push(&name),
        }
    }

    /// Passes over a group in braces.
    fn group(&mut self) -> Option<String> {
        self.take(char::is_whitespace);
        if self.chars.get(self.at) != Some(&'{') {
            return None;
        }
        let start = self.at;
        let mut depth = 0_usize;
        while self.at < self.chars.len() {
            match self.chars[self.at] {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                break;
            }
        }
        Some(self.chars[start..self.at].iter().collect())
    }

    fn letters(&mut self, run: &str) {
        let upright = std::mem::take(&mut self.upright);
        let is_long = run.len() >= WORD && !run[1..].contains(|it: char| it.is_ascii_uppercase());
        let is_word = upright && run.len() > 1 || is_long;
        if is_word || self.tables.functions.contains(&run) {
            return self.push(&run.to_ascii_lowercase());
        }
        for letter in run.chars() {
            self.push(&letter.to_string());
        }
    }

    /// A number with its point: `0.5`.
    fn number(&mut self) {
        let mut number = self.take(|it| it.is_ascii_digit());
        let next = self.chars.get(self.at + 1).is_some_and(char::is_ascii_digit);
        if self.chars.get(self.at) == Some(&'.') && next {
            self.at += 1;
            number.push('.');
            number.push_str(&self.take(|it| it.is_ascii_digit()));
        }
        self.push(&number);
    }

    fn sign(&mut self, c: char) {
        if c == '\'' {
            return self.push("prime");
        }
        if let Some(tokens) = self.tables.signs.get(&c.to_string()) {
            return tokens.split_whitespace().for_each(|it| self.push(it));
        }
        // Letters of mathematical alphabets, full-width forms and the like.
        for it in c.to_string().nfkd() {
            match self.tables.signs.get(&it.to_string()) {
                Some(tokens) => tokens.split_whitespace().for_each(|it| self.push(it)),
                None => self.push(&it.to_string()),
            }
        }
    }

    /// Appends a token. A transpose is one however it is written, and so is a prime.
    fn push(&mut self, token: &str) {
        let raised = self.out.last().is_some_and(|it| it == "^");
        match token {
            "T" if raised => self.out.push("top".into()),
            "prime" if raised => *self.out.last_mut().expect("`^` is the last") = token.into(),
            _ => self.out.push(token.into()),
        }
    }
}
