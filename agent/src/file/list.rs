//! Lists a folder in the order of names, page by page, in bounded memory however large the folder is.
//!
//! The order is that of a walk: a folder, then what is in it. A page is the smallest so many paths after the last one of the
//! page before, so what comes and goes meanwhile moves nothing else.
use super::calls;
use super::entry::Entries;
use super::fault::{About, Fault, Outcome};
use super::folder::Names;
use super::talk::Talk;
use super::walk::Walk;
use crate::bounds;
use crate::relay::wire::{FileDone, FileEntry, ListFiles};
use std::collections::BTreeSet;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

pub fn list(order: &ListFiles, walk: &Walk, talk: &Talk) -> Outcome<FileDone> {
    let limit = order.limit as usize;
    if !(1..=bounds::LISTED_FILES).contains(&limit)
        || !(1..=bounds::LIST_DEPTH).contains(&order.depth)
    {
        return Err(Fault::invalid(format!(
            "limit must be between 1 and {}, depth between 1 and {}.",
            bounds::LISTED_FILES,
            bounds::LIST_DEPTH
        )));
    }
    let found = walk.find(&order.path, true)?;
    let folder = found.open_folder()?;
    let mut page = Page {
        walk,
        talk,
        left: limit,
        more: false,
        shown: Entries::default(),
        unsaid: Vec::new(),
        last: Vec::new(),
    };
    let after: Vec<&[u8]> = match &*order.after {
        b"" => Vec::new(),
        after => after.split(|byte| *byte == b'/').collect(),
    };
    let base = if found.path == "/" { "" } else { &found.path };
    page.folder(folder, base, b"", order.depth, &after)?;
    page.say()?;
    Ok(FileDone {
        next: if page.more {
            page.last.into()
        } else {
            Default::default()
        },
        ..FileDone::default()
    })
}

struct Page<'a> {
    walk: &'a Walk<'a>,
    talk: &'a Talk,
    left: usize,
    more: bool,
    shown: Entries,
    unsaid: Vec<FileEntry>,
    /// The last path that was shown, relative to the folder.
    last: Vec<u8>,
}

impl Page<'_> {
    fn folder(
        &mut self,
        folder: OwnedFd,
        path: &str,
        relative: &[u8],
        depth: u32,
        after: &[&[u8]],
    ) -> Outcome<()> {
        // The name that the page before ended at or within; what it has inside may still be due.
        let within = after.first().copied();
        let wanted = self.left + 1;
        let (names, cut) = smallest(&folder, path, within, wanted)?;
        for name in names {
            let inside = match within {
                Some(last) if *name == *last => &after[1..],
                _ => &[],
            };
            let seen = within == Some(&*name);
            if !seen && self.left == 0 {
                self.more = true;
                return Ok(());
            }
            self.one(&folder, path, relative, depth, (&name, inside, seen))?;
            if self.more {
                return Ok(());
            }
        }
        self.more |= cut;
        Ok(())
    }

    fn one(
        &mut self,
        folder: &OwnedFd,
        path: &str,
        relative: &[u8],
        depth: u32,
        (name, inside, seen): (&[u8], &[&[u8]], bool),
    ) -> Outcome<()> {
        let text = String::from_utf8_lossy(name);
        let whole = format!("{path}/{text}");
        let relative = match relative {
            b"" => name.to_vec(),
            above => [above, name].join(&b'/'),
        };
        let name = calls::name(name).about(&whole)?;
        // One that is gone since its name was read is no entry.
        let Ok(stat) = calls::stat_at(folder.as_fd(), &name) else {
            return Ok(());
        };
        if !seen {
            self.left -= 1;
            self.last.clone_from(&relative);
            let entry = self.shown.show(whole.clone(), &stat, folder.as_fd(), &name);
            self.unsaid.push(entry);
            if self.unsaid.len() >= bounds::ENTRIES_MESSAGE {
                self.say()?;
            }
        }
        if depth > 1
            && calls::is_folder(&stat)
            && let Some(inner) = self.open(folder.as_fd(), &name)
        {
            self.folder(inner, &whole, &relative, depth - 1, inside)?;
        }
        Ok(())
    }

    /// None: it is closed to this user, or to everybody, and is shown without what is in it.
    fn open(&self, folder: BorrowedFd, name: &std::ffi::CStr) -> Option<OwnedFd> {
        self.walk.enter(folder, name, libc::O_RDONLY, "").ok()
    }

    fn say(&mut self) -> Outcome<()> {
        if self.unsaid.is_empty() {
            return Ok(());
        }
        self.talk.entries(std::mem::take(&mut self.unsaid))
    }
}

/// The first names from `from` on, itself included; whether there are more.
fn smallest(
    folder: &OwnedFd,
    path: &str,
    from: Option<&[u8]>,
    wanted: usize,
) -> Outcome<(BTreeSet<Box<[u8]>>, bool)> {
    let mut kept: BTreeSet<Box<[u8]>> = BTreeSet::new();
    let mut bytes = 0;
    let mut cut = false;
    let mut names = Names::of(folder.as_fd()).about(path)?;
    while let Some(name) = names.next().about(path)? {
        if from.is_some_and(|from| name < from) {
            continue;
        }
        bytes += name.len();
        kept.insert(name.into());
        while kept.len() > wanted || bytes > bounds::LISTED_NAMES {
            bytes -= kept.pop_last().map_or(0, |last| last.len());
            cut = true;
        }
    }
    Ok((kept, cut))
}
