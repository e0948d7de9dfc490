//! A pseudoterminal's two ends: the master for the event loop, the slave for the process.
use crate::bounds;
use crate::launch::spawn::Identity;
use crate::relay::wire::Failure;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::Interest;
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
pub struct Master(OwnedFd);

/// Tells the event loop of output. Made anew it is told at once of what is there already, so that nothing
/// is missed by giving it up for a while.
pub struct Watch(AsyncFd<Arc<Master>>);

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
    Ok((Master(master), slave))
}

impl Watch {
    pub fn new(master: &Arc<Master>) -> io::Result<Watch> {
        // Sound: the descriptor is kept open by the Arc and never replaced.
        let watch = unsafe { AsyncFd::register_with_interest(master.clone(), Interest::READABLE)? };
        Ok(Watch(watch))
    }

    pub async fn readable(&self) {
        // An error shows again at the read that follows.
        let _ = self.0.readable().await;
    }

    /// As `Master::read`. Tells the event loop when there was nothing, so that it waits for the next byte;
    /// asks nobody but the event loop when that knows of nothing.
    pub fn read(&self, buffer: &mut [u8]) -> Option<usize> {
        join(buffer, |rest| {
            self.0
                .try_io(Interest::READABLE, |master| master.read_once(rest))
        })
    }
}

impl Master {
    /// Joins what is there, as far as the buffer goes: the kernel gives at most 4 KiB at a time. None:
    /// nobody has the other end any more.
    pub fn read(&self, buffer: &mut [u8]) -> Option<usize> {
        join(buffer, |rest| self.read_once(rest))
    }

    /// As `read`, but waits a while for the first byte, and the thread with it.
    pub fn read_waiting(&self, buffer: &mut [u8], wait: Duration) -> Option<usize> {
        match self.read(buffer) {
            Some(0) if self.comes_within(wait) => self.read(buffer),
            read => read,
        }
    }

    fn read_once(&self, buffer: &mut [u8]) -> io::Result<usize> {
        let count =
            unsafe { libc::read(self.as_raw_fd(), buffer.as_mut_ptr().cast(), buffer.len()) };
        usize::try_from(count).map_err(|_| io::Error::last_os_error())
    }

    fn comes_within(&self, wait: Duration) -> bool {
        let mut watched = libc::pollfd {
            fd: self.as_raw_fd(),
            events: libc::POLLIN,
            revents: 0,
        };
        unsafe { libc::poll(&mut watched, 1, wait.as_millis() as libc::c_int) > 0 }
    }

    /// Writes what the terminal takes now, and waits while it takes nothing.
    pub async fn write(&self, data: &[u8]) -> io::Result<usize> {
        loop {
            match write_once(&self.0, data) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                result => return result,
            }
            match self.writing() {
                Ok(watch) => return write_when_taken(&watch, data).await,
                Err(_) => tokio::time::sleep(bounds::HUNG_UP_LOOK).await,
            }
        }
    }

    /// By a descriptor of its own, since one can be watched only once; hardly ever needed.
    fn writing(&self) -> io::Result<AsyncFd<OwnedFd>> {
        let copy = self.0.try_clone()?;
        // Sound: the descriptor is owned by the AsyncFd and never replaced.
        Ok(unsafe { AsyncFd::register_with_interest(copy, Interest::WRITABLE)? })
    }

    pub fn resize(&self, size: Size) -> io::Result<()> {
        resize(self.as_raw_fd(), size)
    }

    /// The process group that has the keyboard, if there is one.
    pub fn foreground(&self) -> Option<libc::pid_t> {
        let mut group: libc::pid_t = 0;
        let asked = unsafe { libc::ioctl(self.as_raw_fd(), libc::TIOCGPGRP, &mut group) };
        (asked == 0 && group > 1).then_some(group)
    }
}

impl AsRawFd for Master {
    fn as_raw_fd(&self) -> RawFd {
        self.0.as_raw_fd()
    }
}

fn join(buffer: &mut [u8], read: impl Fn(&mut [u8]) -> io::Result<usize>) -> Option<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Some(filled),
            Err(_) => break,
        }
    }
    Some(filled).filter(|filled| *filled > 0)
}

fn write_once(master: &OwnedFd, data: &[u8]) -> io::Result<usize> {
    let count = unsafe { libc::write(master.as_raw_fd(), data.as_ptr().cast(), data.len()) };
    usize::try_from(count).map_err(|_| io::Error::last_os_error())
}

async fn write_when_taken(watch: &AsyncFd<OwnedFd>, data: &[u8]) -> io::Result<usize> {
    loop {
        let mut ready = watch.writable().await?;
        let hung_up = ready.ready().is_write_closed();
        match ready.try_io(|master| write_once(master.get_ref(), data)) {
            Ok(result) => return result,
            // A hang-up stays in the event loop's memory as "writable", although nothing is taken:
            // without a pause this would turn for ever and let nobody else run.
            Err(_) if hung_up => tokio::time::sleep(bounds::HUNG_UP_LOOK).await,
            Err(_) => {}
        }
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
