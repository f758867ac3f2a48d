//! What stands for what in searched mathematics: characters, commands and words to tokens.
//!
//! The browser gets these tables with the index, so that both sides read TeX alike.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::math::Macros;

use super::{tex, words};

/// The tables as the index has them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tables {
    /// Characters → tokens with spaces between: `∇` → `nabla`, `²` → `^ 2`.
    pub signs: BTreeMap<String, String>,
    /// Commands without backslash → tokens with spaces between: `to` → `rightarrow`. Nothing for a
    /// command that changes how a formula looks, not what it says.
    pub commands: BTreeMap<String, String>,
    /// Commands whose first group says nothing.
    pub groups: Vec<&'static str>,
    /// Commands that set the word after them upright: `operatorname`.
    pub upright: Vec<&'static str>,
    /// Names of functions that are shorter than four letters: `log`.
    pub functions: Vec<&'static str>,
    /// Whether words are English, and are stemmed.
    pub english: bool,
    /// Words whose stems do not follow from their endings.
    pub irregular: BTreeMap<&'static str, &'static str>,
}

impl Tables {
    /// The tables for a book in `language`, a BCP 47 tag, with its own macros.
    pub fn new(language: &str, macros: &Macros) -> Self {
        let owned = |list: &[(&str, &str)]| {
            list.iter().map(|it| (it.0.to_owned(), it.1.to_owned())).collect::<BTreeMap<_, _>>()
        };
        let mut commands = owned(COMMANDS);
        commands.extend(SILENT.iter().map(|it| ((*it).to_owned(), String::new())));
        let mut tables = Self {
            signs: owned(SIGNS),
            commands,
            groups: GROUPS.to_vec(),
            upright: UPRIGHT.to_vec(),
            functions: FUNCTIONS.to_vec(),
            english: language.is_empty() || language.split('-').next() == Some("en"),
            irregular: words::IRREGULAR.iter().copied().collect(),
        };
        let plain = macros.0.iter().filter(|it| it.1.arguments == 0);
        for (name, it) in plain {
            let tokens = tex::tokens(&it.body, &tables).join(" ");
            tables.commands.insert(name.trim_start_matches('\\').to_owned(), tokens);
        }
        tables
    }
}

