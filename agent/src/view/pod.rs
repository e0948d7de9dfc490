//! What a session does with the Pod's files, each time as far as its rights go at that moment.
use super::backing::{Backing, join, split};
use super::handles::{Entry, Handle, Handles, OpenFile};
use super::names;
use super::nodes::{Kind, Nodes, Place};
use super::rights::{Modes, READ, Rights, WRITE};
use nix::errno::Errno;
use nix::fcntl::{OFlag, RenameFlags};
use nix::sys::stat::{FileStat, fstat};
use std::sync::{Arc, Mutex, MutexGuard, RwLock};

/// So much of the host's disk is left when a session writes.
const KEPT_FREE: u64 = 256 << 20;

pub struct Pod {
    pub backing: Backing,
    rights: RwLock<Arc<Rights>>,
    nodes: Mutex<Nodes>,
    handles: Mutex<Handles>,
}

pub struct Found {
    pub number: u64,
    pub stat: FileStat,
    pub kind: Kind,
    pub modes: Modes,
}

impl Pod {
    pub fn new(backing: Backing, rights: Rights) -> Pod {
        Pod {
            backing,
            rights: RwLock::new(Arc::new(rights)),
            nodes: Mutex::new(Nodes::new()),
            handles: Mutex::default(),
        }
    }

    pub fn rights(&self) -> Arc<Rights> {
        let rights = self.rights.read();
        rights.unwrap_or_else(|e| e.into_inner()).clone()
    }

    pub fn set_rights(&self, rights: Rights) {
        *self.rights.write().unwrap_or_else(|e| e.into_inner()) = Arc::new(rights);
    }

