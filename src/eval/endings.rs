//! How a program ended, or the compiler, to words and a way out.

use super::{End, codes};
use crate::diag::Code;

/// What is said of an end.
pub(super) struct Ending {
    pub(super) code: Code,
    pub(super) message: String,
    /// A way out.
    pub(super) help: &'static str,
}

/// What a program may do with the world.
pub(super) const PERMITTED: &str = "a snippet may read files of the book's folder `data` that its \
    code names, as `\"data/prices.csv\"`; no other files, no writing, no network, no other programs";

/// Of a program that was ended, by a limit or a signal. `stderr` may say why there was a signal.
pub(super) fn of_program(end: End, stderr: &str) -> Ending {
    let (code, what, help) = match end {
        End::TimeLimit(seconds) => {
            let what = format!("was stopped after {}", count(seconds, "second"));
            (codes::TIME, what, "make it quicker or its problem smaller")
        }
        End::ProcessorLimit(seconds) => {
            let what = format!("was stopped after {} of processor time", count(seconds, "second"));
            (codes::TIME, what, "make it quicker, its problem smaller, or its threads fewer")
        }
        End::OutputLimit(bytes) => {
            let what = format!("was stopped after {} of output", size(bytes));
            (codes::OUTPUT, what, "show fewer or smaller values")
        }
        End::MemoryLimit { limit, asked } => {
            (codes::MEMORY, memory(limit, asked), "make its problem smaller, or keep less of it")
        }
        End::StackLimit(bytes) => {
            let what = format!("overflowed its stack of {}", size(bytes));
            (codes::STACK, what, "look for a recursion that does not end, or make it a loop")
        }
        End::ThreadLimit(threads) => {
            let what = format!("was stopped because it had more than {threads} threads");
            (codes::THREADS, what, "a few threads are enough to keep every processor busy")
        }
        End::FileLimit(bytes) => {
            let what = match bytes {
                0 => "was stopped because it wrote to a file".to_owned(),
                _ => format!("was stopped because it wrote more than {} to a file", size(bytes)),
            };
            (codes::DENIED, what, PERMITTED)
        }
        End::Signal(signal) => {
            let why = stderr.lines().map(str::trim).find(|it| !it.is_empty());
            let why = why.map_or(String::new(), |it| format!(": {it}"));
            let what = format!("was ended by signal {signal}{}{why}", named(signal));
            (codes::EXIT, what, "a snippet ends by reaching its end")
        }
        End::Code(code) => {
            let what = format!("ended with exit code {code} before its last line");
            (codes::EXIT, what, "a snippet ends by reaching its end, not by `std::process::exit`")
        }
    };
    Ending { code, message: format!("the snippet {what}"), help }
}

/// Of the compiler, halted while it compiled one snippet.
pub(super) fn of_compiler(end: End) -> Ending {
    let what = match end {
        End::TimeLimit(seconds) => format!("was stopped after {}", count(seconds, "second")),
        End::ProcessorLimit(seconds) => {
            format!("was stopped after {} of processor time", count(seconds, "second"))
        }
        End::OutputLimit(bytes) => format!("was stopped after {} of output", size(bytes)),
        End::MemoryLimit { limit, asked } => memory(limit, asked),
        End::StackLimit(bytes) => format!("overflowed its stack of {}", size(bytes)),
        End::ThreadLimit(threads) => format!("had more than {threads} threads"),
        End::FileLimit(bytes) => format!("wrote a program of more than {}", size(bytes)),
        End::Signal(signal) => format!("was ended by signal {signal}{}", named(signal)),
        End::Code(code) => format!("ended with exit code {code}"),
    };
    Ending {
        code: codes::COMPILER,
        message: format!("on this snippet the compiler {what}"),
        help: "look for a macro or a type that grows without end, or a very large `static` or \
               array; the other snippets still run",
    }
}

fn memory(limit: u64, asked: u64) -> String {
    let asked = match asked {
        0 => "more".to_owned(),
        asked => format!("{} more", size(asked)),
    };
    format!("ran out of memory: it may have {}, and asked for {asked}", size(limit))
}

/// Whether a message is of something that the system did not permit.
pub(super) fn is_denied(message: &str) -> bool {
    ["PermissionDenied", "(os error 1)", "(os error 13)"].iter().any(|it| message.contains(it))
}

/// A way out of a panic that a limit is behind.
pub(super) fn of_panic(message: &str) -> Option<&'static str> {
    message.contains("failed to spawn thread").then_some(
        "its threads have used up its memory, 2 MiB for the stack of each; a few threads are enough \
         to keep every processor busy",
    )
}

fn count(number: u64, word: &str) -> String {
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}

/// A number of bytes as people say it: `10 GiB`, `1.5 MiB`.
fn size(bytes: u64) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let power = (bytes.max(1).ilog2() / 10) as usize;
    let scaled = bytes as f64 / (1u64 << (10 * power)) as f64;
    let rounded = (scaled * 10.0).round() / 10.0;
    format!("{rounded} {}", units[power])
}

/// Signals that have one number on every Unix.
fn named(signal: i32) -> &'static str {
    match signal {
        4 => ", an instruction that is none",
        6 => ", an abort",
        8 => ", an error of arithmetic",
        9 => ", a kill",
        11 => ", an access to memory that it does not have",
        15 => ", a request to end",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_said_as_people_say_them() {
        let said = [0, 1000, 1536, 1 << 20, 10_737_418_240, u64::MAX].map(size);
        assert_eq!(said, ["0 bytes", "1000 bytes", "1.5 KiB", "1 MiB", "10 GiB", "16 EiB"]);
    }

    #[test]
    fn a_denial_is_known_in_both_of_its_forms() {
        let error = std::io::Error::from_raw_os_error(13);
        assert!(is_denied(&error.to_string()) && is_denied(&format!("{error:?}")));
        assert!(!is_denied(&std::io::Error::from_raw_os_error(2).to_string()));
        assert!(!is_denied("(os error 11)"));
    }
}
