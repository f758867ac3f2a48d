//! Numbers to digits: formats, groups of thousands, powers of ten, and numbers that stand together.

/// Significant digits of a number, if nothing else is said.
const DIGITS: u8 = 6;

/// How a number is to be written: `:.3` has 3 decimals, `:3e` three significant digits with a
/// power of ten, `:,` all whole digits in groups of three, none 6 significant digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Format {
    /// Digits after the point.
    pub decimals: Option<u8>,
    /// Significant digits, if `decimals` is not given.
    pub significant: Option<u8>,
    /// Whether to write a power of ten always.
    pub scientific: bool,
    /// Whether to write as per cent.
    pub percent: bool,
    /// Whether to write all whole digits, in groups of three also where there are only four.
    pub grouped: bool,
}

/// Digits that a format may ask for.
const LIMIT: u8 = 20;

/// From here on a double has no digits after its point, and soon none before it that mean anything.
const LARGE: f64 = 1e15;

impl Format {
    /// Reads what stands after the colon: ``, `.3`, `4`, `3e`, `,`, `.1%`.
    ///
    /// # Errors
    /// A message, when `text` is not of this form.
    pub fn parse(text: &str) -> Result<Self, String> {
        let bad = || {
            let forms = "use `.3`, `4`, `3e`, `.1%` or `,`";
            format!("`{text}` is not a number format; {forms}, with at most {LIMIT} digits")
        };
        let mut format = Self { grouped: text.starts_with(','), ..Self::default() };
        let mut rest = text.strip_prefix(',').unwrap_or(text);
        if let Some(left) = rest.strip_suffix('%') {
            (format.percent, rest) = (true, left);
        }
        if let Some(left) = rest.strip_suffix('e') {
            (format.scientific, rest) = (true, left);
        }
        let digits = |it: &str| it.parse().ok().filter(|it: &u8| *it <= LIMIT).ok_or_else(bad);
        if let Some(left) = rest.strip_prefix('.') {
            format.decimals = Some(digits(left)?);
        } else if !rest.is_empty() {
            format.significant = Some(digits(rest)?.max(1));
        }
        Ok(format)
    }
}

/// A number taken apart, so that a renderer can set it as text or as maths.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Number {
    /// Whether it is negative.
    pub negative: bool,
    /// Digits before the point in groups of three, or `NaN` or `∞` alone.
    pub whole: Vec<String>,
    /// Digits after the point; may be empty.
    pub decimals: String,
    /// The power of ten.
    pub exponent: Option<i32>,
    /// Whether `%` follows.
    pub percent: bool,
}

impl Number {
    /// As Unicode text: `−1 234.5×10⁻³` with thin spaces between groups.
    pub fn text(&self) -> String {
        let (before, after) = self.parts();
        before + &after
    }

    /// As Unicode text, what is before the point, and the rest.
    pub fn parts(&self) -> (String, String) {
        let sign = if self.negative { "−" } else { "" };
        let before = format!("{sign}{}", self.whole.join("\u{202f}"));
        let mut out = String::new();
        if !self.decimals.is_empty() {
            out.push('.');
            out.push_str(&self.decimals);
        }
        if let Some(exponent) = self.exponent {
            out.push_str("×10");
            for c in exponent.to_string().chars() {
                out.push(match c {
                    '-' => '⁻',
                    c => ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹']
                        [c.to_digit(10).expect("a written integer has digits only") as usize],
                });
            }
        }
        if self.percent {
            out.push_str("\u{202f}%");
        }
        (before, out)
    }

    /// As TeX: `-1\,234.5\times 10^{-3}`.
    pub fn tex(&self) -> String {
        let mut out = String::new();
        if self.negative {
            out.push('-');
        }
        match &self.whole[..] {
            [one] if one == "∞" => out.push_str("\\infty"),
            [one] if one == "NaN" => out.push_str("\\text{NaN}"),
            groups => out.push_str(&groups.join("\\,")),
        }
        if !self.decimals.is_empty() {
            out.push('.');
            out.push_str(&self.decimals);
        }
        if let Some(exponent) = self.exponent {
            out.push_str(&format!("\\times 10^{{{exponent}}}"));
        }
        if self.percent {
            out.push_str("\\,\\%");
        }
        out
    }
}

fn whole(int: i128, format: Format) -> Number {
    if format.scientific || format.percent || format.decimals.is_some() {
        return number(int as f64, format);
    }
    let digits = int.unsigned_abs().to_string();
    Number {
        negative: int < 0,
        whole: groups(&digits, format.grouped),
        decimals: String::new(),
        exponent: None,
        percent: false,
    }
}

fn number(value: f64, format: Format) -> Number {
    let alone = |word: &str| Number {
        negative: value < 0.0,
        whole: vec![word.into()],
        decimals: String::new(),
        exponent: None,
        percent: false,
    };
    if value.is_nan() {
        return alone("NaN");
    }
    if value.is_infinite() {
        return alone("∞");
    }
    let scaled = if format.percent { value * 100.0 } else { value };
    let mut out = if scaled.is_infinite() {
        let mut out = finite(value, Format { scientific: true, ..format });
        out.exponent = out.exponent.map(|it| it + 2);
        out
    } else {
        finite(scaled, format)
    };
    if format.grouped {
        out.whole = groups(&out.whole.concat(), true);
    }
    out.percent = format.percent;
    out
}

fn finite(value: f64, format: Format) -> Number {
    match (format.decimals, format.scientific) {
        (Some(decimals), false) if value.abs() < LARGE => fixed(value, decimals.into()),
        (Some(decimals), _) => powered(value, usize::from(decimals) + 1, true),
        (None, true) => powered(value, format.significant.unwrap_or(DIGITS).into(), false),
        (None, false) => significant(value, format),
    }
}

