//! Tokens of a snippet to its mentions of items of the book.
//!
//! A block, and what stands in brackets, is a scope with the imports and items in it. A name that a
//! pattern binds is hidden from there to the end of its scope: rather one link too few than one
//! that leads astray.

use std::collections::BTreeMap;

use proc_macro2::{Delimiter, Ident, Spacing, TokenTree};

use super::items::Catalogue;
use super::paths::{self, ident, is, is_path};

/// Brackets deeper than this are not looked into.
const DEPTH: usize = 100;

/// Brackets deeper than this are no part of a pattern.
const NESTED: usize = 8;

/// The code of a snippet and what is around it.
pub(super) struct Code<'a> {
    pub(super) catalogue: &'a Catalogue,
    /// The module of its chapter.
    pub(super) module: &'a str,
    pub(super) is_library: bool,
    pub(super) snippet: &'a str,
}

/// A word of the code, the item that it means and the snippet that defines that.
pub(super) type Mention = (Ident, String, String);

/// Finds all mentions.
pub(super) fn mentions(code: &Code<'_>, tokens: &[TokenTree]) -> Vec<Mention> {
    let mut walk = Walk { code, scopes: vec![Scope::new()], out: Vec::new() };
    for name in code.catalogue.names(code.module) {
        walk.bind(name, Some(vec![code.module.to_owned(), name.clone()]));
    }
    walk.scope(tokens, Vec::new(), 0);
    walk.out
}

/// Names and the paths that they stand for; `None` for something of the snippet's own.
type Scope = BTreeMap<String, Option<Vec<String>>>;

struct Walk<'a> {
    code: &'a Code<'a>,
    scopes: Vec<Scope>,
    out: Vec<Mention>,
}

/// Names that patterns bind, until they count.
#[derive(Default)]
struct Pending {
    /// From the end of the statement on.
    statement: Vec<String>,
    /// In the next block.
    block: Vec<String>,
}

