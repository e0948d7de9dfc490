//! The system call filter, built once and inherited by every command.
//!
//! The agent installs it on itself: children then carry it from their first instruction, at no cost
//! for each command, and the agent needs nothing that its commands may not do.
use super::syscalls::{ALLOWED, ALLOWED_HERE, NESTED_SANDBOX};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen::Dword, SeccompCmpOp, SeccompCondition,
    SeccompFilter, SeccompRule, TargetArch,
};
use std::collections::BTreeMap;

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: TargetArch = TargetArch::x86_64;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: TargetArch = TargetArch::aarch64;

/// The flags of clone that make a namespace.
const NEW_NAMESPACES: u64 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET) as u64;

/// What lies under the flags in socket's second argument.
const SOCKET_TYPE: u64 = 0xf;

/// The transports that programs use, and pings. Others load modules of the host's kernel that few programs need.
const PROTOCOLS: [libc::c_int; 5] = [
    0,
    libc::IPPROTO_TCP,
    libc::IPPROTO_UDP,
    libc::IPPROTO_ICMP,
    libc::IPPROTO_ICMPV6,
];

/// As Docker has it: plain Linux, Linux32 and the query.
const PERSONALITIES: [u64; 5] = [0, 0x8, 0x20000, 0x20008, 0xffff_ffff];

type Error = seccompiler::BackendError;

/// The programs to install, in this order. A call passes when each of them lets it pass.
pub fn programs(nested_sandbox: bool) -> Result<Vec<BpfProgram>, Error> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = ALLOWED
        .iter()
        .chain(ALLOWED_HERE)
        .map(|call| (*call, Vec::new()))
        .collect();
    rules.insert(
        libc::SYS_clone,
        vec![all([arg(0, SeccompCmpOp::MaskedEq(NEW_NAMESPACES), 0)?])?],
    );
    rules.insert(libc::SYS_socket, sockets()?);
    rules.insert(
        libc::SYS_personality,
        PERSONALITIES
            .iter()
            .map(|value| all([arg(0, SeccompCmpOp::Eq, *value)?]))
            .collect::<Result<_, _>>()?,
    );
    if nested_sandbox {
        rules.extend(NESTED_SANDBOX.iter().map(|call| (*call, Vec::new())));
    }
    let allow_list = SeccompFilter::new(
        rules,
        SeccompAction::Errno(libc::EPERM as u32),
        SeccompAction::Allow,
        ARCHITECTURE,
    )?;
    // clone3's flags lie in memory, where no filter can look. With ENOSYS libc takes clone instead.
    let no_clone3 = SeccompFilter::new(
        BTreeMap::from([(libc::SYS_clone3, Vec::new())]),
        SeccompAction::Allow,
        SeccompAction::Errno(libc::ENOSYS as u32),
        ARCHITECTURE,
    )?;
    // Programs that try MPTCP first take TCP when the kernel does not have it.
    let no_protocols = SeccompFilter::new(
        BTreeMap::from([(libc::SYS_socket, other_protocols()?)]),
        SeccompAction::Allow,
        SeccompAction::Errno(libc::EPROTONOSUPPORT as u32),
        ARCHITECTURE,
    )?;
    Ok(vec![
        no_clone3.try_into()?,
        no_protocols.try_into()?,
        allow_list.try_into()?,
    ])
}

/// Ordinary sockets of the internet and Unix families, and routing netlink, which getifaddrs needs.
fn sockets() -> Result<Vec<SeccompRule>, Error> {
    let mut rules = Vec::new();
    for (family, kind) in [
        (libc::AF_UNIX, libc::SOCK_STREAM),
        (libc::AF_UNIX, libc::SOCK_DGRAM),
        (libc::AF_UNIX, libc::SOCK_SEQPACKET),
        (libc::AF_INET, libc::SOCK_STREAM),
        (libc::AF_INET, libc::SOCK_DGRAM),
        (libc::AF_INET6, libc::SOCK_STREAM),
        (libc::AF_INET6, libc::SOCK_DGRAM),
    ] {
        rules.push(all([
            arg(0, SeccompCmpOp::Eq, family as u64)?,
            arg(1, SeccompCmpOp::MaskedEq(SOCKET_TYPE), kind as u64)?,
        ])?);
    }
    rules.push(all([
        arg(0, SeccompCmpOp::Eq, libc::AF_NETLINK as u64)?,
        arg(2, SeccompCmpOp::Eq, libc::NETLINK_ROUTE as u64)?,
    ])?);
    Ok(rules)
}

