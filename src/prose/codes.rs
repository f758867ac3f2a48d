//! What there is to say about prose: codes with the texts that explain them.

use crate::diag::{Code, Explained};

pub(super) const ALTERNATIVE: Code = Code("prose-alt");
pub(super) const AVOIDED: Code = Code("prose-avoided");
pub(super) const LENGTH: Code = Code("prose-length");
pub(super) const SPELLING: Code = Code("prose-spelling");
pub(super) const WORDS: Code = Code("prose-words");

/// What there is to say about prose, sorted by code.
pub const CODES: &[Explained] = &[
    Explained {
        code: ALTERNATIVE,
        text: "A figure or a picture has no alternative text, and `book.toml` asks for it by `alt = \
               true` under `[prose]`. Readers who listen, and those whose browser cannot show the \
               picture, get nothing.\n\nSay between the brackets what it shows, not what it is \
               called:\n\n```md\n![A loss that falls steeply and then levels off](loss.svg)\n```",
    },
    Explained {
        code: AVOIDED,
        text: "The text has a word or phrase that `book.toml` lists under `[prose]` as one to \
               avoid:\n\n```toml\n[prose]\navoid = [\"obviously\", \"of course\"]\n```\n\nWhole words \
               are compared, upper and lower case alike, in running text, headings, captions and \
               alternative texts. Code, formulas and block quotes are not looked at, and a compound \
               such as `simply-connected` is a word of its own.\n\nLeave the word out, or say why \
               the thing is so.",
    },
    Explained {
        code: LENGTH,
        text: "A chapter has fewer or more words of running text than `book.toml` asks for:\n\n\
               ```toml\n[prose]\nwords = [2500, 5500]\n```\n\nIt is asked of the chapters of the \
               course, or of all numbered chapters if the book has no course outline. Headings, \
               paragraphs, lists, environments, captions, the words of tables and footnotes count; \
               front matter, formulas, code and numbers in tables do not. `reckoner check` prints \
               the count.\n\nA chapter that needs another length says so by `words = [2500, 6000]` \
               in its front matter.",
    },
    Explained {
        code: SPELLING,
        text: "A word is neither in the dictionary that `book.toml` names, `spelling = \"en-US\"` \
               under `[prose]`, nor in the book's own list. It is reported at its first place in \
               each chapter.\n\nThe dictionary is American: `behavior`, `color`, `normalize`. Words \
               in code, formulas and block quotes are not looked up, nor are words with digits, \
               single letters, and acronyms of up to six capital letters.\n\nMend the word; or if \
               it is right, as a name or a term is, add it to `words.txt` in the book folder.",
    },
    Explained {
        code: WORDS,
        text: "A line of `words.txt` does not do what it is there for. The file lists words of the \
               book that the dictionary does not have, one a line, sorted without regard to case; \
               lines that begin with `#` are comments.\n\nA word in lower case stands for its \
               capitalized form too; one with capitals, as a name, only for itself. A word that the \
               dictionary has, that no chapter uses, or that is listed twice can be removed.",
    },
];
