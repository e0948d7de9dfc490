//! Keeps the rights as fresh as the relay's table, and has the kernel forget what is granted no longer.
use super::backing::split;
use super::pod::{Pod, resource};
use super::rights::Rights;
use fuser::{INodeNo, Notifier};
use nix::errno::Errno;
use nix::fcntl::{OFlag, openat};
use nix::sys::stat::{Mode, fstat};
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::time::{Duration, SystemTime};

const TABLE: &str = "rights.json";
const LARGEST: u64 = 16 << 20;
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// The table, which is replaced as a whole: another file, another state.
pub struct Table {
    folder: OwnedFd,
    seen: Option<(u64, i64, i64)>,
    /// When it was written, and for how many seconds it counts.
    good: (SystemTime, u64),
}

impl Table {
    pub fn new(folder: OwnedFd) -> Table {
        Table {
            folder,
            seen: None,
            good: (SystemTime::UNIX_EPOCH, 0),
        }
    }

    /// The rights, when they are others than at the last look. Without a table that can be read there are none.
    pub fn look(&mut self) -> Option<Rights> {
        let before = self.seen;
        let rights = self.read_new();
        match rights {
            Ok(Some(rights)) => Some(self.unless_over(rights)),
            Ok(None) if self.is_over() => {
                self.seen = None;
                before.map(|_| Rights::default())
            }
            Ok(None) => None,
            Err(_) => {
                self.seen = None;
                before.map(|_| Rights::default())
            }
        }
    }

    fn read_new(&mut self) -> Result<Option<Rights>, String> {
        let flags = OFlag::O_RDONLY | OFlag::O_CLOEXEC | OFlag::O_NOFOLLOW;
        let said = |e: Errno| e.to_string();
        let file = openat(&self.folder, TABLE, flags, Mode::empty()).map_err(said)?;
        let stat = fstat(&file).map_err(said)?;
        let seen = Some((stat.st_ino, stat.st_mtime, stat.st_mtime_nsec));
        if self.seen == seen {
            return Ok(None);
        }
        let mut text = Vec::new();
        let read = File::from(file).take(LARGEST).read_to_end(&mut text);
        read.map_err(|e| e.to_string())?;
        let rights = Rights::parse(&text)?;
        let written = Duration::new(stat.st_mtime as u64, stat.st_mtime_nsec as u32);
        self.good = (SystemTime::UNIX_EPOCH + written, rights.lease_seconds());
        self.seen = seen;
        Ok(Some(rights))
    }

    fn unless_over(&mut self, rights: Rights) -> Rights {
        if self.is_over() {
            Rights::default()
        } else {
            rights
        }
    }

    fn is_over(&self) -> bool {
        let (written, seconds) = self.good;
        written
            .elapsed()
            .is_ok_and(|age| age > Duration::from_secs(seconds))
    }
}

/// For as long as the process lives.
pub fn watch(mut table: Table, pod: &Pod, kernel: &Notifier) {
    loop {
        std::thread::sleep(LOOK_EVERY);
        if let Some(rights) = table.look() {
            let before = pod.rights();
            pod.set_rights(rights);
            forget(&before, pod, kernel);
        }
    }
}

/// What the kernel has in memory of files that may be used less than before, also where it is mapped into a
/// process. It may have forgotten them by itself.
fn forget(before: &Rights, pod: &Pod, kernel: &Notifier) {
    let now = pod.rights();
    let all = pod.nodes().all();
    for (number, place) in all {
        let name = resource(&place.path, place.kind);
        let (old, new) = (before.modes(&name), now.modes(&name));
        let less = !new.has(old) || before.is_visible(&name) && !now.is_visible(&name);
        if !less {
            continue;
        }
        let _ = kernel.inval_inode(INodeNo(number), 0, 0);
        let (folder, name) = split(&place.path);
        let folder = pod.nodes().number(folder);
        if let Some(folder) = folder.filter(|_| !place.path.is_empty()) {
            let _ = kernel.inval_entry(INodeNo(folder), OsStr::new(name));
        }
    }
}
