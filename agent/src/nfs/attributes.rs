//! Attributes of files as NFS has them (RFC 1813, section 2.6), read and set.
use super::export::Export;
use super::kernel::{self, check};
use super::rpc::{Caller, NOBODY};
use super::status::Status;
use super::xdr::{Garbled, Reader, Writer};
use std::os::fd::BorrowedFd;

pub const REGULAR: u32 = 1;
pub const FOLDER: u32 = 2;
pub const BLOCK: u32 = 3;
pub const CHARACTER: u32 = 4;
pub const LINK: u32 = 5;
pub const SOCKET: u32 = 6;
pub const FIFO: u32 = 7;

const BLOCK_SIZE: u64 = 512;
const PERMISSIONS: u32 = 0o7777;

pub fn kind(stat: &libc::stat) -> u32 {
    match stat.st_mode & libc::S_IFMT {
        libc::S_IFDIR => FOLDER,
        libc::S_IFLNK => LINK,
        libc::S_IFBLK => BLOCK,
        libc::S_IFCHR => CHARACTER,
        libc::S_IFSOCK => SOCKET,
        libc::S_IFIFO => FIFO,
        _ => REGULAR,
    }
}

/// Writes `fattr3`. The sandbox's ordinary user seems to be whoever calls, and everybody else nobody.
pub fn write(out: &mut Writer, stat: &libc::stat, export: &Export, caller: Caller) {
    out.u32(kind(stat));
    out.u32(stat.st_mode & PERMISSIONS);
    out.u32(stat.st_nlink as u32);
    out.u32(shown(stat.st_uid, export.identity.uid, caller.uid));
    out.u32(shown(stat.st_gid, export.identity.gid, caller.gid));
    out.u64(stat.st_size as u64);
    out.u64(stat.st_blocks as u64 * BLOCK_SIZE);
    // Device numbers are nobody's business.
    out.u64(0);
    out.u64(export.id.0);
    out.u64(stat.st_ino);
    time(out, stat.st_atime, stat.st_atime_nsec);
    time(out, stat.st_mtime, stat.st_mtime_nsec);
    time(out, stat.st_ctime, stat.st_ctime_nsec);
}

fn shown(id: u32, own: u32, caller: u32) -> u32 {
    if id == own { caller } else { NOBODY }
}

fn time(out: &mut Writer, seconds: i64, nanos: i64) {
    out.u32(seconds.clamp(0, i64::from(u32::MAX)) as u32);
    out.u32(nanos as u32);
}

/// Writes `post_op_attr`.
pub fn write_after(
    out: &mut Writer,
    stat: Result<libc::stat, std::io::Error>,
    export: &Export,
    caller: Caller,
) {
    match stat {
        Ok(stat) => {
            out.boolean(true);
            write(out, &stat, export, caller);
        }
        Err(_) => out.boolean(false),
    }
}

/// Writes `wcc_data` with nothing of before: it could not be told in one step with the change, and a client that
/// believed it would miss what is changed from inside the sandbox meanwhile.
pub fn write_change(out: &mut Writer, file: BorrowedFd, export: &Export, caller: Caller) {
    out.boolean(false);
    write_after(out, kernel::stat(file), export, caller);
}

/// `sattr3`: what is to be set.
#[derive(Default)]
pub struct Wanted {
    pub mode: Option<u32>,
    pub uid: Option<u32>,
    pub gid: Option<u32>,
    pub size: Option<u64>,
    accessed: Option<libc::timespec>,
    modified: Option<libc::timespec>,
}

impl Wanted {
    pub fn read(from: &mut Reader) -> Result<Wanted, Garbled> {
        let mut number = || -> Result<Option<u32>, Garbled> {
            Ok(if from.boolean()? {
                Some(from.u32()?)
            } else {
                None
            })
        };
        let (mode, uid, gid) = (number()?, number()?, number()?);
        let size = if from.boolean()? {
            Some(from.u64()?)
        } else {
            None
        };
        Ok(Wanted {
            mode: mode.map(|mode| mode & PERMISSIONS),
            uid,
            gid,
            size,
            accessed: read_time(from)?,
            modified: read_time(from)?,
        })
    }

    /// The mode for something new.
    pub fn mode_or(&self, usual: u32) -> u32 {
        self.mode.unwrap_or(usual)
    }

    /// A file's owner cannot be changed: it is the sandbox's user, who seems to be the caller.
    pub fn check_owner(&self, export: &Export, caller: Caller) -> Result<(), Status> {
        let fits = |wanted: Option<u32>, caller: u32, own: u32| {
            wanted.is_none_or(|id| id == caller || id == own)
        };
        if fits(self.uid, caller.uid, export.identity.uid)
            && fits(self.gid, caller.gid, export.identity.gid)
        {
            Ok(())
        } else {
            Err(Status::PERMISSION)
        }
    }

    /// Sets mode and times with the rights of this thread. The size is a matter of opening.
    pub fn apply(&self, file: BorrowedFd) -> Result<(), Status> {
        let path = kernel::own_path(file);
        if let Some(mode) = self.mode {
            check(unsafe { libc::chmod(path.as_ptr(), mode) })?;
        }
        self.apply_times(file)
    }

    pub fn apply_times(&self, file: BorrowedFd) -> Result<(), Status> {
        if self.accessed.is_none() && self.modified.is_none() {
            return Ok(());
        }
        let unchanged = libc::timespec {
            tv_sec: 0,
            tv_nsec: libc::UTIME_OMIT,
        };
        set_times(
            file,
            [
                self.accessed.unwrap_or(unchanged),
                self.modified.unwrap_or(unchanged),
            ],
        )
    }
}

pub fn set_times(file: BorrowedFd, times: [libc::timespec; 2]) -> Result<(), Status> {
    let path = kernel::own_path(file);
    check(unsafe { libc::utimensat(libc::AT_FDCWD, path.as_ptr(), times.as_ptr(), 0) })?;
    Ok(())
}

fn read_time(from: &mut Reader) -> Result<Option<libc::timespec>, Garbled> {
    const UNCHANGED: u32 = 0;
    const SERVERS: u32 = 1;
    const GIVEN: u32 = 2;
    const NANOS: u32 = 1_000_000_000;
    match from.u32()? {
        UNCHANGED => Ok(None),
        SERVERS => Ok(Some(libc::timespec {
            tv_sec: 0,
            tv_nsec: libc::UTIME_NOW,
        })),
        GIVEN => {
            let (seconds, nanos) = (from.u32()?, from.u32()?);
            if nanos >= NANOS {
                return Err(Garbled);
            }
            Ok(Some(libc::timespec {
                tv_sec: i64::from(seconds),
                tv_nsec: i64::from(nanos),
            }))
        }
        _ => Err(Garbled),
    }
}
