//! What is in the Pod's files: opening, reading, writing, changing. An open file is no right: each time it is asked
//! anew what the session may do.
use super::handles::{Handle, OpenFile};
use super::nodes::Kind;
use super::pod::{Pod, file};
use super::rights::{Modes, READ, WRITE};
use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::sys::stat::{Mode, fchmod, fstat};
use nix::sys::time::TimeSpec;

const SET_IDS: u32 = libc::S_ISUID | libc::S_ISGID;
const EXECUTABLE: u32 = 0o111;

/// What is to be different about a file or folder.
pub struct Change {
    pub mode: Option<u32>,
    pub size: Option<u64>,
    pub times: Option<(TimeSpec, TimeSpec)>,
}

impl Pod {
    pub fn open(&self, number: u64, flags: OFlag) -> Result<u64, Errno> {
        let place = self.place(number)?;
        let modes = self.modes(&place.path, place.kind);
        let access = flags & OFlag::O_ACCMODE;
        let appends = flags.contains(OFlag::O_APPEND);
        let reads = access != OFlag::O_WRONLY;
        let writes = access != OFlag::O_RDONLY;
        if reads && !modes.has(READ)
            || writes && !modes.has(WRITE) && !(appends && modes.adds())
            || flags.contains(OFlag::O_TRUNC) && !modes.has(WRITE)
        {
            return Err(Errno::EACCES);
        }
        let kept = access | flags & (OFlag::O_APPEND | OFlag::O_TRUNC);
        let file = if place.removed {
            return Err(Errno::ENOENT);
        } else {
            self.backing.file(&place.path, kept)?
        };
        let node = number;
        self.handles().add(Handle::File(OpenFile { node, file }))
    }

    /// What is open counts only as long as its name leads to it, or no name does: moved elsewhere by somebody
    /// else, it would be under another ACL.
    pub fn modes_of_open(&self, open: &OpenFile) -> Result<Modes, Errno> {
        let place = self.place(open.node)?;
        let stat = fstat(&open.file)?;
        if stat.st_nlink > 0 {
            let (named, _) = self.backing.stat(&place.path).map_err(|_| Errno::EACCES)?;
            if (named.st_dev, named.st_ino) != (stat.st_dev, stat.st_ino) {
                return Err(Errno::EACCES);
            }
        }
        Ok(self.modes(&place.path, place.kind))
    }

    pub fn read(&self, handle: u64, offset: u64, size: u32) -> Result<Vec<u8>, Errno> {
        let handle = self.handles().get(handle)?;
        let open = file(&handle)?;
        if !self.modes_of_open(open)?.has(READ) {
            return Err(Errno::EACCES);
        }
        let mut bytes = vec![0; size as usize];
        let offset = i64::try_from(offset).map_err(|_| Errno::EINVAL)?;
        let mut count = 0;
        while count < bytes.len() {
            match nix::sys::uio::pread(&open.file, &mut bytes[count..], offset + count as i64)? {
                0 => break,
                more => count += more,
            }
        }
        bytes.truncate(count);
        Ok(bytes)
    }

    pub fn write(&self, handle: u64, offset: u64, bytes: &[u8]) -> Result<usize, Errno> {
        let handle = self.handles().get(handle)?;
        let open = file(&handle)?;
        let modes = self.modes_of_open(open)?;
        let offset = i64::try_from(offset).map_err(|_| Errno::EINVAL)?;
        let at_the_end = || Ok::<bool, Errno>(offset >= fstat(&open.file)?.st_size);
        let allowed = modes.has(WRITE) || modes.adds() && at_the_end()?;
        if !allowed {
            return Err(Errno::EACCES);
        }
        self.must_have_space()?;
        nix::sys::uio::pwrite(&open.file, bytes, offset)
    }

    pub fn change(&self, number: u64, change: &Change) -> Result<(), Errno> {
        let place = self.place(number)?;
        let modes = self.modes(&place.path, place.kind);
        let needs_write = change.size.is_some() || change.mode.is_some();
        if needs_write && !modes.has(WRITE) || !modes.adds() {
            return Err(Errno::EACCES);
        }
        if let Some(size) = change.size {
            self.must_have_space()?;
            let size = i64::try_from(size).map_err(|_| Errno::EFBIG)?;
            if place.removed {
                let open = self.handles().of_node(number).ok_or(Errno::ENOENT)?;
                nix::unistd::ftruncate(&file(&open)?.file, size)?;
            } else {
                let opened = self.backing.file(&place.path, OFlag::O_WRONLY)?;
                nix::unistd::ftruncate(&opened, size)?;
            }
        }
        if place.removed {
            return Ok(());
        }
        if let Some(mode) = change.mode {
            self.change_mode(&place.path, place.kind, mode)?;
        }
        if let Some((accessed, modified)) = change.times {
            self.backing.set_times(&place.path, accessed, modified)?;
        }
        Ok(())
    }

    /// Who may read and write is the ACLs' to say. What is left is whether a file is a program.
    fn change_mode(&self, path: &str, kind: Kind, mode: u32) -> Result<(), Errno> {
        if mode & SET_IDS != 0 {
            return Err(Errno::EPERM);
        }
        if kind == Kind::File {
            let opened = self.backing.file(path, OFlag::O_RDONLY)?;
            let before = fstat(&opened)?.st_mode & 0o777;
            let after = before & !EXECUTABLE | mode & EXECUTABLE & (before >> 2 | 0o100);
            fchmod(&opened, Mode::from_bits_truncate(after))?;
        }
        Ok(())
    }
}
