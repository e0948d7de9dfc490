//! A process with its pipes: our ends for the event loop, its ends for its descriptors 0 to 2.
use crate::launch::explain;
use crate::launch::spawn::{Plan, spawn};
use crate::relay::wire::Failure;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use tokio::net::unix::pipe::{Receiver, Sender};

pub struct Pipes {
    pub stdin: Option<Sender>,
    pub output: [Receiver; 2],
}

pub fn start(plan: &Plan, with_stdin: bool) -> Result<(libc::pid_t, Pipes), Failure> {
    let made = || -> io::Result<_> {
        let (out, out_child) = pipe()?;
        let (err, err_child) = pipe()?;
        let stdin = if with_stdin { Some(pipe()?) } else { None };
        let output = [receiver(out)?, receiver(err)?];
        Ok((output, out_child, err_child, stdin))
    };
    let (output, out_child, err_child, stdin) =
        made().map_err(|e| Failure::cannot_start(format!("no pipe for the command: {e}")))?;
    let (in_child, stdin) = match stdin {
        Some((child, ours)) => {
            let sender = nonblocking(&ours).and_then(|()| Sender::from_owned_fd(ours));
            let sender =
                sender.map_err(|e| Failure::cannot_start(format!("no input pipe: {e}")))?;
            (Some(child), Some(sender))
        }
        None => (None, None),
    };
    // Without input: descriptor 0 is the agent's own, and that is /dev/null.
    let stdio = [
        in_child.as_ref().map_or(0, AsRawFd::as_raw_fd),
        out_child.as_raw_fd(),
        err_child.as_raw_fd(),
    ];
    let pid = spawn(plan, &stdio).map_err(|failed| explain(plan, &failed))?;
    Ok((pid, Pipes { stdin, output }))
}

pub fn receiver(ours: OwnedFd) -> io::Result<Receiver> {
    nonblocking(&ours)?;
    Receiver::from_owned_fd(ours)
}

pub fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut ends = [0; 2];
    if unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) } < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(ends.map(|end| unsafe { OwnedFd::from_raw_fd(end) }).into())
}

/// Our end only: the process gets an ordinary, blocking one.
fn nonblocking(end: &OwnedFd) -> io::Result<()> {
    match unsafe { libc::fcntl(end.as_raw_fd(), libc::F_SETFL, libc::O_NONBLOCK) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}