/// Sockets of the internet families with a protocol that is not on the list.
fn other_protocols() -> Result<Vec<SeccompRule>, Error> {
    let mut rules = Vec::new();
    for family in [libc::AF_INET, libc::AF_INET6] {
        let mut conditions = vec![arg(0, SeccompCmpOp::Eq, family as u64)?];
        for protocol in PROTOCOLS {
            conditions.push(arg(2, SeccompCmpOp::Ne, protocol as u64)?);
        }
        rules.push(SeccompRule::new(conditions)?);
    }
    Ok(rules)
}

fn arg(index: u8, compare: SeccompCmpOp, value: u64) -> Result<SeccompCondition, Error> {
    SeccompCondition::new(index, Dword, compare, value)
}

fn all<const N: usize>(conditions: [SeccompCondition; N]) -> Result<SeccompRule, Error> {
    SeccompRule::new(conditions.into())
}

/// Puts the programs on this thread, and on all that it starts from now on. Unlike seccompiler's own
/// call this leaves no_new_privs alone, which is a guard of its own.
pub fn install(programs: &[BpfProgram]) -> std::io::Result<()> {
    for program in programs {
        let header = libc::sock_fprog {
            len: program.len() as u16,
            filter: program.as_ptr().cast_mut().cast(),
        };
        let done =
            unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, 0, &header) };
        if done != 0 {
            return Err(std::io::Error::last_os_error());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs `attempt` in a child under the filter, and gives its errno, 0 for success.
    fn under_filter(nested: bool, attempt: fn() -> libc::c_long) -> i32 {
        let programs = programs(nested).unwrap();
        let child = unsafe { libc::fork() };
        if child == 0 {
            unsafe {
                libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
                let errno = match install(&programs) {
                    Err(_) => 250,
                    Ok(()) if attempt() >= 0 => 0,
                    Ok(()) => *libc::__errno_location(),
                };
                libc::_exit(errno);
            }
        }
        let mut status = 0;
        unsafe { libc::waitpid(child, &mut status, 0) };
        assert!(libc::WIFEXITED(status), "{status}");
        libc::WEXITSTATUS(status)
    }

    fn socket(family: i32, kind: i32, protocol: i32) -> libc::c_long {
        unsafe { libc::socket(family, kind, protocol) as libc::c_long }
    }

    #[test]
    fn what_programs_need_passes() {
        assert_eq!(
            under_filter(false, || unsafe { libc::syscall(libc::SYS_getpid) }),
            0
        );
        assert_eq!(
            under_filter(false, || socket(
                libc::AF_INET,
                libc::SOCK_STREAM | libc::SOCK_CLOEXEC,
                0
            )),
            0
        );
        assert_eq!(
            under_filter(false, || socket(
                libc::AF_NETLINK,
                libc::SOCK_RAW,
                libc::NETLINK_ROUTE
            )),
            0
        );
        let fork = || match unsafe { libc::fork() } {
            0 => unsafe { libc::_exit(0) },
            child => child as libc::c_long,
        };
        assert_eq!(under_filter(false, fork), 0);
    }

    #[test]
    fn what_only_a_breakout_needs_is_refused() {
        let attempts: [fn() -> libc::c_long; 9] = [
            || unsafe { libc::syscall(libc::SYS_unshare, libc::CLONE_NEWUSER) },
            || unsafe {
                libc::syscall(
                    libc::SYS_clone,
                    libc::CLONE_NEWUSER | libc::SIGCHLD,
                    0,
                    0,
                    0,
                    0,
                )
            },
            || unsafe { libc::syscall(libc::SYS_io_uring_setup, 1, 0) },
            || unsafe { libc::syscall(libc::SYS_keyctl, 0, 0, 0, 0, 0) },
            || unsafe { libc::syscall(libc::SYS_bpf, 0, 0, 0) },
            || unsafe { libc::syscall(libc::SYS_userfaultfd, 0) },
            || socket(libc::AF_PACKET, libc::SOCK_DGRAM, 0),
            || socket(libc::AF_INET, libc::SOCK_RAW, libc::IPPROTO_ICMP),
            || socket(libc::AF_NETLINK, libc::SOCK_RAW, libc::NETLINK_NETFILTER),
        ];
        for (index, attempt) in attempts.into_iter().enumerate() {
            assert_eq!(under_filter(false, attempt), libc::EPERM, "attempt {index}");
        }
    }

    /// Where the kernel allows pings without privileges, a socket for them is made; the filter has no objection.
    #[test]
    fn transports_that_programs_use_pass() {
        let attempts: [fn() -> libc::c_long; 5] = [
            || socket(libc::AF_INET, libc::SOCK_STREAM, libc::IPPROTO_TCP),
            || socket(libc::AF_INET6, libc::SOCK_STREAM, libc::IPPROTO_TCP),
            || socket(libc::AF_INET, libc::SOCK_DGRAM, libc::IPPROTO_UDP),
            || socket(libc::AF_UNIX, libc::SOCK_SEQPACKET, 0),
            || {
                let mut list = std::ptr::null_mut();
                unsafe { libc::getifaddrs(&mut list) as libc::c_long }
            },
        ];
        for (index, attempt) in attempts.into_iter().enumerate() {
            assert_eq!(under_filter(false, attempt), 0, "attempt {index}");
        }
        let ping = || socket(libc::AF_INET, libc::SOCK_DGRAM, libc::IPPROTO_ICMP);
        assert!([0, libc::EACCES].contains(&under_filter(false, ping)));
    }

    #[test]
    fn other_transports_look_as_if_the_kernel_did_not_have_them() {
        let attempts: [fn() -> libc::c_long; 5] = [
            || socket(libc::AF_INET, libc::SOCK_STREAM, libc::IPPROTO_MPTCP),
            || socket(libc::AF_INET6, libc::SOCK_STREAM, libc::IPPROTO_MPTCP),
            || socket(libc::AF_INET, libc::SOCK_STREAM, libc::IPPROTO_SCTP),
            || socket(libc::AF_INET, libc::SOCK_DGRAM, libc::IPPROTO_UDPLITE),
            || socket(libc::AF_INET, libc::SOCK_DGRAM, 115),
        ];
        for (index, attempt) in attempts.into_iter().enumerate() {
            assert_eq!(
                under_filter(false, attempt),
                libc::EPROTONOSUPPORT,
                "attempt {index}"
            );
        }
        let packets = || socket(libc::AF_INET, libc::SOCK_SEQPACKET, 0);
        assert_eq!(under_filter(false, packets), libc::EPERM);
    }

    #[test]
    fn clone3_looks_as_if_the_kernel_did_not_have_it() {
        let clone3 = || unsafe { libc::syscall(libc::SYS_clone3, 0, 0) };
        assert_eq!(under_filter(false, clone3), libc::ENOSYS);
    }

    #[test]
    fn a_nested_sandbox_may_make_namespaces() {
        let unshare = || unsafe { libc::syscall(libc::SYS_unshare, libc::CLONE_NEWUSER) };
        assert_eq!(under_filter(true, unshare), 0);
        assert_eq!(
            under_filter(true, || unsafe { libc::syscall(libc::SYS_bpf, 0, 0, 0) }),
            libc::EPERM
        );
    }
}