impl Walk<'_> {
    fn bind(&mut self, name: &str, path: Option<Vec<String>>) {
        self.scopes.last_mut().expect("there is a scope").insert(name.to_owned(), path);
    }

    /// Looks into a scope in which names are bound already.
    fn scope(&mut self, tokens: &[TokenTree], hidden: Vec<String>, depth: usize) {
        if depth > DEPTH {
            return;
        }
        self.scopes.push(hidden.into_iter().map(|it| (it, None)).collect());
        let top = self.code.is_library && depth == 0;
        if !top {
            paths::items(tokens).iter().for_each(|it| self.bind(&it.name, None));
        }
        self.imports(tokens);
        for at in arrows(tokens) {
            binders(arm(tokens, at)).iter().for_each(|it| self.bind(it, None));
        }
        self.tokens(tokens, depth);
        self.scopes.pop();
    }

    /// Binds what `use`s among the tokens import, and notes the names in them.
    fn imports(&mut self, tokens: &[TokenTree]) {
        for leaf in paths::uses(tokens) {
            let words: Vec<String> = leaf.path.iter().map(ToString::to_string).collect();
            let top = self.top_of(&words);
            match (&leaf.name, top) {
                (Some(name), Some(top)) => {
                    // `a::b::c` is one word longer than what follows `book`.
                    let skipped = words.len().saturating_sub(top.len());
                    self.bind(&name.to_string(), Some(top.clone()));
                    if let Some((named, item, snippet)) = self.find(&top) {
                        let from = (skipped + named).saturating_sub(1);
                        let idents = leaf.path.iter().skip(from).chain([name]);
                        for one in idents {
                            self.out.push((one.clone(), item.clone(), snippet.clone()));
                        }
                    }
                }
                (Some(name), None) => self.bind(&name.to_string(), None),
                (None, Some(top)) => {
                    let module = top.first().map_or("", |it| it);
                    let names: Vec<String> = self.code.catalogue.names(module).cloned().collect();
                    let scope = self.scopes.last_mut().expect("there is a scope");
                    for name in names {
                        let path = vec![module.to_owned(), name.clone()];
                        scope.entry(name).or_insert(Some(path));
                    }
                }
                (None, None) => {}
            }
        }
    }

    /// A path from the top of the library.
    fn top_of(&self, words: &[String]) -> Option<Vec<String>> {
        let module = self.code.is_library.then_some(self.code.module);
        if let Some(path) = paths::from_top(words, module) {
            return Some(path);
        }
        let (first, rest) = words.split_first()?;
        let bound = self.scopes.iter().rev().find_map(|it| it.get(first))?.as_ref()?;
        Some(bound.iter().chain(rest).cloned().collect())
    }

    /// How many words of a path name the item, the item and its snippet, if that is another.
    fn find(&self, top: &[String]) -> Option<(usize, String, String)> {
        let found = self.code.catalogue.find(top)?;
        (found.2 != self.code.snippet).then_some(found)
    }

    fn tokens(&mut self, tokens: &[TokenTree], depth: usize) {
        let mut pending = Pending::default();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            at += match token {
                TokenTree::Group(group) => {
                    // What stands in `#[…]` is no code of the snippet.
                    let attribute = group.delimiter() == Delimiter::Bracket
                        && at > 0
                        && (is(tokens.get(at - 1), '#') || is_inner(tokens, at));
                    if !attribute {
                        let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                        let hidden = match group.delimiter() {
                            Delimiter::Brace => std::mem::take(&mut pending.block),
                            Delimiter::Parenthesis | Delimiter::Bracket | Delimiter::None => {
                                Vec::new()
                            }
                        };
                        self.scope(&inner, hidden, depth + 1);
                    }
                    1
                }
                TokenTree::Punct(it) if it.as_char() == ';' => {
                    let bound = std::mem::take(&mut pending.statement);
                    bound.iter().for_each(|it| self.bind(it, None));
                    1
                }
                TokenTree::Punct(it) if it.as_char() == '|' => self.closure(tokens, at),
                TokenTree::Punct(_) | TokenTree::Literal(_) => 1,
                TokenTree::Ident(it) => self.word(it, tokens, at, &mut pending, depth),
            };
        }
    }

    /// Looks at a word; returns how many tokens are dealt with.
    fn word(
        &mut self,
        word: &Ident,
        tokens: &[TokenTree],
        at: usize,
        pending: &mut Pending,
        depth: usize,
    ) -> usize {
        match &word.to_string()[..] {
            "use" => 1 + tokens[at..].iter().take_while(|it| !is(Some(it), ';')).count(),
            "let" => {
                let length = pattern(&tokens[at + 1..], |it, next| it == "=" && !next || it == ":");
                let bound = binders(&tokens[at + 1..at + 1 + length]);
                let before = ident(at.checked_sub(1).and_then(|it| tokens.get(it)));
                let asks = before.is_some_and(|it| it == "if" || it == "while")
                    || at > 0 && is(tokens.get(at - 1), '&');
                self.hidden(&tokens[at + 1..at + 1 + length], bound.clone(), depth);
                if asks {
                    pending.block.extend(bound)
                } else {
                    pending.statement.extend(bound)
                }
                1 + length
            }
            "for" => {
                let length = pattern(&tokens[at + 1..], |it, _| it == "in" || it == "{");
                let is_loop = ident(tokens.get(at + 1 + length)).is_some_and(|it| it == "in");
                if !is_loop {
                    return 1;
                }
                let bound = binders(&tokens[at + 1..at + 1 + length]);
                self.hidden(&tokens[at + 1..at + 1 + length], bound.clone(), depth);
                pending.block.extend(bound);
                1 + length
            }
            "fn" => {
                let parameters = tokens[at..].iter().find_map(|it| match it {
                    TokenTree::Group(it) if it.delimiter() == Delimiter::Parenthesis => Some(it),
                    TokenTree::Group(_)
                    | TokenTree::Ident(_)
                    | TokenTree::Punct(_)
                    | TokenTree::Literal(_) => None,
                });
                let inner: Vec<TokenTree> =
                    parameters.into_iter().flat_map(|it| it.stream()).collect();
                pending.block.extend(parameters_of(&inner));
                1
            }
            _ => self.path(tokens, at),
        }
    }

    /// Looks at tokens with some names hidden.
    fn hidden(&mut self, tokens: &[TokenTree], names: Vec<String>, depth: usize) {
        self.scopes.push(names.into_iter().map(|it| (it, None)).collect());
        self.tokens(tokens, depth + 1);
        self.scopes.pop();
    }

    /// Notes what the path that begins here means; returns how many tokens it has.
    fn path(&mut self, tokens: &[TokenTree], at: usize) -> usize {
        let mut path: Vec<&Ident> = ident(tokens.get(at)).into_iter().collect();
        let mut end = at + 1;
        while is_path(tokens, end) {
            let Some(next) = ident(tokens.get(end + 2)) else { break };
            path.push(next);
            end += 3;
        }
        let words: Vec<String> = path.iter().map(ToString::to_string).collect();
        let before = |back: usize, it: char| at >= back && is(tokens.get(at - back), it);
        let is_member = before(1, '.') && !before(2, '.');
        // The rest of a path whose beginning is no word, or a lifetime.
        let goes_on = before(1, '\'') || before(1, ':') && before(2, ':') && words[0] != "book";
        let is_field = path.len() == 1 && is(tokens.get(end), ':') && !is_path(tokens, end);
        if is_member || goes_on || is_field || paths::is_item_name(tokens, at) {
            return end - at;
        }
        let Some(top) = self.top_of(&words) else { return end - at };
        if let Some((named, item, snippet)) = self.find(&top) {
            // Words before the item are of its module, those after it are of the item.
            let which = (words.len() + named).saturating_sub(top.len() + 1);
            let which = path.get(which).or(path.first());
            self.out.extend(which.map(|it| ((*it).clone(), item, snippet)));
        }
        end - at
    }

    /// Hides what a closure binds, if one begins here; returns how many tokens are dealt with.
    fn closure(&mut self, tokens: &[TokenTree], at: usize) -> usize {
        let begins = match at.checked_sub(1).and_then(|it| tokens.get(it)) {
            None => true,
            Some(TokenTree::Punct(it)) => matches!(it.as_char(), ',' | '=' | ';' | '>' | '&'),
            Some(TokenTree::Ident(it)) => it == "move" || it == "return",
            Some(TokenTree::Group(_) | TokenTree::Literal(_)) => false,
        };
        if !begins {
            return 1;
        }
        let length = tokens[at + 1..].iter().take_while(|it| !is(Some(it), '|')).count();
        let inner = &tokens[at + 1..at + 1 + length];
        let simple = |it: &&[TokenTree]| binders(it);
        let parts = inner.split(|it| is(Some(it), ','));
        for part in parts {
            let pattern = part.split(|it| is(Some(it), ':')).next().unwrap_or_default();
            simple(&pattern).iter().for_each(|it| self.bind(it, None));
        }
        1
    }
}

