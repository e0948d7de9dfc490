//! A pseudoterminal's two ends: the master for the event loop, the slave for the process.
use crate::bounds;
use crate::spawn::Identity;
use crate::wire::Failure;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use tokio::io::unix::AsyncFd;

/// Columns and rows, each from 1 to [`Size::LONGEST`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    pub columns: u16,
    pub rows: u16,
}

impl Size {
    const LONGEST: u32 = 1000;

    pub fn new(columns: u32, rows: u32) -> Result<Size, Failure> {
        let fits = |side| (1..=Size::LONGEST).contains(&side);
        if !fits(columns) || !fits(rows) {
            return Err(Failure::invalid(format!(
                "a terminal has 1 to {} columns and rows, not {columns} and {rows}",
                Size::LONGEST
            )));
        }
        Ok(Size {
            columns: columns as u16,
            rows: rows as u16,
        })
    }
}

/// Our end. Closing it hangs the terminal up.
pub struct Master(AsyncFd<OwnedFd>);

/// Opens both ends; the slave belongs to whoever the process runs as.
pub fn open(size: Size, owner: Option<&Identity>) -> io::Result<(Master, OwnedFd)> {
    let flags = libc::O_RDWR | libc::O_NOCTTY | libc::O_CLOEXEC;
    let master = owned(unsafe { libc::posix_openpt(flags | libc::O_NONBLOCK) })?;
    let descriptor = master.as_raw_fd();
    check(unsafe { libc::unlockpt(descriptor) })?;
    // By the master and not by its name: the workload may have put something else under /dev/pts.
    let slave = owned(unsafe { libc::ioctl(descriptor, libc::TIOCGPTPEER, flags) })?;
    resize(descriptor, size)?;
    expect_utf8(slave.as_raw_fd())?;
    if let Some(owner) = owner {
        check(unsafe { libc::fchown(slave.as_raw_fd(), owner.uid, owner.gid) })?;
        check(unsafe { libc::fchmod(slave.as_raw_fd(), 0o600) })?;
    }
    // Sound: the descriptor is owned by the AsyncFd and never replaced.
    let master = unsafe { AsyncFd::register(master)? };
    Ok((Master(master), slave))
}

impl Master {
    pub async fn readable(&self) {
        // An error shows again at the read that follows.
        let _ = self.0.readable().await;
    }

    /// Joins what is there, as far as the buffer goes: the kernel gives at most 4 KiB at a time. None:
    /// nobody has the other end any more.
    pub fn read(&self, buffer: &mut [u8]) -> Option<usize> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.read_once(&mut buffer[filled..]) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Some(filled),
                Err(_) => break,
            }
        }
        Some(filled).filter(|filled| *filled > 0)
    }

    /// Tells the event loop when there was nothing, so that it waits for the next byte.
    fn read_once(&self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.try_io(tokio::io::Interest::READABLE, |master| {
            let count =
                unsafe { libc::read(master.as_raw_fd(), buffer.as_mut_ptr().cast(), buffer.len()) };
            usize::try_from(count).map_err(|_| io::Error::last_os_error())
        })
    }

    /// Writes what the terminal takes now, and waits while it takes nothing.
    pub async fn write(&self, data: &[u8]) -> io::Result<usize> {
        loop {
            let mut ready = self.0.writable().await?;
            let hung_up = ready.ready().is_write_closed();
            let written = ready.try_io(|master| {
                let count =
                    unsafe { libc::write(master.as_raw_fd(), data.as_ptr().cast(), data.len()) };
                usize::try_from(count).map_err(|_| io::Error::last_os_error())
            });
            match written {
                Ok(result) => return result,
                // A hang-up stays in the event loop's memory as "writable", although nothing is taken:
                // without a pause this would turn for ever and let nobody else run.
                Err(_) if hung_up => tokio::time::sleep(bounds::HUNG_UP_LOOK).await,
                Err(_) => {}
            }
        }
    }

    pub fn resize(&self, size: Size) -> io::Result<()> {
        resize(self.0.as_raw_fd(), size)
    }

    /// The process group that has the keyboard, if there is one.
    pub fn foreground(&self) -> Option<libc::pid_t> {
        let mut group: libc::pid_t = 0;
        let asked = unsafe { libc::ioctl(self.0.as_raw_fd(), libc::TIOCGPGRP, &mut group) };
        (asked == 0 && group > 1).then_some(group)
    }
}

fn resize(master: RawFd, size: Size) -> io::Result<()> {
    let size = libc::winsize {
        ws_row: size.rows,
        ws_col: size.columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    check(unsafe { libc::ioctl(master, libc::TIOCSWINSZ, &size) })
}

/// So that the kernel's own line editing erases characters and not bytes.
fn expect_utf8(slave: RawFd) -> io::Result<()> {
    unsafe {
        let mut settings: libc::termios = std::mem::zeroed();
        check(libc::tcgetattr(slave, &mut settings))?;
        settings.c_iflag |= libc::IUTF8;
        check(libc::tcsetattr(slave, libc::TCSANOW, &settings))
    }
}

fn owned(descriptor: libc::c_int) -> io::Result<OwnedFd> {
    check(descriptor)?;
    Ok(unsafe { OwnedFd::from_raw_fd(descriptor) })
}

fn check(result: libc::c_int) -> io::Result<()> {
    match result {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}