/// Significant digits without trailing zeros; a power of ten outside of 10⁻⁴ … 10⁶, but whole
/// numbers below 10¹⁵ stay whole if nothing else is said, and all whole digits are written if
/// groups are asked for.
fn significant(value: f64, format: Format) -> Number {
    let digits = usize::from(format.significant.unwrap_or(DIGITS));
    if value == 0.0 {
        return fixed(0.0, 0);
    }
    let large = value.abs() >= LARGE;
    let stays = format.significant.is_none() || format.grouped;
    if value.fract() == 0.0 && stays && !large {
        return fixed(value, 0);
    }
    let exponent = exponent(value, digits);
    let top = i32::try_from(digits).unwrap_or(6).max(6);
    if exponent < -4 || large || exponent >= top && !format.grouped {
        return powered(value, digits, false);
    }
    let mut out = fixed(value, decimals_of(value, digits));
    out.decimals.truncate(out.decimals.trim_end_matches('0').len());
    out
}

/// The power of ten of a number written with so many significant digits.
fn exponent(value: f64, digits: usize) -> i32 {
    let text = format!("{:.*e}", digits.saturating_sub(1), value);
    text.split_once('e').and_then(|(_, it)| it.parse().ok()).expect("`{:e}` has an exponent")
}

fn fixed(value: f64, decimals: usize) -> Number {
    let text = format!("{:.*}", decimals, value.abs());
    let (before, after) = text.split_once('.').unwrap_or((&text, ""));
    let zero = text.bytes().all(|it| matches!(it, b'0' | b'.'));
    Number {
        negative: value < 0.0 && !zero,
        whole: groups(before, false),
        decimals: after.into(),
        exponent: None,
        percent: false,
    }
}

fn powered(value: f64, digits: usize, keep_zeros: bool) -> Number {
    // Nothing has no order of magnitude.
    if value == 0.0 {
        return fixed(0.0, 0);
    }
    let text = format!("{:.*e}", digits.saturating_sub(1), value.abs());
    let (mantissa, exponent) = text.split_once('e').expect("`{:e}` has an exponent");
    let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let after = if keep_zeros { after } else { after.trim_end_matches('0') };
    Number {
        negative: value < 0.0,
        whole: groups(before, false),
        decimals: after.into(),
        exponent: Some(exponent.parse().expect("`{:e}` has a whole exponent")),
        percent: false,
    }
}

/// Groups of three from the right; four digits stay together, as is usual in tables, if groups are
/// not `asked` for.
fn groups(digits: &str, asked: bool) -> Vec<String> {
    if digits.len() <= if asked { 3 } else { 4 } {
        return vec![digits.into()];
    }
    let first = digits.len() % 3;
    let mut out = Vec::new();
    if first > 0 {
        out.push(digits[..first].into());
    }
    let mut rest = &digits[first..];
    while !rest.is_empty() {
        out.push(rest[..3].into());
        rest = &rest[3..];
    }
    out
}

/// How numbers that stand together are written: those that are not whole with one number of
/// decimals, which gives the largest of them all its significant digits, and no more decimals than
/// they need.
#[derive(Clone, Copy, Debug)]
pub(super) struct Together {
    format: Format,
    decimals: Option<usize>,
}

impl Together {
    pub(super) fn new(values: impl Iterator<Item = f64> + Clone, format: Format) -> Self {
        let said = format.decimals.is_some() || format.scientific || format.percent;
        let digits = usize::from(format.significant.unwrap_or(DIGITS));
        let plain = |it: &f64| is_broken(*it) && significant(*it, format).exponent.is_none();
        let values = values.filter(plain);
        let most = values.clone().map(f64::abs).fold(0.0, f64::max);
        if said || most == 0.0 {
            return Self { format, decimals: None };
        }
        let most = decimals_of(most, digits);
        let needed = |it: f64| {
            let after = fixed(it, most).decimals;
            after.trim_end_matches('0').len()
        };
        let kept = values.filter(|it| keeps(*it, most, format));
        Self { format, decimals: kept.map(needed).max() }
    }

    pub(super) fn format(self) -> Format {
        self.format
    }

    /// A whole number beside those that it was made for.
    pub(super) fn whole(self, int: i128) -> Number {
        whole(int, self.format)
    }

    /// A number of those that it was made for.
    pub(super) fn number(self, value: f64) -> Number {
        match self.decimals {
            Some(decimals) if is_broken(value) && keeps(value, decimals, self.format) => {
                let mut out = fixed(value, decimals);
                if self.format.grouped {
                    out.whole = groups(&out.whole.concat(), true);
                }
                out
            }
            Some(_) | None => number(value, self.format),
        }
    }
}

/// Whether a number has digits after its point.
fn is_broken(value: f64) -> bool {
    value.is_finite() && value.fract() != 0.0
}

/// How many decimals give `value` so many significant digits.
fn decimals_of(value: f64, digits: usize) -> usize {
    usize::try_from(i32::try_from(digits).unwrap_or(6) - 1 - exponent(value, digits)).unwrap_or(0)
}

/// Whether `decimals` show enough of `value`: three significant digits, or all that it has.
fn keeps(value: f64, decimals: usize, format: Format) -> bool {
    let digits = usize::from(format.significant.unwrap_or(DIGITS));
    let own = significant(value, format);
    own.exponent.is_none()
        && (own.decimals.len() <= decimals || decimals_of(value, digits.min(3)) <= decimals)
}
