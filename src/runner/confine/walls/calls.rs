//! Who is confined to the calls of the system that it may make, as a seccomp filter.
//!
//! A snippet may make those of the list. The compiler starts programs and writes files, so it may
//! make all but those of another list.

use std::collections::BTreeMap;

use libc::{SYS_clone, SYS_clone3, SYS_execve, SYS_fcntl, SYS_ioctl, SYS_openat};
use seccompiler::SeccompCmpArgLen::{Dword, Qword};
use seccompiler::SeccompCmpOp::{Eq, MaskedEq};
use seccompiler::{
    BpfProgram, Error, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition,
    SeccompFilter, SeccompRule, TargetArch, apply_filter,
};

use super::Kind;

/// For each call the ways in which it may be made; none means every way.
type Rules = BTreeMap<i64, Vec<SeccompRule>>;

#[cfg(target_arch = "x86_64")]
const HERE: TargetArch = TargetArch::x86_64;
#[cfg(target_arch = "aarch64")]
const HERE: TargetArch = TargetArch::aarch64;

/// Whether this system has such filters: a thread of its own gets one that lets all pass but a
/// call that nobody makes.
pub(super) fn are_there() -> bool {
    let rules = Rules::from([(libc::SYS_kexec_load, Vec::new())]);
    let probe = || install(rules, SeccompAction::Allow, refusal(libc::EPERM)).is_ok();
    std::thread::spawn(probe).join().unwrap_or_default()
}

/// Puts the filter of `kind` on this thread and all that it becomes and starts, for good.
pub(super) fn filter(kind: Kind) -> Result<(), Error> {
    match kind {
        Kind::Compiler => install(forbidden(), SeccompAction::Allow, refusal(libc::EPERM)),
        Kind::Snippet => {
            // Its arguments are in memory, where a filter cannot look. "There is no such call"
            // makes the C library take the older one, whose arguments can be seen.
            let newer = Rules::from([(SYS_clone3, Vec::new())]);
            install(newer, SeccompAction::Allow, refusal(libc::ENOSYS))?;
            install(permitted()?, refusal(libc::EPERM), SeccompAction::Allow)
        }
    }
}

/// `other` happens to calls that no rule matches.
fn install(rules: Rules, other: SeccompAction, matched: SeccompAction) -> Result<(), Error> {
    let program: BpfProgram = SeccompFilter::new(rules, other, matched, HERE)
        .and_then(BpfProgram::try_from)
        .map_err(Error::from)?;
    apply_filter(&program)
}

fn refusal(number: i32) -> SeccompAction {
    SeccompAction::Errno(number.unsigned_abs())
}

/// What a snippet may do: compute, use memory and threads, read files that are not walled off,
/// write to what is open, look at the clock, and end.
fn permitted() -> Result<Rules, Error> {
    let mut out: Rules = ALWAYS.iter().map(|it| (*it, Vec::new())).collect();
    let mut only = |call, argument, size: SeccompCmpArgLen, op: SeccompCmpOp, values: &[u64]| {
        let rule = |value: &u64| {
            let one = SeccompCondition::new(argument, size.clone(), op.clone(), *value)?;
            SeccompRule::new(vec![one])
        };
        let rules: Result<Vec<_>, _> = values.iter().map(rule).collect();
        out.insert(call, rules.map_err(Error::from)?);
        Ok::<(), Error>(())
    };
    // A process that is no thread of this one would outlive limits.
    let thread = bits(libc::CLONE_THREAD | libc::CLONE_VM);
    only(SYS_clone, 0, Qword, MaskedEq(thread), &[thread])?;
    let writes = bits(libc::O_ACCMODE | libc::O_CREAT | libc::O_TRUNC | libc::O_APPEND);
    only(SYS_openat, 2, Dword, MaskedEq(writes), &[bits(libc::O_RDONLY)])?;
    #[cfg(target_arch = "x86_64")]
    only(libc::SYS_open, 1, Dword, MaskedEq(writes), &[bits(libc::O_RDONLY)])?;
    let descriptor = [libc::F_DUPFD_CLOEXEC, libc::F_GETFD, libc::F_GETFL, libc::F_SETFD];
    only(SYS_fcntl, 1, Dword, Eq, &descriptor.map(bits))?;
    // The standard library asks whether it writes to a terminal.
    only(SYS_ioctl, 1, Dword, Eq, &[TERMINAL, CLOSE_ON_EXEC])?;
    let names = [bits(libc::PR_SET_NAME), bits(libc::PR_GET_NAME), MEMORY_NAME];
    only(libc::SYS_prctl, 0, Dword, Eq, &names)?;
    // Limits may be read. The third argument would set them.
    only(libc::SYS_prlimit64, 2, Qword, Eq, &[0])?;
    // Signals are for itself: so an abort works.
    let own = u64::from(std::process::id());
    only(libc::SYS_tgkill, 0, Dword, Eq, &[own])?;
    only(libc::SYS_kill, 0, Dword, Eq, &[own])?;
    Ok(out)
}

