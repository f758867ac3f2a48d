//! How the program is linked.

#![expect(clippy::disallowed_methods, reason = "cargo tells of the target in the environment")]

fn main() {
    println!("cargo::rerun-if-changed=src/build.rs");
    let is = |what: &str, value: &str| std::env::var(what).is_ok_and(|it| it == value);
    // The program starts itself anew around every snippet, twice. At a fixed address its hundred
    // thousand pointers are right as they are in the file, and a start costs half.
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bin=reckoner=-no-pie");
    }
}
