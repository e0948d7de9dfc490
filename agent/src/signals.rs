//! Signals as something to read. There are no handlers: a child that shares our memory could run them.
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use tokio::io::unix::AsyncFd;

pub struct Signals {
    descriptor: AsyncFd<OwnedFd>,
}

/// Must come before anything that could start a thread.
pub fn block() {
    unsafe { libc::sigprocmask(libc::SIG_BLOCK, &handled(), std::ptr::null_mut()) };
}

fn handled() -> libc::sigset_t {
    unsafe {
        let mut set = std::mem::zeroed();
        libc::sigemptyset(&mut set);
        for signal in [libc::SIGCHLD, libc::SIGTERM, libc::SIGINT] {
            libc::sigaddset(&mut set, signal);
        }
        set
    }
}

impl Signals {
    pub fn open() -> io::Result<Signals> {
        let flags = libc::SFD_CLOEXEC | libc::SFD_NONBLOCK;
        let descriptor = unsafe { libc::signalfd(-1, &handled(), flags) };
        if descriptor < 0 {
            return Err(io::Error::last_os_error());
        }
        let owned = unsafe { OwnedFd::from_raw_fd(descriptor) };
        Ok(Signals {
            // Sound: the descriptor is owned by the AsyncFd and never replaced.
            descriptor: unsafe { AsyncFd::register(owned)? },
        })
    }

    /// The next signal that counts. As PID 1 only our children's ends and what comes from outside the
    /// sandbox do: a workload that may signal us must not end us that way.
    pub async fn next(&self) -> io::Result<i32> {
        loop {
            let mut ready = self.descriptor.readable().await?;
            let read = ready.try_io(|descriptor| {
                let mut info: libc::signalfd_siginfo = unsafe { std::mem::zeroed() };
                let size = std::mem::size_of_val(&info);
                let buffer = (&raw mut info).cast();
                match unsafe { libc::read(descriptor.as_raw_fd(), buffer, size) } {
                    n if n == size as isize => Ok(info),
                    _ => Err(io::Error::last_os_error()),
                }
            });
            if let Ok(info) = read {
                let info = info?;
                // The kernel gives 0 for a sender that this pid namespace cannot see.
                let from_inside = std::process::id() == 1 && info.ssi_pid != 0;
                let signal = info.ssi_signo as i32;
                if signal == libc::SIGCHLD || !from_inside {
                    return Ok(signal);
                }
            }
        }
    }
}