/// `TCGETS`, `FIOCLEX` and `PR_SET_VMA`, whose types are another for each C library.
const TERMINAL: u64 = 0x5401;
const CLOSE_ON_EXEC: u64 = 0x5451;
const MEMORY_NAME: u64 = 0x5356_4d41;

fn bits(flags: i32) -> u64 {
    u64::from(flags.unsigned_abs())
}

/// What a compiler and a linker never do. On a system that knows a second set of numbers for the
/// same calls (x32), both are meant.
fn forbidden() -> Rules {
    let other = |it: i64| if cfg!(target_arch = "x86_64") { it | 0x4000_0000 } else { it };
    NEVER.iter().flat_map(|it| [*it, other(*it)]).map(|it| (it, Vec::new())).collect()
}

/// A snippet may make these with any arguments. Starting programs is among them because it is how
/// the snippet itself begins; the wall around files leaves it nothing else to start.
const ALWAYS: &[i64] = &[
    libc::SYS_brk,
    libc::SYS_clock_getres,
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    SYS_clone3,
    libc::SYS_close,
    libc::SYS_dup,
    libc::SYS_dup3,
    SYS_execve,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_fstat,
    libc::SYS_futex,
    libc::SYS_getcpu,
    libc::SYS_getcwd,
    libc::SYS_getdents64,
    libc::SYS_getegid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_getrandom,
    libc::SYS_getrusage,
    libc::SYS_gettid,
    libc::SYS_gettimeofday,
    libc::SYS_getuid,
    libc::SYS_lseek,
    libc::SYS_madvise,
    libc::SYS_membarrier,
    libc::SYS_mincore,
    libc::SYS_mmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_munmap,
    libc::SYS_nanosleep,
    libc::SYS_newfstatat,
    libc::SYS_pipe2,
    libc::SYS_ppoll,
    libc::SYS_pread64,
    libc::SYS_preadv,
    libc::SYS_read,
    libc::SYS_readlinkat,
    libc::SYS_readv,
    libc::SYS_restart_syscall,
    libc::SYS_rseq,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_yield,
    libc::SYS_set_robust_list,
    libc::SYS_set_tid_address,
    libc::SYS_sigaltstack,
    libc::SYS_statx,
    libc::SYS_sysinfo,
    libc::SYS_times,
    libc::SYS_uname,
    libc::SYS_write,
    libc::SYS_writev,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_access,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_arch_prctl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lstat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_poll,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_readlink,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_stat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_time,
];

/// The network, other processes' memory, the system itself, ways around this filter, and ways out
/// of the group that is ended at a limit.
const NEVER: &[i64] = &[
    libc::SYS_accept,
    libc::SYS_accept4,
    libc::SYS_acct,
    libc::SYS_add_key,
    libc::SYS_bind,
    libc::SYS_bpf,
    libc::SYS_chroot,
    libc::SYS_connect,
    libc::SYS_delete_module,
    libc::SYS_finit_module,
    libc::SYS_init_module,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_io_uring_setup,
    libc::SYS_kexec_load,
    libc::SYS_keyctl,
    libc::SYS_listen,
    libc::SYS_mount,
    libc::SYS_move_mount,
    libc::SYS_open_by_handle_at,
    libc::SYS_open_tree,
    libc::SYS_perf_event_open,
    libc::SYS_pidfd_getfd,
    libc::SYS_pivot_root,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_ptrace,
    libc::SYS_quotactl,
    libc::SYS_reboot,
    libc::SYS_request_key,
    libc::SYS_setdomainname,
    libc::SYS_sethostname,
    libc::SYS_setns,
    libc::SYS_setpgid,
    libc::SYS_setsid,
    libc::SYS_settimeofday,
    libc::SYS_socket,
    libc::SYS_swapoff,
    libc::SYS_swapon,
    libc::SYS_syslog,
    libc::SYS_umount2,
    libc::SYS_unshare,
    libc::SYS_userfaultfd,
];