/// Characters that name something, sorted.
const SIGNS: &[(&str, &str)] = &[
    ("¬", "neg"),
    ("°", "circ"),
    ("±", "pm"),
    ("²", "^ 2"),
    ("³", "^ 3"),
    ("·", "cdot"),
    ("¹", "^ 1"),
    ("×", "times"),
    ("÷", "div"),
    ("Γ", "Gamma"),
    ("Δ", "Delta"),
    ("Θ", "Theta"),
    ("Λ", "Lambda"),
    ("Ξ", "Xi"),
    ("Π", "Pi"),
    ("Σ", "Sigma"),
    ("Υ", "Upsilon"),
    ("Φ", "Phi"),
    ("Ψ", "Psi"),
    ("Ω", "Omega"),
    ("α", "alpha"),
    ("β", "beta"),
    ("γ", "gamma"),
    ("δ", "delta"),
    ("ε", "epsilon"),
    ("ζ", "zeta"),
    ("η", "eta"),
    ("θ", "theta"),
    ("ι", "iota"),
    ("κ", "kappa"),
    ("λ", "lambda"),
    ("μ", "mu"),
    ("ν", "nu"),
    ("ξ", "xi"),
    ("ο", "omicron"),
    ("π", "pi"),
    ("ρ", "rho"),
    ("ς", "sigma"),
    ("σ", "sigma"),
    ("τ", "tau"),
    ("υ", "upsilon"),
    ("φ", "phi"),
    ("χ", "chi"),
    ("ψ", "psi"),
    ("ω", "omega"),
    ("ϑ", "theta"),
    ("ϕ", "phi"),
    ("ϖ", "pi"),
    ("ϱ", "rho"),
    ("ϵ", "epsilon"),
    ("ᵀ", "^ top"),
    ("ᵢ", "_ i"),
    ("ᵣ", "_ r"),
    ("ᵤ", "_ u"),
    ("ᵥ", "_ v"),
    ("‖", "Vert"),
    ("…", "dots"),
    ("′", "prime"),
    ("⁰", "^ 0"),
    ("ⁱ", "^ i"),
    ("⁴", "^ 4"),
    ("⁵", "^ 5"),
    ("⁶", "^ 6"),
    ("⁷", "^ 7"),
    ("⁸", "^ 8"),
    ("⁹", "^ 9"),
    ("⁻", "^ -"),
    ("ⁿ", "^ n"),
    ("₀", "_ 0"),
    ("₁", "_ 1"),
    ("₂", "_ 2"),
    ("₃", "_ 3"),
    ("₄", "_ 4"),
    ("₅", "_ 5"),
    ("₆", "_ 6"),
    ("₇", "_ 7"),
    ("₈", "_ 8"),
    ("₉", "_ 9"),
    ("ₐ", "_ a"),
    ("ₑ", "_ e"),
    ("ₓ", "_ x"),
    ("ₕ", "_ h"),
    ("ₖ", "_ k"),
    ("ₗ", "_ l"),
    ("ₘ", "_ m"),
    ("ₙ", "_ n"),
    ("ₚ", "_ p"),
    ("ₛ", "_ s"),
    ("ₜ", "_ t"),
    ("ℂ", "mathbb C"),
    ("ℒ", "mathcal L"),
    ("ℓ", "ell"),
    ("ℕ", "mathbb N"),
    ("ℚ", "mathbb Q"),
    ("ℝ", "mathbb R"),
    ("ℤ", "mathbb Z"),
    ("ℱ", "mathcal F"),
    ("←", "leftarrow"),
    ("→", "rightarrow"),
    ("↔", "leftrightarrow"),
    ("↦", "mapsto"),
    ("⇐", "Leftarrow"),
    ("⇒", "Rightarrow"),
    ("⇔", "Leftrightarrow"),
    ("∀", "forall"),
    ("∂", "partial"),
    ("∃", "exists"),
    ("∅", "emptyset"),
    ("∇", "nabla"),
    ("∈", "in"),
    ("∉", "notin"),
    ("∏", "prod"),
    ("∑", "sum"),
    ("−", "-"),
    ("∓", "mp"),
    ("∗", "*"),
    ("∘", "circ"),
    ("√", "sqrt"),
    ("∝", "propto"),
    ("∞", "infty"),
    ("∣", "|"),
    ("∥", "Vert"),
    ("∧", "wedge"),
    ("∨", "vee"),
    ("∩", "cap"),
    ("∪", "cup"),
    ("∫", "int"),
    ("∮", "oint"),
    ("∼", "sim"),
    ("≃", "simeq"),
    ("≅", "cong"),
    ("≈", "approx"),
    ("≔", ": ="),
    ("≠", "neq"),
    ("≡", "equiv"),
    ("≤", "leq"),
    ("≥", "geq"),
    ("≪", "ll"),
    ("≫", "gg"),
    ("≺", "prec"),
    ("≻", "succ"),
    ("⊂", "subset"),
    ("⊃", "supset"),
    ("⊆", "subseteq"),
    ("⊇", "supseteq"),
    ("⊕", "oplus"),
    ("⊗", "otimes"),
    ("⊙", "odot"),
    ("⊤", "top"),
    ("⊥", "perp"),
    ("⋅", "cdot"),
    ("⋯", "dots"),
    ("⌈", "lceil"),
    ("⌉", "rceil"),
    ("⌊", "lfloor"),
    ("⌋", "rfloor"),
    ("⟨", "langle"),
    ("⟩", "rangle"),
    ("⪯", "preceq"),
    ("⪰", "succeq"),
];

/// Commands that say the same as another or as signs, sorted.
const COMMANDS: &[(&str, &str)] = &[
    ("Big", ""),
    ("Bigg", ""),
    ("Longleftarrow", "Leftarrow"),
    ("Longleftrightarrow", "Leftrightarrow"),
    ("Longrightarrow", "Rightarrow"),
    ("Vert", "Vert"),
    ("ast", "*"),
    ("binom", "binom"),
    ("cdots", "dots"),
    ("cfrac", "frac"),
    ("colon", ":"),
    ("coloneqq", ": ="),
    ("dbinom", "binom"),
    ("ddots", "dots"),
    ("dfrac", "frac"),
    ("dotsb", "dots"),
    ("dotsc", "dots"),
    ("ge", "geq"),
    ("geqslant", "geq"),
    ("gets", "leftarrow"),
    ("gt", ">"),
    ("iff", "Leftrightarrow"),
    ("implies", "Rightarrow"),
    ("intercal", "top"),
    ("land", "wedge"),
    ("lbrace", "lbrace"),
    ("lbrack", "["),
    ("ldots", "dots"),
    ("le", "leq"),
    ("leqslant", "leq"),
    ("lnot", "neg"),
    ("longleftarrow", "leftarrow"),
    ("longleftrightarrow", "leftrightarrow"),
    ("longmapsto", "mapsto"),
    ("longrightarrow", "rightarrow"),
    ("lor", "vee"),
    ("lparen", "("),
    ("lt", "<"),
    ("lvert", "|"),
    ("lVert", "Vert"),
    ("mathscr", "mathcal"),
    ("mid", "|"),
    ("minus", "-"),
    ("ne", "neq"),
    ("overline", "bar"),
    ("owns", "ni"),
    ("rbrack", "]"),
    ("rparen", ")"),
    ("rvert", "|"),
    ("rVert", "Vert"),
    ("tbinom", "binom"),
    ("tfrac", "frac"),
    ("to", "rightarrow"),
    ("upvarphi", "phi"),
    ("varDelta", "Delta"),
    ("varGamma", "Gamma"),
    ("varLambda", "Lambda"),
    ("varOmega", "Omega"),
    ("varPhi", "Phi"),
    ("varPi", "Pi"),
    ("varPsi", "Psi"),
    ("varSigma", "Sigma"),
    ("varTheta", "Theta"),
    ("varUpsilon", "Upsilon"),
    ("varXi", "Xi"),
    ("varepsilon", "epsilon"),
    ("varkappa", "kappa"),
    ("varnothing", "emptyset"),
    ("varphi", "phi"),
    ("varpi", "pi"),
    ("varrho", "rho"),
    ("varsigma", "sigma"),
    ("vartheta", "theta"),
    ("vdots", "dots"),
    ("vert", "|"),
    ("widehat", "hat"),
    ("widetilde", "tilde"),
];

