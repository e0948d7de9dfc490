//! Tells what changes below a folder, as the kernel tells it (inotify). One thread sleeps in the kernel while nothing does.
use super::calls;
use super::entry::Entries;
use super::fault::{About, Fault, Outcome};
use super::folder::Names;
use super::talk::Talk;
use super::walk::Walk;
use super::watched::{Folders, Raw};
use crate::bounds;
use crate::relay::wire::file_event::Type;
use crate::relay::wire::{
    FileDone, FileEvent, FileEvents, WatchFiles, file_failure::Kind, file_up::Message,
};
use std::collections::HashSet;
use std::os::fd::{AsFd, OwnedFd};

const BUFFER: usize = 16 * 1024;

pub fn watch(order: &WatchFiles, walk: &Walk, talk: &Talk) -> Outcome<FileDone> {
    let found = walk.find(&order.path, true)?;
    let base = found.open_folder()?;
    let mut watching = Watching {
        walk,
        folders: Folders::new().about(&found.path)?,
        base,
        path: found.path.clone(),
        recursive: order.recursive,
        unsaid: Vec::new(),
        changed: HashSet::new(),
        moving: None,
    };
    let root = watching.folders.add(watching.base.as_fd(), None, b"");
    watching.root(root)?;
    let stat = found.node()?.stat;
    let entry = Entries::default().show(found.path, &stat, found.folder.as_fd(), &found.name);
    talk.entry(entry)?;
    watching.run(talk)
}

struct Watching<'a> {
    walk: &'a Walk<'a>,
    folders: Folders,
    base: OwnedFd,
    path: String,
    recursive: bool,
    unsaid: Vec<FileEvent>,
    /// Files that are known to have changed in this batch.
    changed: HashSet<String>,
    /// What left its place, and may be seen at another one next.
    moving: Option<Raw>,
}

