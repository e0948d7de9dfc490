//! The Pod's folder on the host. Every path is walked from it, and no link on the way is followed: neither `..`
//! nor a link leads out, whoever put it there.
use super::names;
use super::nodes::Kind;
use nix::dir::Dir;
use nix::errno::Errno;
use nix::fcntl::{
    OFlag, OpenHow, RenameFlags, ResolveFlag, openat, openat2, readlinkat, renameat2,
};
use nix::sys::stat::{FileStat, Mode, UtimensatFlags, fstat, mkdirat, utimensat};
use nix::sys::statvfs::{Statvfs, fstatvfs};
use nix::sys::time::TimeSpec;
use nix::unistd::{UnlinkatFlags, unlinkat};
use std::fs::File;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

/// Files that are looked at when a folder moves up; one with more is copied, as between two disks.
const MOST_MOVED: usize = 10_000;

pub struct Backing {
    root: OwnedFd,
    /// What is made is no more open to the host's other users than the Pod's folder is.
    openness: u32,
}

impl Backing {
    pub fn open(folder: &Path) -> Result<(Backing, FileStat), Errno> {
        let flags = OFlag::O_PATH | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
        let root = nix::fcntl::open(folder, flags, Mode::empty())?;
        let stat = fstat(&root)?;
        let openness = stat.st_mode & 0o077 | 0o700;
        Ok((Backing { root, openness }, stat))
    }

    fn walk(&self, path: &str, flags: OFlag, mode: u32) -> Result<OwnedFd, Errno> {
        let how = OpenHow::new()
            .flags(flags | OFlag::O_CLOEXEC | OFlag::O_NOFOLLOW)
            .mode(Mode::from_bits_truncate(mode))
            .resolve(
                ResolveFlag::RESOLVE_BENEATH
                    | ResolveFlag::RESOLVE_NO_SYMLINKS
                    | ResolveFlag::RESOLVE_NO_MAGICLINKS,
            );
        openat2(&self.root, if path.is_empty() { "." } else { path }, how)
    }

    fn folder(&self, path: &str) -> Result<OwnedFd, Errno> {
        self.walk(path, OFlag::O_PATH | OFlag::O_DIRECTORY, 0)
    }

    /// What is there; a link for itself. Links that leave the Pod, devices and pipes are as good as not there.
    pub fn stat(&self, path: &str) -> Result<(FileStat, Kind), Errno> {
        let stat = fstat(self.walk(path, OFlag::O_PATH, 0)?)?;
        let kind = Kind::of(&stat).ok_or(Errno::ENOENT)?;
        if kind == Kind::Link {
            self.link(path)?;
        }
        Ok((stat, kind))
    }

    pub fn link(&self, path: &str) -> Result<String, Errno> {
        let target = self.target(path)?;
        if names::stays_inside(depth(split(path).0), &target) {
            Ok(target)
        } else {
            Err(Errno::ENOENT)
        }
    }

    fn target(&self, path: &str) -> Result<String, Errno> {
        let (parent, name) = split(path);
        let target = readlinkat(self.folder(parent)?, name)?;
        target.into_string().map_err(|_| Errno::ENOENT)
    }

    /// Whether each link that moves along would lead to a place in the Pod from where it comes to. Deeper down or as
    /// deep as before, it does. Too many files to look at count as a no.
    pub fn links_stay_inside(&self, from: &str, to: &str) -> Result<bool, Errno> {
        if depth(to) >= depth(from) {
            return Ok(true);
        }
        let mut waiting = vec![(from.to_owned(), to.to_owned())];
        let mut seen = 0;
        while let Some((old, new)) = waiting.pop() {
            seen += 1;
            if seen > MOST_MOVED {
                return Ok(false);
            }
            match Kind::of(&fstat(self.walk(&old, OFlag::O_PATH, 0)?)?) {
                Some(Kind::Link)
                    if !names::stays_inside(depth(split(&new).0), &self.target(&old)?) =>
                {
                    return Ok(false);
                }
                Some(Kind::Folder) => {
                    for (name, _) in self.list(&old)? {
                        waiting.push((join(&old, &name), join(&new, &name)));
                    }
                }
                _ => {}
            }
        }
        Ok(true)
    }

    /// A regular file and nothing else: a pipe would keep us waiting, a device would do who knows what.
    pub fn file(&self, path: &str, flags: OFlag) -> Result<File, Errno> {
        let file = self.walk(path, flags | OFlag::O_NONBLOCK, 0)?;
        match Kind::of(&fstat(&file)?) {
            Some(Kind::File) => Ok(File::from(file)),
            Some(Kind::Folder) => Err(Errno::EISDIR),
            _ => Err(Errno::ENOENT),
        }
    }

    /// One that was not there before.
    pub fn new_file(&self, path: &str, mode: u32, flags: OFlag) -> Result<File, Errno> {
        let (parent, name) = split(path);
        let mode = (0o666 | mode & 0o111) & self.openness;
        let flags = flags | OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
        let made = openat(
            self.folder(parent)?,
            name,
            flags,
            Mode::from_bits_truncate(mode),
        )?;
        Ok(File::from(made))
    }

    pub fn new_folder(&self, path: &str) -> Result<(), Errno> {
        let (parent, name) = split(path);
        let mode = Mode::from_bits_truncate(0o777 & self.openness);
        mkdirat(self.folder(parent)?, name, mode)
    }

    pub fn remove(&self, path: &str, kind: Kind) -> Result<(), Errno> {
        let (parent, name) = split(path);
        let flag = match kind {
            Kind::Folder => UnlinkatFlags::RemoveDir,
            Kind::File | Kind::Link => UnlinkatFlags::NoRemoveDir,
        };
        unlinkat(self.folder(parent)?, name, flag)
    }

    pub fn rename(&self, from: &str, to: &str, flags: RenameFlags) -> Result<(), Errno> {
        let ((from, old), (to, new)) = (split(from), split(to));
        renameat2(self.folder(from)?, old, self.folder(to)?, new, flags)
    }

    pub fn set_times(
        &self,
        path: &str,
        accessed: TimeSpec,
        modified: TimeSpec,
    ) -> Result<(), Errno> {
        let (parent, name) = split(path);
        let name = if name.is_empty() { "." } else { name };
        let flag = UtimensatFlags::NoFollowSymlink;
        utimensat(self.folder(parent)?, name, &accessed, &modified, flag)
    }

    /// The names in a folder, with their numbers on the host.
    pub fn list(&self, path: &str) -> Result<Vec<(String, u64)>, Errno> {
        let folder = self.walk(path, OFlag::O_RDONLY | OFlag::O_DIRECTORY, 0)?;
        let mut names = Vec::new();
        for entry in Dir::from_fd(folder)?.iter() {
            let entry = entry?;
            if let Ok(name) = entry.file_name().to_str()
                && name != "."
                && name != ".."
            {
                names.push((name.to_owned(), entry.ino()));
            }
        }
        Ok(names)
    }

    pub fn space(&self) -> Result<Statvfs, Errno> {
        fstatvfs(self.root.as_fd())
    }
}

/// How many steps lead there from the Pod's folder.
fn depth(path: &str) -> usize {
    path.split('/').filter(|step| !step.is_empty()).count()
}

/// The folder it is in, and its name there.
pub fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

pub fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() {
        name.to_owned()
    } else {
        format!("{folder}/{name}")
    }
}