fn is_inner(tokens: &[TokenTree], at: usize) -> bool {
    at > 1 && is(tokens.get(at - 1), '!') && is(tokens.get(at - 2), '#')
}

/// How many tokens there are before one that ends a pattern. `ends` sees a word, or a character and
/// whether another follows at once, or `{`.
fn pattern(tokens: &[TokenTree], ends: impl Fn(&str, bool) -> bool) -> usize {
    let end = tokens.iter().enumerate().position(|(at, token)| match token {
        TokenTree::Punct(it) => {
            let double = is_path(tokens, at) || at > 0 && is_path(tokens, at - 1);
            it.as_char() == ';'
                || !double && ends(&it.as_char().to_string(), it.spacing() == Spacing::Joint)
        }
        TokenTree::Ident(it) => ends(&it.to_string(), false),
        TokenTree::Group(it) => it.delimiter() == Delimiter::Brace && ends("{", false),
        TokenTree::Literal(_) => false,
    });
    end.unwrap_or(tokens.len())
}

/// The names that a pattern binds, and perhaps some that it only mentions.
fn binders(tokens: &[TokenTree]) -> Vec<String> {
    bound(tokens, 0)
}

fn bound(tokens: &[TokenTree], depth: usize) -> Vec<String> {
    let mut out = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(it) if depth < NESTED => {
                let inner: Vec<TokenTree> = it.stream().into_iter().collect();
                out.extend(bound(&inner, depth + 1));
            }
            TokenTree::Ident(it) => {
                let word = it.to_string();
                let is_keyword = matches!(&word[..], "ref" | "mut" | "if" | "in" | "_");
                let is_called = matches!(tokens.get(at + 1), Some(TokenTree::Group(_)));
                let is_of_path = is_path(tokens, at + 1) || at > 1 && is_path(tokens, at - 2);
                let is_name = word.starts_with(|it: char| it.is_lowercase() || it == '_');
                let binds = is_name && !is_keyword && !is_called && !is_of_path;
                out.extend(binds.then_some(word));
            }
            TokenTree::Group(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    out
}

/// The names of a function's parameters.
fn parameters_of(tokens: &[TokenTree]) -> Vec<String> {
    let parts = tokens.split(|it| is(Some(it), ','));
    let pattern = |it: &[TokenTree]| {
        let end = it.iter().position(|it| is(Some(it), ':')).unwrap_or(0);
        binders(&it[..end])
    };
    parts.flat_map(pattern).collect()
}

/// Where arms of a `match` have their `=>`.
fn arrows(tokens: &[TokenTree]) -> Vec<usize> {
    let arrow = |it: &usize| is(tokens.get(*it), '=') && is(tokens.get(*it + 1), '>');
    (0..tokens.len()).filter(arrow).collect()
}

/// The pattern before the arrow at `at`.
fn arm(tokens: &[TokenTree], at: usize) -> &[TokenTree] {
    let ends = |it: &TokenTree| match it {
        TokenTree::Punct(it) => matches!(it.as_char(), ',' | ';'),
        TokenTree::Group(it) => it.delimiter() == Delimiter::Brace,
        TokenTree::Ident(_) | TokenTree::Literal(_) => false,
    };
    let start = tokens[..at].iter().rposition(ends).map_or(0, |it| it + 1);
    &tokens[start..at]
}
