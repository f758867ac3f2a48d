//! Random numbers that are the same in every run and on every machine.

/// A generator whose numbers follow from its seed alone: SplitMix64 by Steele, Lea and Flood.
///
/// It is made for examples, not for secrets.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// A generator; equal seeds give equal numbers.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Any 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to, and without, 1; all multiples of 2⁻⁵³ are equally likely.
    pub fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A whole number below `end`, each as likely as any other.
    ///
    /// # Panics
    /// If `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        assert!(end > 0, "there is no whole number below 0");
        let end = end as u64;
        // The last draws that do not fill a whole round of `end` would favor small numbers.
        let rest = u64::MAX % end;
        loop {
            let bits = self.bits();
            if rest == end - 1 || bits < u64::MAX - rest {
                return (bits % end) as usize;
            }
        }
    }

    /// A number of the normal distribution with mean 0 and deviation 1.
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }

    /// Puts `items` into an order of which each is as likely as any other.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
