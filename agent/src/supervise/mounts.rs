//! A table of mounts without the disks of other sandboxes.
//!
//! Bubblewrap reads the whole table for each of its own twenty mounts. With a disk mounted for every sandbox of the
//! host, that was soon most of what a start costs: 8 ms beside no other sandbox, 27 ms beside 250.
use super::namespace::check;
use super::spec::OwnDisk;
use std::ffi::CString;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Of the kernel's headers; the library has only the calls' numbers.
const OPEN_TREE_CLONE: libc::c_int = 1;
const MOVE_MOUNT_F_EMPTY_PATH: libc::c_int = 4;

/// Moves this process into a table of its own, in which of all disks only the sandbox's is left, at its usual place.
/// What the host unmounts later goes from here too, where the host's mounts are shared.
pub fn leave_other_disks(disk: &OwnDisk) -> Result<(), String> {
    check("make a table of mounts", unsafe {
        libc::unshare(libc::CLONE_NEWNS)
    })?;
    let root = c"/".as_ptr();
    let only_receive = libc::MS_REC | libc::MS_SLAVE;
    check("keep the host's mounts", unsafe {
        libc::mount(
            std::ptr::null(),
            root,
            std::ptr::null(),
            only_receive,
            std::ptr::null(),
        )
    })?;
    let (all, own) = (text(&disk.all)?, text(&disk.content)?);
    let Some(held) = hold(&own) else {
        // A kernel before 5.2, or one that is told not to: the table stays as long as it is.
        return Ok(());
    };
    check("leave the disks of others", unsafe {
        libc::umount2(all.as_ptr(), libc::MNT_DETACH)
    })?;
    check("keep the own disk", unsafe {
        libc::syscall(
            libc::SYS_move_mount,
            held.as_raw_fd(),
            c"".as_ptr(),
            libc::AT_FDCWD,
            own.as_ptr(),
            MOVE_MOUNT_F_EMPTY_PATH,
        ) as libc::c_int
    })
}

/// The mount at this path once more, at no place yet.
fn hold(path: &CString) -> Option<OwnedFd> {
    let flags = OPEN_TREE_CLONE | libc::O_CLOEXEC;
    let held = unsafe {
        libc::syscall(
            libc::SYS_open_tree,
            libc::AT_FDCWD,
            path.as_ptr(),
            flags as libc::c_uint,
        )
    };
    (held >= 0).then(|| unsafe { OwnedFd::from_raw_fd(held as libc::c_int) })
}

fn text(path: &Path) -> Result<CString, String> {
    CString::new(path.as_os_str().as_bytes()).map_err(|_| "a zero byte where none may be".into())
}