/// Commands that change how a formula looks, not what it says.
const SILENT: &[&str] = &[
    "Biggl",
    "Biggm",
    "Biggr",
    "Bigl",
    "Bigm",
    "Bigr",
    "allowbreak",
    "big",
    "bigg",
    "biggl",
    "biggm",
    "biggr",
    "bigl",
    "bigm",
    "bigr",
    "bm",
    "bold",
    "boldsymbol",
    "boxed",
    "cr",
    "displaystyle",
    "enspace",
    "hfill",
    "hline",
    "left",
    "limits",
    "mathbf",
    "mathbin",
    "mathchoice",
    "mathclose",
    "mathinner",
    "mathit",
    "mathnormal",
    "mathop",
    "mathopen",
    "mathord",
    "mathpunct",
    "mathrel",
    "mathrm",
    "mathsf",
    "mathstrut",
    "mathtt",
    "middle",
    "negthinspace",
    "newline",
    "nobreak",
    "nolimits",
    "nonumber",
    "notag",
    "operatorname",
    "pmb",
    "qquad",
    "quad",
    "right",
    "scriptscriptstyle",
    "scriptstyle",
    "smash",
    "space",
    "strut",
    "text",
    "textbf",
    "textit",
    "textnormal",
    "textrm",
    "textsf",
    "textstyle",
    "texttt",
    "thinspace",
];

/// Commands whose first group says nothing, sorted.
const GROUPS: &[&str] = &[
    "begin",
    "color",
    "colorbox",
    "end",
    "eqref",
    "hphantom",
    "href",
    "hspace",
    "htmlClass",
    "htmlId",
    "label",
    "phantom",
    "ref",
    "tag",
    "textcolor",
    "val",
    "vphantom",
];

/// Commands that set the word after them upright, sorted.
const UPRIGHT: &[&str] = &[
    "mathop",
    "mathrm",
    "mathsf",
    "mathtt",
    "operatorname",
    "text",
    "textbf",
    "textit",
    "textnormal",
    "textrm",
    "textsf",
    "texttt",
];

/// Names of functions that are shorter than four letters, sorted.
const FUNCTIONS: &[&str] = &[
    "arg", "cos", "cot", "csc", "det", "dim", "erf", "exp", "gcd", "inf", "ker", "lim", "ln",
    "log", "max", "min", "sec", "sin", "sup", "tan",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_each_entry_once() {
        assert!(SIGNS.is_sorted_by(|a, b| a.0 < b.0));
        let mut names: Vec<&str> = COMMANDS.iter().map(|it| it.0).chain(SILENT.to_vec()).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(
            GROUPS.is_sorted()
                && UPRIGHT.is_sorted()
                && FUNCTIONS.is_sorted()
                && SILENT.is_sorted()
        );
    }

    #[test]
    fn tokens_stay_what_they_are() {
        // Reading what a table says gives the same tokens, so a token can be typed as a command.
        let tables = Tables::new("en", &Macros::default());
        let all = tables.signs.values().chain(tables.commands.values());
        for token in all.flat_map(|it| it.split_whitespace()) {
            let is_name = token.len() > 1 && token.chars().all(|it| it.is_ascii_alphabetic());
            let typed = if is_name { format!("\\{token}") } else { token.to_owned() };
            assert_eq!(tex::tokens(&typed, &tables), [token]);
        }
    }

    #[test]
    fn a_macro_of_the_book_says_what_it_stands_for() {
        let mut macros = Macros::default();
        macros.0.insert("\\R".into(), "\\mathbb{R}".into());
        macros.0.insert("\\norm".into(), "\\lVert #1\\rVert".into());
        let tables = Tables::new("en", &macros);
        assert_eq!(tex::tokens("\\R^n", &tables), ["mathbb", "R", "^", "n"]);
        assert_eq!(tex::tokens("\\norm{x}", &tables), ["norm", "x"]);
    }
}
