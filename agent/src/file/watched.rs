//! The folders of one watch: what the kernel's numbers stand for, also after a folder was moved.
use crate::bounds;
use std::collections::HashMap;
use std::ffi::CString;
use std::io;
use std::os::fd::AsFd;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

const EVENTS: u32 = libc::IN_CREATE
    | libc::IN_DELETE
    | libc::IN_MODIFY
    | libc::IN_ATTRIB
    | libc::IN_MOVED_FROM
    | libc::IN_MOVED_TO
    | libc::IN_ONLYDIR
    | libc::IN_EXCL_UNLINK;
const HEAD: usize = 16;

/// An event as the kernel tells it.
pub struct Raw {
    pub watch: i32,
    pub mask: u32,
    pub cookie: u32,
    pub name: Vec<u8>,
}

struct Folder {
    /// None: the watched folder itself.
    parent: Option<i32>,
    name: Vec<u8>,
}

pub struct Folders {
    inotify: OwnedFd,
    known: HashMap<i32, Folder>,
}

impl Folders {
    pub fn new() -> io::Result<Folders> {
        let fd = unsafe { libc::inotify_init1(libc::IN_NONBLOCK | libc::IN_CLOEXEC) };
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(Folders {
            inotify: unsafe { OwnedFd::from_raw_fd(fd) },
            known: HashMap::new(),
        })
    }

    pub fn fd(&self) -> BorrowedFd<'_> {
        self.inotify.as_fd()
    }

    /// By the open folder itself, not by a path that may lead elsewhere by now.
    pub fn add(&mut self, folder: BorrowedFd, parent: Option<i32>, name: &[u8]) -> io::Result<i32> {
        if self.known.len() >= bounds::WATCHED_FOLDERS {
            return Err(io::Error::from_raw_os_error(libc::ENOSPC));
        }
        let path = CString::new(format!("/proc/self/fd/{}", folder.as_raw_fd()))?;
        let watch =
            unsafe { libc::inotify_add_watch(self.inotify.as_raw_fd(), path.as_ptr(), EVENTS) };
        if watch < 0 {
            return Err(io::Error::last_os_error());
        }
        let name = name.to_vec();
        self.known.insert(watch, Folder { parent, name });
        Ok(watch)
    }

    /// None when there is nothing to read.
    pub fn read(&self, buffer: &mut [u8]) -> io::Result<Vec<Raw>> {
        let read = unsafe {
            libc::read(
                self.inotify.as_raw_fd(),
                buffer.as_mut_ptr().cast(),
                buffer.len(),
            )
        };
        if read < 0 {
            let error = io::Error::last_os_error();
            return match error.kind() {
                io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted => Ok(Vec::new()),
                _ => Err(error),
            };
        }
        let mut left = &buffer[..read as usize];
        let mut events = Vec::new();
        while left.len() >= HEAD {
            let word = |at: usize| u32::from_ne_bytes(left[at..at + 4].try_into().expect("four"));
            let end = HEAD + word(12) as usize;
            let name = left[HEAD..end].split(|byte| *byte == 0).next();
            events.push(Raw {
                watch: word(0) as i32,
                mask: word(4),
                cookie: word(8),
                name: name.unwrap_or_default().to_vec(),
            });
            left = &left[end..];
        }
        Ok(events)
    }

    pub fn is_root(&self, watch: i32) -> bool {
        self.known
            .get(&watch)
            .is_some_and(|folder| folder.parent.is_none())
    }

    /// From the watched folder down to this one; none when it is no longer watched.
    pub fn names(&self, watch: i32) -> Option<Vec<Vec<u8>>> {
        let mut names = Vec::new();
        let mut here = self.known.get(&watch)?;
        while let Some(parent) = here.parent {
            names.push(here.name.clone());
            here = self.known.get(&parent)?;
            if names.len() > bounds::TREE_DEPTH {
                return None;
            }
        }
        names.reverse();
        Some(names)
    }

    pub fn path(&self, watch: i32, name: &[u8], base: &str) -> Option<String> {
        let mut path = base.trim_end_matches('/').to_owned();
        let names = self.names(watch)?;
        for name in names.iter().map(Vec::as_slice).chain([name]) {
            if !name.is_empty() {
                path.push('/');
                path.push_str(&String::from_utf8_lossy(name));
            }
        }
        Some(path)
    }

    pub fn forget(&mut self, watch: i32) {
        self.known.remove(&watch);
    }

    fn find(&self, parent: i32, name: &[u8]) -> Option<i32> {
        let is_it = |folder: &Folder| folder.parent == Some(parent) && folder.name == name;
        let found = self.known.iter().find(|(_, folder)| is_it(folder));
        found.map(|(watch, _)| *watch)
    }

    pub fn moved(&mut self, from: (i32, &[u8]), to: (i32, &[u8])) {
        if let Some(watch) = self.find(from.0, from.1) {
            let name = to.1.to_vec();
            let parent = Some(to.0);
            self.known.insert(watch, Folder { parent, name });
        }
    }

    /// A folder went out of sight, with all that is in it.
    pub fn leave(&mut self, parent: i32, name: &[u8]) {
        let Some(gone) = self.find(parent, name) else {
            return;
        };
        let mut going = vec![gone];
        while let Some(watch) = going.pop() {
            let inner = self
                .known
                .iter()
                .filter(|(_, folder)| folder.parent == Some(watch));
            going.extend(inner.map(|(watch, _)| *watch));
            self.known.remove(&watch);
            unsafe { libc::inotify_rm_watch(self.inotify.as_raw_fd(), watch) };
        }
    }
}
