//! Elementary functions that give the same bits on every machine.
//!
//! `f64::exp` and its like call functions of the system's C library by their C names, and those
//! differ in the last digit from one library, version and processor to another. Here the same names
//! are functions of the crate `libm`, written in Rust. The linker takes them for every call in the
//! program, whichever crate makes it.
//!
//! The compiler must not work around them. It may replace a call by another that it thinks equal,
//! and does so in optimized code only; [`pow`] does the same always, and [`sincos`], by which it
//! replaces a sine and a cosine of one number, is here too. It also evaluates a call with a constant
//! argument itself; `.cargo/config.toml` forbids that.
//!
//! Square roots, remainders, roundings and the fused product and sum have one right result, which
//! every system gives.

use std::mem::MaybeUninit;

macro_rules! by_libm {
    ($kind:ty: $($name:ident($($argument:ident),+))*) => { $(
        #[unsafe(no_mangle)]
        extern "C" fn $name($($argument: $kind),+) -> $kind {
            libm::$name($($argument),+)
        }
    )* };
}

by_libm! { f64:
    acos(x) acosh(x) asin(x) asinh(x) atan(x) atan2(y, x) atanh(x)
    cos(x) cosh(x) sin(x) sinh(x) tan(x) tanh(x)
    exp(x) exp10(x) exp2(x) expm1(x) log(x) log10(x) log1p(x) log2(x)
    cbrt(x) hypot(x, y) erf(x) erfc(x) lgamma(x) tgamma(x)
}

by_libm! { f32:
    acosf(x) acoshf(x) asinf(x) asinhf(x) atanf(x) atan2f(y, x) atanhf(x)
    cosf(x) coshf(x) sinf(x) sinhf(x) tanf(x) tanhf(x)
    expf(x) exp10f(x) exp2f(x) expm1f(x) logf(x) log10f(x) log1pf(x) log2f(x)
    cbrtf(x) hypotf(x, y) erff(x) erfcf(x) lgammaf(x) tgammaf(x)
}

macro_rules! power {
    ($name:ident, $kind:ident, $exp2:ident, $exp10:ident) => {
        /// The power, with the shortcuts that the compiler takes where an argument is a constant.
        #[unsafe(no_mangle)]
        extern "C" fn $name(x: $kind, y: $kind) -> $kind {
            const FRACTION: u32 = $kind::MANTISSA_DIGITS - 1;
            if y == 2.0 {
                return x * x;
            }
            if y == 0.5 {
                return if x == $kind::NEG_INFINITY { $kind::INFINITY } else { x.sqrt().abs() };
            }
            if y == -1.0 {
                return 1.0 / x;
            }
            let (bits, whole) = (x.to_bits(), 1 << FRACTION);
            let exponent = (bits >> FRACTION) as i32 - ($kind::MAX_EXP - 1);
            if x > 0.0 && bits % whole == 0 && (1..64).contains(&exponent.abs()) {
                return libm::$exp2(exponent as $kind * y);
            }
            if x == 10.0 {
                return libm::$exp10(y);
            }
            libm::$name(x, y)
        }
    };
}

power!(pow, f64, exp2, exp10);
power!(powf, f32, exp2f, exp10f);

#[unsafe(no_mangle)]
extern "C" fn sincos(x: f64, sin: &mut MaybeUninit<f64>, cos: &mut MaybeUninit<f64>) {
    sin.write(libm::sin(x));
    cos.write(libm::cos(x));
}

#[unsafe(no_mangle)]
extern "C" fn sincosf(x: f32, sin: &mut MaybeUninit<f32>, cos: &mut MaybeUninit<f32>) {
    sin.write(libm::sinf(x));
    cos.write(libm::cosf(x));
}
