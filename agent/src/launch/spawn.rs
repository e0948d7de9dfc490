//! From a plan to a running process.
//!
//! The child shares the agent's memory until it executes (vfork), since copying page tables would cost
//! more than all the rest. So it may call nothing but the kernel: no allocation, no locks, and the
//! raw calls rather than libc's setuid, which would tell "all threads" of the agent.
use super::{capabilities, watchdog};
use crate::bounds;
use libc::{c_char, c_int, c_void};
use std::ffi::CString;
use std::os::fd::RawFd;
use std::sync::OnceLock;
use zeroize::Zeroize;

/// What a process inherits as ignored unless it is set back.
const FRESH: [c_int; 8] = [
    libc::SIGPIPE,
    libc::SIGHUP,
    libc::SIGINT,
    libc::SIGQUIT,
    libc::SIGTERM,
    libc::SIGTSTP,
    libc::SIGTTIN,
    libc::SIGTTOU,
];

/// All that a child needs, resolved beforehand.
pub struct Plan {
    pub path: CString,
    pub argv: Vec<CString>,
    pub env: Vec<CString>,
    pub cwd: CString,
    /// Its stdin is a terminal, which becomes the controlling one of its session.
    pub terminal: bool,
    /// None: as the agent itself.
    pub identity: Option<Identity>,
    /// Capabilities that stay; None: whatever the agent has.
    pub capabilities: Option<u64>,
}

impl Drop for Plan {
    /// Secrets may be among the variables.
    fn drop(&mut self) {
        for variable in self.env.drain(..) {
            variable.into_bytes().zeroize();
        }
    }
}

pub struct Identity {
    pub uid: u32,
    pub gid: u32,
    pub groups: Vec<u32>,
}

/// How far the child came.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    Clone,
    Descriptors,
    Terminal,
    Identity,
    Capabilities,
    Folder,
    Execute,
    /// It was killed before it could execute.
    Killed,
}

#[derive(Debug)]
pub struct Failed {
    pub step: Step,
    pub errno: i32,
}

struct Child<'a> {
    plan: &'a Plan,
    argv: &'a [*const c_char],
    env: &'a [*const c_char],
    descriptors: &'a [RawFd],
    permitted: u64,
    failed: Option<Failed>,
    executing: bool,
}

/// Starts the plan in a session and process group of its own, with signals as a fresh process has them. The descriptors
/// become its 0, 1, 2 and so on, and it has no others; those beyond the first three must have higher numbers here.
pub fn spawn(plan: &Plan, descriptors: &[RawFd]) -> Result<libc::pid_t, Failed> {
    let argv = pointers(&plan.argv);
    let env = pointers(&plan.env);
    let mut child = Child {
        plan,
        argv: &argv,
        env: &env,
        descriptors,
        permitted: capabilities::permitted(),
        failed: None,
        executing: false,
    };
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PARENT_SETTID | libc::SIGCHLD;
    watchdog::begin();
    let pid = unsafe {
        let argument: *mut Child = &mut child;
        libc::clone(
            run_child,
            stack_top(),
            flags,
            argument.cast(),
            watchdog::child(),
        )
    };
    let errno = unsafe { *libc::__errno_location() };
    watchdog::end();
    if pid < 0 {
        return Err(Failed {
            step: Step::Clone,
            errno,
        });
    }
    if !child.executing {
        child.failed.get_or_insert(Failed {
            step: Step::Killed,
            errno: libc::EINTR,
        });
    }
    match child.failed {
        None => Ok(pid),
        Some(failed) => {
            unsafe { libc::waitpid(pid, std::ptr::null_mut(), 0) };
            Err(failed)
        }
    }
}

fn pointers(strings: &[CString]) -> Vec<*const c_char> {
    let ends = std::iter::once(std::ptr::null());
    strings.iter().map(|s| s.as_ptr()).chain(ends).collect()
}

/// One stack for all children: only one at a time is between clone and exec.
fn stack_top() -> *mut c_void {
    static STACK: OnceLock<usize> = OnceLock::new();
    let base = *STACK.get_or_init(|| unsafe {
        let memory = libc::mmap(
            std::ptr::null_mut(),
            bounds::SPAWN_STACK,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_STACK,
            -1,
            0,
        );
        assert!(memory != libc::MAP_FAILED, "no memory for a stack");
        memory as usize
    });
    (base + bounds::SPAWN_STACK) as *mut c_void
}

extern "C" fn run_child(argument: *mut c_void) -> c_int {
    let child = unsafe { &mut *argument.cast::<Child>() };
    let step = prepare_and_execute(child);
    let errno = unsafe { *libc::__errno_location() };
    child.failed = Some(Failed { step, errno });
    unsafe { libc::syscall(libc::SYS_exit_group, 127) };
    127
}

/// Returns only when a step failed.
fn prepare_and_execute(child: &mut Child) -> Step {
    unsafe {
        libc::syscall(libc::SYS_setsid);
        for (target, source) in child.descriptors.iter().enumerate() {
            let target = target as c_int;
            if *source != target && libc::syscall(libc::SYS_dup3, *source, target, 0) < 0 {
                return Step::Descriptors;
            }
        }
        libc::syscall(libc::SYS_close_range, child.descriptors.len(), u32::MAX, 0);
        if child.plan.terminal && libc::syscall(libc::SYS_ioctl, 0, libc::TIOCSCTTY, 0) < 0 {
            return Step::Terminal;
        }
        prefer_for_oom_killer();
        if let Some(kept) = child.plan.capabilities
            && !capabilities::bound(kept, capabilities::may_lower_bounding_set(child.permitted))
        {
            return Step::Capabilities;
        }
        if let Some(identity) = &child.plan.identity {
            let Identity { uid, gid, groups } = identity;
            if libc::syscall(libc::SYS_setgroups, groups.len(), groups.as_ptr()) < 0
                || libc::syscall(libc::SYS_setresgid, *gid, *gid, *gid) < 0
                || libc::syscall(libc::SYS_setresuid, *uid, *uid, *uid) < 0
            {
                return Step::Identity;
            }
        }
        if let Some(kept) = child.plan.capabilities
            && !capabilities::limit(kept & capabilities::permitted())
        {
            return Step::Capabilities;
        }
        if libc::syscall(libc::SYS_chdir, child.plan.cwd.as_ptr()) < 0 {
            return Step::Folder;
        }
        // Rust ignores SIGPIPE, and whoever started the server in the background may have had others ignored;
        // the agent blocks what it reads by signalfd. None of that is for its children.
        for signal in FRESH {
            libc::signal(signal, libc::SIG_DFL);
        }
        let none = 0u64;
        let no_old = std::ptr::null_mut::<u64>();
        libc::syscall(
            libc::SYS_rt_sigprocmask,
            libc::SIG_SETMASK,
            &none,
            no_old,
            8,
        );
        child.executing = true;
        libc::syscall(
            libc::SYS_execve,
            child.plan.path.as_ptr(),
            child.argv.as_ptr(),
            child.env.as_ptr(),
        );
        Step::Execute
    }
}

/// When memory runs out a command dies before its agent does. Where this is not permitted, nothing is lost.
unsafe fn prefer_for_oom_killer() {
    let path = c"/proc/self/oom_score_adj".as_ptr();
    unsafe {
        let file = libc::syscall(libc::SYS_openat, libc::AT_FDCWD, path, libc::O_WRONLY);
        if file >= 0 {
            libc::syscall(libc::SYS_write, file, c"500".as_ptr(), 3);
            libc::syscall(libc::SYS_close, file);
        }
    }
}
