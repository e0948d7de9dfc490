//! How a file is shown: its kind, size, mode, owner and version.
use super::calls::{self, Stat};
use crate::launch::users::Names;
use crate::relay::wire::{FileEntry, file_entry::Type};
use std::ffi::CStr;
use std::os::fd::BorrowedFd;

pub const MODE: u32 = 0o7777;

/// Shows entries of one operation: the names of users are read once for all of them.
#[derive(Default)]
pub struct Entries {
    names: Option<Names>,
}

impl Entries {
    /// The names of user and group.
    pub fn owner(&mut self, stat: &Stat) -> (String, String) {
        let names = self.names.get_or_insert_with(Names::read);
        (names.user(stat.st_uid), names.group(stat.st_gid))
    }

    /// `name` is in `folder`, which is asked what a link says.
    pub fn show(
        &mut self,
        path: String,
        stat: &Stat,
        folder: BorrowedFd,
        name: &CStr,
    ) -> FileEntry {
        let kind = match stat.st_mode & libc::S_IFMT {
            libc::S_IFREG => Type::File,
            libc::S_IFDIR => Type::Folder,
            libc::S_IFLNK => Type::Link,
            _ => Type::Other,
        };
        let target = match kind {
            // One that is gone meanwhile says nothing.
            Type::Link => calls::read_link(folder, name).unwrap_or_default(),
            _ => Vec::new(),
        };
        let (user, group) = self.owner(stat);
        FileEntry {
            path,
            r#type: kind.into(),
            size: u64::try_from(stat.st_size).unwrap_or_default(),
            mode: stat.st_mode & MODE,
            user,
            group,
            modified_unix_nanos: stat
                .st_mtime
                .saturating_mul(1_000_000_000)
                .saturating_add(stat.st_mtime_nsec),
            target: String::from_utf8_lossy(&target).into_owned(),
            version: version(stat),
        }
    }
}

/// Differs after every change: by the inode when a file is replaced, by the times and the size when it is written to.
pub fn version(stat: &Stat) -> String {
    format!(
        "{:x}-{:x}-{:x}.{:x}-{:x}.{:x}",
        stat.st_ino,
        stat.st_size,
        stat.st_mtime,
        stat.st_mtime_nsec,
        stat.st_ctime,
        stat.st_ctime_nsec
    )
}
