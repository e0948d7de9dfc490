//! System calls that name a file without a path that somebody could change meanwhile.
use std::ffi::CStr;
use std::io::{Error, Result};
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

/// The kernel's handles may be longer, but then fit into none of ours.
pub const LONGEST_HANDLE: usize = 34;

/// What the kernel calls a file, whatever its name is now. It has the inode's generation: a new file never has the
/// handle of one that is gone.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct KernelHandle {
    pub kind: i32,
    pub length: u8,
    pub bytes: [u8; LONGEST_HANDLE],
}

#[repr(C)]
struct FileHandle {
    length: u32,
    kind: i32,
    bytes: [u8; LONGEST_HANDLE],
}

/// The handle of a name in a folder, or with an empty name of the descriptor itself, and the mount it is in.
pub fn handle_of(folder: BorrowedFd, name: &CStr) -> Result<(KernelHandle, i32)> {
    let mut handle = FileHandle {
        length: LONGEST_HANDLE as u32,
        kind: 0,
        bytes: [0; LONGEST_HANDLE],
    };
    let mut mount = 0;
    let flags = if name.is_empty() {
        libc::AT_EMPTY_PATH
    } else {
        0
    };
    let done = unsafe {
        libc::syscall(
            libc::SYS_name_to_handle_at,
            folder.as_raw_fd(),
            name.as_ptr(),
            &raw mut handle,
            &raw mut mount,
            flags,
        )
    };
    if done != 0 {
        return Err(Error::last_os_error());
    }
    let handle = KernelHandle {
        kind: handle.kind,
        length: handle.length as u8,
        bytes: handle.bytes,
    };
    Ok((handle, mount))
}

/// Opens what a handle stands for; takes DAC_READ_SEARCH.
pub fn open_handle(mount: BorrowedFd, handle: &KernelHandle, flags: i32) -> Result<OwnedFd> {
    let mut handle = FileHandle {
        length: u32::from(handle.length),
        kind: handle.kind,
        bytes: handle.bytes,
    };
    owned(unsafe {
        libc::syscall(
            libc::SYS_open_by_handle_at,
            mount.as_raw_fd(),
            &raw mut handle,
            flags | libc::O_CLOEXEC,
        )
    })
}

/// Opens one name of a folder: no link is followed, no mount entered, and nothing above the folder reached.
pub fn open_name(folder: BorrowedFd, name: &CStr, flags: i32, mode: u32) -> Result<OwnedFd> {
    let mut how: libc::open_how = unsafe { MaybeUninit::zeroed().assume_init() };
    how.flags = (flags | libc::O_CLOEXEC | libc::O_NOFOLLOW) as u64;
    how.mode = u64::from(mode);
    how.resolve = libc::RESOLVE_BENEATH
        | libc::RESOLVE_NO_XDEV
        | libc::RESOLVE_NO_MAGICLINKS
        | libc::RESOLVE_NO_SYMLINKS;
    owned(unsafe {
        libc::syscall(
            libc::SYS_openat2,
            folder.as_raw_fd(),
            name.as_ptr(),
            &raw const how,
            size_of::<libc::open_how>(),
        )
    })
}

fn owned(descriptor: libc::c_long) -> Result<OwnedFd> {
    if descriptor < 0 {
        return Err(Error::last_os_error());
    }
    Ok(unsafe { OwnedFd::from_raw_fd(descriptor as i32) })
}

/// A path to what a descriptor has open, for calls that take no descriptor. It names this process's own table: no
/// name in any folder takes part in it.
pub fn own_path(descriptor: BorrowedFd) -> std::ffi::CString {
    let text = format!("/proc/self/fd/{}", descriptor.as_raw_fd());
    std::ffi::CString::new(text).unwrap_or_default()
}

/// Opens anew what a descriptor of any kind has, with the rights of this thread.
pub fn reopen(descriptor: BorrowedFd, flags: i32) -> Result<OwnedFd> {
    let path = own_path(descriptor);
    let opened = unsafe { libc::open(path.as_ptr(), flags | libc::O_CLOEXEC) };
    owned(libc::c_long::from(opened))
}

pub fn stat(descriptor: BorrowedFd) -> Result<libc::stat> {
    stat_name(descriptor, c"")
}

/// Of one name in a folder, or with an empty name of the descriptor itself; links are not followed.
pub fn stat_name(folder: BorrowedFd, name: &CStr) -> Result<libc::stat> {
    let mut stat = MaybeUninit::uninit();
    let flags = libc::AT_SYMLINK_NOFOLLOW | libc::AT_EMPTY_PATH;
    let done =
        unsafe { libc::fstatat(folder.as_raw_fd(), name.as_ptr(), stat.as_mut_ptr(), flags) };
    if done != 0 {
        return Err(Error::last_os_error());
    }
    Ok(unsafe { stat.assume_init() })
}

/// When the inode was made; zero where the file system does not tell.
pub fn born(descriptor: BorrowedFd) -> (i64, u32) {
    let mut all: MaybeUninit<libc::statx> = MaybeUninit::zeroed();
    let done = unsafe {
        libc::statx(
            descriptor.as_raw_fd(),
            c"".as_ptr(),
            libc::AT_EMPTY_PATH,
            libc::STATX_BTIME,
            all.as_mut_ptr(),
        )
    };
    let all = unsafe { all.assume_init() };
    if done == 0 && all.stx_mask & libc::STATX_BTIME != 0 {
        (all.stx_btime.tv_sec, all.stx_btime.tv_nsec)
    } else {
        (0, 0)
    }
}

pub fn check(result: libc::c_int) -> Result<()> {
    match result {
        -1 => Err(Error::last_os_error()),
        _ => Ok(()),
    }
}
