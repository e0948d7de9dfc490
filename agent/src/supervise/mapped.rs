//! `bivouac-agent mapped -- COMMAND`: a command as root over the caller's subordinate ids. An ordinary user needs it
//! to give files to a sandbox's users, and to remove what they have left.
use super::namespace::{become_root, check, map_subordinate, subordinate};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::{ForkResult, execvp, fork};
use std::ffi::CString;
use std::io::{PipeReader, PipeWriter, Read, Write, pipe};

/// The command's exit code.
pub fn run(words: &[&str]) -> Result<i32, String> {
    let ranges = subordinate()
        .ok_or("this user has no subordinate ids, or newuidmap and newgidmap are not installed")?;
    let failed = |e: std::io::Error| format!("cannot make a pipe: {e}");
    let (mut ready, child_ready) = pipe().map_err(failed)?;
    let (child_go, mut go) = pipe().map_err(failed)?;
    match unsafe { fork() }.map_err(|e| format!("cannot fork: {e}"))? {
        ForkResult::Child => {
            drop((ready, go));
            let Err(problem) = become_command(words, child_ready, child_go);
            eprintln!("bivouac-agent: {problem}");
            std::process::exit(127)
        }
        ForkResult::Parent { child } => {
            drop((child_ready, child_go));
            let mapped = ready
                .read_exact(&mut [0])
                .map_err(|_| "cannot make a user namespace".to_owned())
                .and_then(|()| map_subordinate(&ranges, child));
            if mapped.is_ok() {
                let _ = go.write_all(b".");
            }
            drop(go);
            let status = waitpid(child, None).map_err(|e| e.to_string())?;
            mapped?;
            match status {
                WaitStatus::Exited(_, code) => Ok(code),
                other => Err(format!("the command ended by {other:?}")),
            }
        }
    }
}

fn become_command(
    words: &[&str],
    mut ready: PipeWriter,
    mut go: PipeReader,
) -> Result<std::convert::Infallible, String> {
    check("make a user namespace", unsafe {
        libc::unshare(libc::CLONE_NEWUSER)
    })?;
    let _ = ready.write_all(b".");
    go.read_exact(&mut [0])
        .map_err(|_| "its ids were not mapped".to_owned())?;
    become_root()?;
    let words: Result<Vec<CString>, _> = words.iter().map(|word| CString::new(*word)).collect();
    let words = words.map_err(|_| "a zero byte where none may be".to_owned())?;
    execvp(&words[0], &words).map_err(|e| format!("cannot execute: {}", e.desc()))
}
