//! What this stage has to say to authors.

use crate::diag::{Code, Explained};

macro_rules! codes {
    ($($name:ident = $code:literal, $text:literal;)*) => {
        $(pub(super) const $name: Code = Code($code);)*

        /// What this stage has to say to authors, sorted by code.
        pub const CODES: &[Explained] = &[$(Explained { code: $name, text: $text }),*];
    };
}

codes! {
    COMPILE = "eval-compile", "\
The compiler refused a snippet. The message, its number in brackets and the ways out are the \
compiler's own; line and column are those of the Markdown file. `rustc --explain E0308` explains \
a number at length.

A snippet that runs is the inside of a function that returns `Result<(), Box<dyn Error>>`: `?` \
works in it, items may be declared in it, and nothing need be returned. It sees the `lib` snippets \
of its own chapter; those of other chapters it imports, `use book::nn_fundamentals::softmax;`.

The other snippets are compiled and run all the same.
";
    COMPILER = "eval-compiler-limit", "\
The compiler was stopped while it compiled a snippet: it may use 120 seconds, 4 GiB of memory, and \
write programs of 512 MiB. Snippets are compiled together; which one is to blame was found by \
compiling it alone.

Look for a macro that calls itself with more and more, a type that nests without end, or a very \
large `static` or array; a `Vec` takes its memory when the program runs.
";
    DENIED = "eval-denied", "\
A snippet tried something that it may not do. Snippets run in a sandbox, so that a book can be built \
without trust in who wrote it, and so that its numbers follow from its text:

- it may read files of the folder `data` in the book folder, if its code names them as \
`\"data/prices.csv\"`, and no others
- it writes no files; what it has to say it says by `show!`
- it has no network and starts no other programs
- nothing of the environment reaches it

The place is that of the panic, or the last output that it had shown. The compiler is confined too: \
`include_str!` finds only what belongs to the package.
";
    DUPLICATE_KEY = "eval-duplicate-key", "\
A snippet shows two outputs under one key, so `` `=m05-s01.Y` `` could mean either. Give each \
output a key of its own. In a loop, make the key of the counter, `show!(format!(\"step{i}\"), x)`, \
or collect the values and show them as one list or `table!`.
";
    ERROR = "eval-error", "\
The body of a snippet returned an error: a `?` met one, or it says `return Err(…)`. The message is \
the error's. The place is the last output that the snippet had shown before.

Make the error impossible, handle it, or mark the snippet `should_panic` if failing is what it shows.
";
    EXIT = "eval-exit", "\
A snippet ended without reaching its last line: it called `std::process::exit`, or the system \
ended it by a signal. Signal 6 is an abort; signal 9 is a kill, such as when the machine is short of \
memory; signal 11 is an access to memory that it does not have.

What it had shown until then is in the book, but the build fails.
";
    KEY = "eval-key", "\
The key of an output must be a word that the text can name in `` `=m05-s01.Y[0]` ``: it is not \
empty and has no spaces, brackets, braces, colons or backticks. Words of Greek or any other script \
are fine.
";
    MANIFEST = "eval-manifest", "\
`Cargo.toml` in the book folder says which crates the snippets may use:

```toml
[package]
name = \"book\"
version = \"0.1.0\"
edition = \"2024\"

[dependencies]
nalgebra = \"0.35\"
```

It must be TOML. A dependency may not be a `path`, since the tangled package is published with the \
site and must build there. `Cargo.lock` beside it pins the versions. A book whose snippets use the \
standard library alone needs neither file.
";
    MEMORY = "eval-memory-limit", "\
A snippet wanted more memory than it may have (2 GiB of addresses, its program and the stacks of its \
threads included) and was ended. The place is the last output that it had shown.

Look for a list that only grows, or for numbers that give the size of an array; otherwise make the \
problem smaller.
";
    NO_PANIC = "eval-no-panic", "\
A snippet is marked `should_panic`, so the text around it says that it fails, but it came to its \
end. Take the mark away or make the snippet fail. A compile error does not count as a panic.
";
    OUTPUT = "eval-output-limit", "\
A snippet wrote more than fits (1 MiB) and was stopped. A page is not a good place for that many \
numbers: show a part, a summary, or a plot with fewer points. What it had shown until then is kept.
";
    PANIC = "eval-panic", "\
A snippet panicked: an `assert!`, `unwrap`, index or arithmetic failed, or it says `panic!`. The \
place is the line of the Markdown that did it, also if the panic itself is inside of a library.

Mark the snippet `should_panic` if failing is what it shows.
";
    SIGN = "eval-sign", "\
A formula uses a computed value that is negative, and its sign joins what stands beside it: with \
a value of −3, `$x - \\val{s01.n}$` prints x − −3, and `$\\val{s01.n}^2$` prints −3², which is −9 \
and not 9.

Put the value in brackets, `(\\val{s01.n})`. That is right whatever the value becomes.
";
    STACK = "eval-stack-overflow", "\
A snippet used up its stack (8 MiB), and was ended. The place is the last output that it had shown.

Look for a function that calls itself and never stops. If the depth is meant, turn the recursion \
into a loop with a `Vec`, or run it in a thread with a larger stack \
(`std::thread::Builder::new().stack_size(…)`).
";
    STRAY = "eval-stray-output", "\
A snippet printed text by `println!` or `print!`. The book shows only what has a key: \
`show!(\"key\", value)`, `table!` and `plot!`.
";
    SYNTAX = "eval-syntax", "\
The code of a snippet has a bracket, string or comment that is not closed, a bracket that closes \
nothing, or brackets nested deeper than 200 levels. The place is that of the bracket.

Such a snippet is left out before the compiler sees it, because the compiler would misread all \
that stands behind it; the other snippets are compiled and run.
";
    THREADS = "eval-thread-limit", "\
A snippet had more than 256 threads and was stopped. The place is the last output that it had shown.

A few threads keep every processor of the reader busy; `std::thread::available_parallelism` says \
how many.
";
    TIME = "eval-time-limit", "\
A snippet ran longer than it may (10 seconds by the clock, and 10 seconds of processor time for all of \
its threads together) and was stopped. The place is the last output that it had shown.

Look for an endless loop or a wait for input, or make the problem smaller. A snippet is compiled \
quickly and runs slowly. If it computes a lot, `opt=1` beside `run` has it optimized, with the same \
values; code of `lib` snippets is optimized always, and that of other crates fully.
";
    UNKNOWN = "eval-unknown-value", "\
The text uses a computed value that there is not. A path names a snippet, a key that it shows, and \
steps into the value, counted from 0:

- `` `=m05-s01.Y` ``: all of it
- `` `=m05-s01.Y[0][1]` ``: second entry of the first row
- `` `=m05-s01.errors[2][\"error\"]:.3` ``: column `error` of the third row of a table, with three decimals

Inside of maths it is `\\val{m05-s01.Y[0][1]:.3}`. A table or a plot does not fit into a line: name \
a cell, or show it as a figure, `![Alternative text](snip:m05-s01.errors)`.
";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_sorted_and_of_this_stage() {
        assert!(CODES.is_sorted_by(|a, b| a.code < b.code));
        assert!(CODES.iter().all(|it| it.code.0.starts_with("eval-") && it.text.ends_with('\n')));
    }
}
