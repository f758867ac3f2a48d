//! Remembers results of pure functions by a fingerprint of their inputs.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use rayon::prelude::*;
use siphasher::sip128::{Hasher128, SipHasher13};

/// The results of one function.
#[derive(Debug)]
pub struct Table<V> {
    entries: HashMap<u128, Entry<V>>,
    /// How often the function ran since the table was made.
    pub runs: usize,
}

#[derive(Debug)]
struct Entry<V> {
    value: Arc<V>,
    /// Builds since it was last asked for.
    age: u8,
}

impl<V> Default for Table<V> {
    fn default() -> Self {
        Self { entries: HashMap::new(), runs: 0 }
    }
}

impl<V: Send + Sync> Table<V> {
    /// The result for `key`, computed only if it is not remembered.
    ///
    /// `compute` is a `fn` and not a closure, so it cannot depend on anything but `key`.
    pub fn get<K: Hash>(&mut self, key: &K, compute: fn(&K) -> V) -> Arc<V> {
        let print = fingerprint(key);
        if let Some(entry) = self.entries.get_mut(&print) {
            entry.age = 0;
            return entry.value.clone();
        }
        self.runs += 1;
        let value = Arc::new(compute(key));
        self.entries.insert(print, Entry { value: value.clone(), age: 0 });
        value
    }

    /// The results for all `keys`, in their order; those not remembered are computed in parallel.
    pub fn get_all<K: Hash + Sync>(&mut self, keys: &[K], compute: fn(&K) -> V) -> Vec<Arc<V>> {
        let prints: Vec<u128> = keys.par_iter().map(fingerprint).collect();
        let mut missing: Vec<usize> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for (index, print) in prints.iter().enumerate() {
            if !self.entries.contains_key(print) && seen.insert(*print) {
                missing.push(index);
            }
        }
        self.runs += missing.len();
        let fresh: Vec<(usize, V)> =
            missing.into_par_iter().map(|index| (index, compute(&keys[index]))).collect();
        for (index, value) in fresh {
            self.entries.insert(prints[index], Entry { value: Arc::new(value), age: 0 });
        }
        let one = |print: &u128| {
            let entry = self.entries.get_mut(print).expect("every missing key was just computed");
            entry.age = 0;
            entry.value.clone()
        };
        prints.iter().map(one).collect()
    }

    /// Ends a build: forgets every result that two builds did not ask for.
    pub fn sweep(&mut self) {
        self.entries.retain(|_, entry| {
            entry.age = entry.age.saturating_add(1);
            entry.age <= 2
        });
    }

    /// How many results are remembered.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing is remembered.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

/// A fingerprint that is equal for equal values on every machine and in every run.
pub fn fingerprint(key: &impl Hash) -> u128 {
    let mut hasher = SipHasher13::new();
    key.hash(&mut hasher);
    hasher.finish128().as_u128()
}