impl Watching<'_> {
    fn root(&mut self, added: std::io::Result<i32>) -> Outcome<()> {
        let root = added.map_err(|error| too_many(&error, &self.path))?;
        if self.recursive {
            let base = self.base.try_clone().about(&self.path)?;
            self.below(base, root, false, 0)?;
        }
        Ok(())
    }

    fn run(&mut self, talk: &Talk) -> Outcome<FileDone> {
        let mut buffer = vec![0; BUFFER];
        loop {
            talk.wait(self.folders.fd(), self.moving.is_none())?;
            let raw = self.folders.read(&mut buffer).about(&self.path)?;
            let quiet = raw.is_empty();
            let mut over = false;
            for event in raw {
                over |= self.event(event)?;
            }
            if quiet {
                self.left();
            }
            self.say(talk)?;
            if over {
                return Ok(FileDone::default());
            }
            // More of what has just begun is told in one message with it.
            std::thread::sleep(bounds::WATCH_PAUSE);
        }
    }

    /// True when the folder itself is gone.
    fn event(&mut self, event: Raw) -> Outcome<bool> {
        if event.mask & libc::IN_MOVED_TO != 0
            && let Some(from) = self.moving.take_if(|from| from.cookie == event.cookie)
        {
            self.moved(&from, &event);
            return Ok(false);
        }
        self.left();
        let folder = event.mask & libc::IN_ISDIR != 0;
        match event.mask {
            mask if mask & libc::IN_Q_OVERFLOW != 0 => self.overflow()?,
            mask if mask & libc::IN_IGNORED != 0 => {
                let root = self.folders.is_root(event.watch);
                self.folders.forget(event.watch);
                if root {
                    let path = self.path.clone();
                    self.tell(Type::Removed, path, true);
                }
                return Ok(root);
            }
            mask if mask & libc::IN_MOVED_FROM != 0 => self.moving = Some(event),
            mask if mask & (libc::IN_CREATE | libc::IN_MOVED_TO) != 0 => {
                self.created(&event, folder)?
            }
            mask if mask & libc::IN_DELETE != 0 => {
                if let Some(path) = self.place(&event) {
                    self.tell(Type::Removed, path, folder);
                }
            }
            _ => {
                if let Some(path) = self.place(&event)
                    && self.changed.insert(path.clone())
                {
                    self.tell(Type::Changed, path, folder);
                }
            }
        }
        Ok(false)
    }

    fn place(&self, event: &Raw) -> Option<String> {
        self.folders.path(event.watch, &event.name, &self.path)
    }

    fn tell(&mut self, kind: Type, path: String, folder: bool) {
        if kind != Type::Changed {
            self.changed.remove(&path);
        }
        self.unsaid.push(FileEvent {
            r#type: kind.into(),
            path,
            to: String::new(),
            folder,
        });
    }

    fn created(&mut self, event: &Raw, folder: bool) -> Outcome<()> {
        let Some(path) = self.place(event) else {
            return Ok(());
        };
        self.tell(Type::Created, path, folder);
        if folder && self.recursive {
            self.follow(event)?;
        }
        Ok(())
    }

    /// Watches a folder that came, and tells of what was put into it before that.
    fn follow(&mut self, event: &Raw) -> Outcome<()> {
        let Some(mut names) = self.folders.names(event.watch) else {
            return Ok(());
        };
        names.push(event.name.clone());
        let mut here = self.base.try_clone().about(&self.path)?;
        for name in &names {
            let name = calls::name(name).about(&self.path)?;
            // One that is gone or closed has nothing to tell.
            let Ok(inner) = self.walk.enter(here.as_fd(), &name, libc::O_RDONLY, "") else {
                return Ok(());
            };
            here = inner;
        }
        match self
            .folders
            .add(here.as_fd(), Some(event.watch), &event.name)
        {
            Ok(watch) => self.below(here, watch, true, names.len()),
            Err(_) => {
                self.missed();
                Ok(())
            }
        }
    }

    fn below(&mut self, folder: OwnedFd, watch: i32, tell: bool, depth: usize) -> Outcome<()> {
        let shown = self.path.clone();
        let mut names = Names::of(folder.as_fd()).about(&shown)?;
        while let Some(name) = names.next().about(&shown)? {
            let text = name.to_vec();
            let name = calls::name(name).about(&shown)?;
            let Ok(stat) = calls::stat_at(folder.as_fd(), &name) else {
                continue;
            };
            let is_folder = calls::is_folder(&stat);
            if tell && let Some(path) = self.folders.path(watch, &text, &self.path) {
                self.tell(Type::Created, path, is_folder);
            }
            if !is_folder || depth >= bounds::TREE_DEPTH {
                continue;
            }
            let Ok(inner) = self.walk.enter(folder.as_fd(), &name, libc::O_RDONLY, "") else {
                continue;
            };
            match self.folders.add(inner.as_fd(), Some(watch), &text) {
                Ok(watch) => self.below(inner, watch, tell, depth + 1)?,
                Err(_) if tell => self.missed(),
                Err(error) => return Err(too_many(&error, &self.path)),
            }
        }
        Ok(())
    }

    fn moved(&mut self, from: &Raw, to: &Raw) {
        let folder = to.mask & libc::IN_ISDIR != 0;
        if let (Some(path), Some(target)) = (self.place(from), self.place(to)) {
            self.unsaid.push(FileEvent {
                r#type: Type::Moved.into(),
                path,
                to: target,
                folder,
            });
        }
        self.folders
            .moved((from.watch, &from.name), (to.watch, &to.name));
    }

    /// What left its place is not seen at another one.
    fn left(&mut self) {
        if let Some(event) = self.moving.take() {
            let folder = event.mask & libc::IN_ISDIR != 0;
            if let Some(path) = self.place(&event) {
                self.tell(Type::Removed, path, folder);
            }
            self.folders.leave(event.watch, &event.name);
        }
    }

    fn missed(&mut self) {
        self.tell(Type::Overflow, String::new(), false);
    }

    /// Folders may have come unseen.
    fn overflow(&mut self) -> Outcome<()> {
        self.missed();
        let added = self.folders.add(self.base.as_fd(), None, b"");
        self.root(added)
    }

    fn say(&mut self, talk: &Talk) -> Outcome<()> {
        self.changed.clear();
        let unsaid = std::mem::take(&mut self.unsaid);
        for events in unsaid.chunks(bounds::WATCH_EVENTS) {
            talk.say(Message::Events(FileEvents {
                events: events.to_vec(),
            }))?;
        }
        Ok(())
    }
}

fn too_many(error: &std::io::Error, path: &str) -> Fault {
    match error.raw_os_error() {
        Some(libc::ENOSPC | libc::EMFILE | libc::ENFILE) => Fault::new(
            Kind::TooMany,
            format!("{path} has more folders than can be watched."),
        ),
        _ => Fault::of(error, path),
    }
}
