//! How the Pod's files look from inside the sandbox.
use super::handles::Handle;
use super::nodes::Kind;
use super::pod::{Found, Pod};
use super::rights::READ;
use fuser::{AccessFlags, FileAttr, FileType, INodeNo, ReplyDirectory, TimeOrNow};
use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::sys::time::TimeSpec;
use std::ffi::OsStr;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Whom files seem to belong to: the sandbox's ordinary user.
pub struct View {
    pub pod: Arc<Pod>,
    pub uid: u32,
    pub gid: u32,
}

impl View {
    pub fn attributes(&self, found: &Found) -> FileAttr {
        let stat = &found.stat;
        let (kind, open) = match found.kind {
            Kind::Folder => (FileType::Directory, 0o500),
            Kind::File => (FileType::RegularFile, 0),
            Kind::Link => (FileType::Symlink, 0o777),
        };
        let readable = if found.modes.has(READ) { 0o400 } else { 0 };
        let writable = if found.modes.adds() { 0o200 } else { 0 };
        let program = (stat.st_mode & 0o111 != 0 && found.kind == Kind::File) as u16 * 0o100;
        FileAttr {
            ino: INodeNo(found.number),
            size: stat.st_size as u64,
            blocks: stat.st_blocks as u64,
            atime: time(stat.st_atime, stat.st_atime_nsec),
            mtime: time(stat.st_mtime, stat.st_mtime_nsec),
            ctime: time(stat.st_ctime, stat.st_ctime_nsec),
            crtime: UNIX_EPOCH,
            kind,
            perm: open | readable | writable | program,
            nlink: stat.st_nlink as u32,
            uid: self.uid,
            gid: self.gid,
            rdev: 0,
            blksize: stat.st_blksize as u32,
            flags: 0,
        }
    }

    pub fn look_up(&self, folder: INodeNo, name: &OsStr) -> Result<Found, Errno> {
        self.pod.look_up(&self.pod.child(folder.0, name)?)
    }

    pub fn create(&self, path: &str, mode: u32, flags: OFlag) -> Result<(Found, u64), Errno> {
        match self.pod.make_file(
            path,
            mode,
            flags & OFlag::O_ACCMODE | flags & OFlag::O_APPEND,
        ) {
            // Somebody else was faster.
            Err(Errno::EEXIST) if !flags.contains(OFlag::O_EXCL) => {
                let found = self.pod.look_up(path)?;
                let handle = self.pod.open(found.number, flags)?;
                Ok((found, handle))
            }
            other => other,
        }
    }

    pub fn may_access(&self, number: u64, mask: AccessFlags) -> Result<(), Errno> {
        let attributes = self.attributes(&self.pod.describe(number)?);
        let allowed = AccessFlags::from_bits_truncate(i32::from(attributes.perm >> 6));
        if allowed.contains(mask) {
            Ok(())
        } else {
            Err(Errno::EACCES)
        }
    }

    pub fn fill(
        &self,
        folder: u64,
        handle: u64,
        offset: u64,
        reply: &mut ReplyDirectory,
    ) -> Result<(), Errno> {
        let handle = self.pod.handles().get(handle)?;
        let Handle::Listing(listing) = &*handle else {
            return Err(Errno::EBADF);
        };
        let mut entries = listing.lock().unwrap_or_else(|e| e.into_inner());
        if offset == 0 {
            *entries = self.pod.list(folder)?;
        }
        let dots = [".", ".."].map(|dot| (folder, FileType::Directory, dot));
        let names = entries.iter().map(|entry| {
            let kind = match entry.kind {
                Kind::Folder => FileType::Directory,
                Kind::File => FileType::RegularFile,
                Kind::Link => FileType::Symlink,
            };
            (entry.number, kind, &*entry.name)
        });
        let all = dots.into_iter().chain(names).enumerate();
        for (index, (number, kind, name)) in all.skip(offset as usize) {
            if reply.add(INodeNo(number), index as u64 + 1, kind, name) {
                break;
            }
        }
        Ok(())
    }
}

fn time(seconds: i64, nanoseconds: i64) -> SystemTime {
    let after = Duration::new(
        seconds.max(0) as u64,
        nanoseconds.clamp(0, 999_999_999) as u32,
    );
    UNIX_EPOCH + after
}

pub fn time_spec(time: Option<TimeOrNow>) -> TimeSpec {
    match time {
        None => TimeSpec::UTIME_OMIT,
        Some(TimeOrNow::Now) => TimeSpec::UTIME_NOW,
        Some(TimeOrNow::SpecificTime(at)) => {
            TimeSpec::from(at.duration_since(UNIX_EPOCH).unwrap_or_default())
        }
    }
}
