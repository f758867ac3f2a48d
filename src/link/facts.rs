//! What is said of a formula beside it, for both outputs: which facts, in which order, and by
//! which words.

/// A fact that a formula's card may state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    /// The conditions under which it holds.
    HoldsIf,
    /// The formulas that it rests on.
    RestsOn,
    /// Where it is derived.
    DerivedIn,
    /// The works that it is from.
    Source,
    /// The snippets that compute it.
    ComputedIn,
    /// What rests on it or mentions it.
    UsedIn,
}

impl Fact {
    /// All facts in their order on a card.
    pub const ALL: [Self; 6] = [
        Self::HoldsIf,
        Self::RestsOn,
        Self::DerivedIn,
        Self::Source,
        Self::ComputedIn,
        Self::UsedIn,
    ];

    /// What stands before the fact.
    pub const fn word(self) -> &'static str {
        match self {
            Self::HoldsIf => "Holds if",
            Self::RestsOn => "Rests on",
            Self::DerivedIn => "Derived in",
            Self::Source => "Source",
            Self::ComputedIn => "Computed in",
            Self::UsedIn => "Used in",
        }
    }
}
