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

/// The length of a disk's id after its prefix.
const DISK_ID: usize = 26;

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
    leave_other_installations(&disk.all);
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

/// Disks of other servers on this host: a copy of their mounts would keep their loop devices busy for as long as this
/// sandbox lives. One that cannot be left costs only that.
fn leave_other_installations(own: &Path) {
    let table = std::fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let places: Vec<&str> = table
        .lines()
        .filter_map(|line| line.split(' ').nth(4))
        .collect();
    let mut folders: Vec<&str> = places.iter().filter_map(|place| disks_of(place)).collect();
    folders.sort_unstable();
    folders.dedup();
    for folder in folders {
        if Path::new(folder) == own {
            continue;
        }
        // One mount above all of them, where there is one; else each by itself.
        let inside = |place: &&&str| disks_of(place) == Some(folder);
        let above = places.iter().filter(|place| **place == folder);
        for place in above.chain(places.iter().filter(inside)) {
            if let Ok(place) = text(Path::new(place)) {
                unsafe { libc::umount2(place.as_ptr(), libc::MNT_DETACH) };
            }
        }
    }
}

/// The folder of all disks that this place is a disk of.
fn disks_of(place: &str) -> Option<&str> {
    let (folder, id) = place.strip_suffix("/content")?.rsplit_once('/')?;
    let ours = id.strip_prefix("dsk-").is_some_and(|rest| {
        rest.len() == DISK_ID && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    (ours && folder.ends_with("/disks")).then_some(folder)
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

#[cfg(test)]
mod tests {
    use super::disks_of;

    #[test]
    fn a_disk_is_told_from_other_mounts() {
        let id = "dsk-01jd0000000000000000000000";
        assert_eq!(
            disks_of(&format!("/var/lib/bivouac/disks/{id}/content")),
            Some("/var/lib/bivouac/disks")
        );
        for other in [
            "/".to_owned(),
            "/home/disks".to_owned(),
            format!("/var/lib/bivouac/disks/{id}"),
            format!("/var/lib/bivouac/kept/{id}/content"),
            "/var/lib/bivouac/disks/dsk-short/content".to_owned(),
        ] {
            assert_eq!(disks_of(&other), None, "{other}");
        }
    }
}
