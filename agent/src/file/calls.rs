//! The system calls of this folder: always by an open folder and one name, so that nobody can swap a folder for a link in between.
use std::ffi::{CStr, CString};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

pub type Stat = libc::stat;

fn check(result: libc::c_int) -> io::Result<libc::c_int> {
    if result < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(result)
    }
}

pub fn name(bytes: &[u8]) -> io::Result<CString> {
    CString::new(bytes).map_err(|_| io::Error::from_raw_os_error(libc::EINVAL))
}

pub fn root() -> io::Result<OwnedFd> {
    open_at(None, c"/", libc::O_PATH | libc::O_DIRECTORY, 0)
}

/// Never follows a link in the last place, never becomes a terminal's process, never waits for the other end of a pipe.
pub fn open_at(
    folder: Option<BorrowedFd>,
    name: &CStr,
    flags: libc::c_int,
    mode: libc::mode_t,
) -> io::Result<OwnedFd> {
    let folder = folder.map_or(libc::AT_FDCWD, |fd| fd.as_raw_fd());
    let flags = flags | libc::O_NOFOLLOW | libc::O_CLOEXEC | libc::O_NOCTTY | libc::O_NONBLOCK;
    let fd = check(unsafe { libc::openat(folder, name.as_ptr(), flags, mode) })?;
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

pub fn stat(fd: BorrowedFd) -> io::Result<Stat> {
    let mut stat = MaybeUninit::<Stat>::uninit();
    check(unsafe {
        libc::fstatat(
            fd.as_raw_fd(),
            c"".as_ptr(),
            stat.as_mut_ptr(),
            libc::AT_EMPTY_PATH | libc::AT_SYMLINK_NOFOLLOW,
        )
    })?;
    Ok(unsafe { stat.assume_init() })
}

/// Of a link itself.
pub fn stat_at(folder: BorrowedFd, name: &CStr) -> io::Result<Stat> {
    let mut stat = MaybeUninit::<Stat>::uninit();
    check(unsafe {
        libc::fstatat(
            folder.as_raw_fd(),
            name.as_ptr(),
            stat.as_mut_ptr(),
            libc::AT_SYMLINK_NOFOLLOW,
        )
    })?;
    Ok(unsafe { stat.assume_init() })
}

pub fn is_folder(stat: &Stat) -> bool {
    stat.st_mode & libc::S_IFMT == libc::S_IFDIR
}

pub fn is_file(stat: &Stat) -> bool {
    stat.st_mode & libc::S_IFMT == libc::S_IFREG
}

pub fn is_link(stat: &Stat) -> bool {
    stat.st_mode & libc::S_IFMT == libc::S_IFLNK
}

/// Of a link that is open, when `name` is empty.
pub fn read_link(folder: BorrowedFd, name: &CStr) -> io::Result<Vec<u8>> {
    let mut target = vec![0u8; libc::PATH_MAX as usize];
    let length = unsafe {
        libc::readlinkat(
            folder.as_raw_fd(),
            name.as_ptr(),
            target.as_mut_ptr().cast(),
            target.len(),
        )
    };
    if length < 0 {
        return Err(io::Error::last_os_error());
    }
    target.truncate(length as usize);
    Ok(target)
}

/// Which kind of file system it is on.
pub fn file_system(fd: BorrowedFd) -> io::Result<i64> {
    let mut stat = MaybeUninit::<libc::statfs>::uninit();
    check(unsafe { libc::fstatfs(fd.as_raw_fd(), stat.as_mut_ptr()) })?;
    Ok(unsafe { stat.assume_init() }.f_type)
}

pub fn make_folder(folder: BorrowedFd, name: &CStr, mode: u32) -> io::Result<()> {
    check(unsafe { libc::mkdirat(folder.as_raw_fd(), name.as_ptr(), mode) }).map(drop)
}

pub fn remove(folder: BorrowedFd, name: &CStr, is_folder: bool) -> io::Result<()> {
    let flags = if is_folder { libc::AT_REMOVEDIR } else { 0 };
    check(unsafe { libc::unlinkat(folder.as_raw_fd(), name.as_ptr(), flags) }).map(drop)
}

pub fn rename(
    from: BorrowedFd,
    from_name: &CStr,
    to: BorrowedFd,
    to_name: &CStr,
    overwrite: bool,
) -> io::Result<()> {
    let flags = if overwrite { 0 } else { libc::RENAME_NOREPLACE };
    let result = unsafe {
        libc::syscall(
            libc::SYS_renameat2,
            from.as_raw_fd(),
            from_name.as_ptr(),
            to.as_raw_fd(),
            to_name.as_ptr(),
            flags,
        )
    };
    check(result as libc::c_int).map(drop)
}

pub fn link(
    from: BorrowedFd,
    from_name: &CStr,
    to: BorrowedFd,
    to_name: &CStr,
    flags: libc::c_int,
) -> io::Result<()> {
    let result = unsafe {
        libc::linkat(
            from.as_raw_fd(),
            from_name.as_ptr(),
            to.as_raw_fd(),
            to_name.as_ptr(),
            flags,
        )
    };
    check(result).map(drop)
}

pub fn link_symbolically(target: &CStr, folder: BorrowedFd, name: &CStr) -> io::Result<()> {
    check(unsafe { libc::symlinkat(target.as_ptr(), folder.as_raw_fd(), name.as_ptr()) }).map(drop)
}

pub fn change_mode(fd: BorrowedFd, mode: u32) -> io::Result<()> {
    check(unsafe { libc::fchmod(fd.as_raw_fd(), mode) }).map(drop)
}

/// Of a link itself; u32::MAX leaves an id as it is.
pub fn change_owner(folder: BorrowedFd, name: &CStr, uid: u32, gid: u32) -> io::Result<()> {
    check(unsafe {
        libc::fchownat(
            folder.as_raw_fd(),
            name.as_ptr(),
            uid,
            gid,
            libc::AT_SYMLINK_NOFOLLOW | libc::AT_EMPTY_PATH,
        )
    })
    .map(drop)
}

pub fn set_modified(fd: BorrowedFd, seconds: i64) -> io::Result<()> {
    let time = libc::timespec {
        tv_sec: seconds,
        tv_nsec: 0,
    };
    check(unsafe { libc::futimens(fd.as_raw_fd(), [time, time].as_ptr()) }).map(drop)
}