    pub fn nodes(&self) -> MutexGuard<'_, Nodes> {
        self.nodes.lock().unwrap_or_else(|e| e.into_inner())
    }

    pub fn handles(&self) -> MutexGuard<'_, Handles> {
        self.handles.lock().unwrap_or_else(|e| e.into_inner())
    }

    pub fn place(&self, number: u64) -> Result<Place, Errno> {
        self.nodes().place(number)
    }

    pub fn modes(&self, path: &str, kind: Kind) -> Modes {
        self.rights().modes(&resource(path, kind))
    }

    fn is_visible(&self, path: &str, kind: Kind) -> bool {
        path.is_empty() || self.rights().is_visible(&resource(path, kind))
    }

    /// The path of something in a folder, whether or not it is there.
    pub fn child(&self, folder: u64, name: &std::ffi::OsStr) -> Result<String, Errno> {
        let folder = self.place(folder)?;
        let name = name.to_str().ok_or(Errno::EILSEQ)?;
        if folder.kind != Kind::Folder {
            return Err(Errno::ENOTDIR);
        }
        if folder.removed {
            return Err(Errno::ENOENT);
        }
        Ok(join(&folder.path, name))
    }

    pub fn look_up(&self, path: &str) -> Result<Found, Errno> {
        if names::is_hidden(split(path).1) {
            return Err(Errno::ENOENT);
        }
        let (stat, kind) = self.backing.stat(path)?;
        if !self.is_visible(path, kind) {
            return Err(Errno::ENOENT);
        }
        let modes = self.modes(path, kind);
        let number = self.nodes().looked_up(path, kind)?;
        Ok(Found {
            number,
            stat,
            kind,
            modes,
        })
    }

    /// What is known about something that was looked up before.
    pub fn describe(&self, number: u64) -> Result<Found, Errno> {
        let place = self.place(number)?;
        if !self.is_visible(&place.path, place.kind) {
            return Err(Errno::EACCES);
        }
        let stat = if place.removed {
            let open = self.handles().of_node(number).ok_or(Errno::ENOENT)?;
            fstat(&file(&open)?.file)?
        } else {
            self.backing.stat(&place.path)?.0
        };
        let modes = self.modes(&place.path, place.kind);
        Ok(Found {
            number,
            stat,
            kind: place.kind,
            modes,
        })
    }

    pub fn list(&self, number: u64) -> Result<Vec<Entry>, Errno> {
        let place = self.place(number)?;
        if place.removed || !self.is_visible(&place.path, Kind::Folder) {
            return Err(Errno::EACCES);
        }
        let entry = |(name, number): (String, u64)| {
            let path = join(&place.path, &name);
            let kind = self.backing.stat(&path).ok()?.1;
            let shown = !names::is_hidden(&name) && self.is_visible(&path, kind);
            shown.then_some(Entry { name, number, kind })
        };
        let names = self.backing.list(&place.path)?;
        Ok(names.into_iter().filter_map(entry).collect())
    }

    /// By the folder's ACL, and by the one that what is to come would have.
    fn may_make(&self, path: &str, kind: Kind) -> Result<(), Errno> {
        let (folder, name) = split(path);
        if names::is_hidden(name) {
            return Err(Errno::EPERM);
        }
        if !self.modes(folder, Kind::Folder).adds() || !self.modes(path, kind).adds() {
            return Err(Errno::EACCES);
        }
        self.must_have_space()
    }

    fn may_remove(&self, path: &str, kind: Kind) -> Result<(), Errno> {
        let (folder, name) = split(path);
        if names::is_hidden(name) || !self.is_visible(path, kind) {
            return Err(Errno::ENOENT);
        }
        if !self.modes(folder, Kind::Folder).has(WRITE) || !self.modes(path, kind).has(WRITE) {
            return Err(Errno::EACCES);
        }
        Ok(())
    }

    pub fn must_have_space(&self) -> Result<(), Errno> {
        let space = self.backing.space()?;
        if space.blocks_available() * space.fragment_size() < KEPT_FREE {
            return Err(Errno::ENOSPC);
        }
        Ok(())
    }

    pub fn make_file(&self, path: &str, mode: u32, flags: OFlag) -> Result<(Found, u64), Errno> {
        self.may_make(path, Kind::File)?;
        let only_appends = !self.modes(path, Kind::File).has(WRITE);
        let appending = if only_appends {
            OFlag::O_APPEND
        } else {
            OFlag::empty()
        };
        let file = self.backing.new_file(path, mode, flags | appending)?;
        let found = self.look_up(path)?;
        let node = found.number;
        let handle = self.handles().add(Handle::File(OpenFile { node, file }))?;
        Ok((found, handle))
    }

    pub fn make_folder(&self, path: &str) -> Result<Found, Errno> {
        self.may_make(path, Kind::Folder)?;
        self.backing.new_folder(path)?;
        self.look_up(path)
    }

    pub fn remove(&self, path: &str, folder: bool) -> Result<(), Errno> {
        let (_, kind) = self.backing.stat(path)?;
        self.may_remove(path, kind)?;
        match (kind == Kind::Folder, folder) {
            (true, false) => return Err(Errno::EISDIR),
            (false, true) => return Err(Errno::ENOTDIR),
            _ => {}
        }
        self.backing.remove(path, kind)?;
        self.nodes().removed(path);
        Ok(())
    }

    /// Reading it here, writing it there and removing it here: all three must be granted.
    pub fn rename(&self, from: &str, to: &str, flags: RenameFlags) -> Result<(), Errno> {
        if !(flags - RenameFlags::RENAME_NOREPLACE).is_empty() {
            return Err(Errno::EINVAL);
        }
        let (_, kind) = self.backing.stat(from)?;
        self.may_remove(from, kind)?;
        if !self.modes(from, kind).has(READ) {
            return Err(Errno::EACCES);
        }
        self.may_make(to, kind)?;
        match self.backing.stat(to) {
            Ok((_, there)) => self.may_remove(to, there)?,
            Err(Errno::ENOENT) => {}
            Err(other) => return Err(other),
        }
        let rights = self.rights();
        for path in [from, to] {
            // As between two disks: whoever moves it copies what may be read, and removes what may be removed.
            if kind == Kind::Folder && rights.has_acl_inside(&resource(path, kind)) {
                return Err(Errno::EXDEV);
            }
        }
        // Its words lead elsewhere from there, and the Pod's server may follow them.
        if !self.backing.links_stay_inside(from, to)? {
            return Err(Errno::EXDEV);
        }
        self.backing.rename(from, to, flags)?;
        self.nodes().moved(from, to);
        Ok(())
    }
}

pub fn file(handle: &Handle) -> Result<&OpenFile, Errno> {
    match handle {
        Handle::File(open) => Ok(open),
        Handle::Listing(_) => Err(Errno::EBADF),
    }
}

/// The name in the Pod of what is at this path.
pub fn resource(path: &str, kind: Kind) -> String {
    let (folder, name) = split(path);
    match kind {
        _ if path.is_empty() => "/".to_owned(),
        Kind::Folder => format!("/{path}/"),
        Kind::File | Kind::Link => {
            format!("/{}", join(folder, names::resource_of(name)))
        }
    }
}
