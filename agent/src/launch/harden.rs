//! What the agent does to itself before it talks to anybody.
use super::seccomp;
use crate::config::Guards;
use std::io;

/// Nothing of the starter's stays: no descriptors, no terminal, no odd mask.
pub fn leave_the_starter(keep_output: bool) -> io::Result<()> {
    unsafe {
        libc::syscall(libc::SYS_close_range, 3, u32::MAX, 0);
        libc::umask(0o022);
    }
    stdio_to_null(keep_output)
}

pub fn stdio_to_null(keep_output: bool) -> io::Result<()> {
    unsafe {
        let null = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR | libc::O_CLOEXEC);
        if null < 0 {
            return Err(io::Error::last_os_error());
        }
        libc::dup2(null, 0);
        if !keep_output {
            libc::dup2(null, 1);
            libc::dup2(null, 2);
        }
        if null > 2 {
            libc::close(null);
        }
    }
    Ok(())
}

/// The workload can neither trace the agent nor read its memory, environment or descriptors, and all
/// that it starts is under the filter. Orphans come to us even where we are not PID 1.
pub fn protect(guards: &Guards) -> io::Result<()> {
    if guards.not_dumpable {
        set(libc::PR_SET_DUMPABLE, 0)?;
    }
    set(libc::PR_SET_CHILD_SUBREAPER, 1)?;
    if guards.no_new_privs {
        set(libc::PR_SET_NO_NEW_PRIVS, 1)?;
    }
    if guards.seccomp {
        let programs = seccomp::programs(guards.nested_sandbox).map_err(io::Error::other)?;
        seccomp::install(&programs)?;
    }
    Ok(())
}

fn set(option: libc::c_int, value: libc::c_ulong) -> io::Result<()> {
    match unsafe { libc::prctl(option, value, 0, 0, 0) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Gives free memory back to the kernel. An arena for each thread would cost more than it brings.
pub fn trim_memory() {
    unsafe { libc::malloc_trim(0) };
}

pub fn one_arena() {
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 1);
        // Rings come and go: their memory is mapped for each, and goes back when they are released.
        libc::mallopt(libc::M_MMAP_THRESHOLD, 256 * 1024);
        libc::mallopt(libc::M_TRIM_THRESHOLD, 256 * 1024);
    }
}
