//! A folder and all that is in it, by open folders: one that is swapped for a link is not followed.
use super::calls::{self, Stat};
use super::fault::{About, Fault, Outcome};
use super::folder::Names;
use super::walk::Walk;
use crate::bounds;
use std::ffi::CStr;
use std::os::fd::{AsFd, BorrowedFd};

/// One thing in a tree.
pub struct Item<'a> {
    pub folder: BorrowedFd<'a>,
    pub name: &'a CStr,
    /// From the tree's own folder.
    pub path: &'a [u8],
    pub stat: Stat,
}

impl Item<'_> {
    pub fn shown(&self) -> String {
        String::from_utf8_lossy(self.path).into_owned()
    }
}

type Visitor<'a> = dyn FnMut(&Item) -> Outcome<()> + 'a;

/// Each folder before what is in it. Those that are closed to the user, or to everybody, are shown and not entered.
pub fn visit(walk: &Walk, folder: BorrowedFd, visitor: &mut Visitor) -> Outcome<()> {
    within(walk, folder, b"", 0, visitor)
}

fn within(
    walk: &Walk,
    folder: BorrowedFd,
    above: &[u8],
    depth: usize,
    visitor: &mut Visitor,
) -> Outcome<()> {
    let shown = String::from_utf8_lossy(above);
    if depth > bounds::TREE_DEPTH {
        return Err(Fault::invalid(format!(
            "{shown} is nested deeper than {} folders.",
            bounds::TREE_DEPTH
        )));
    }
    let mut names = Names::of(folder).about(&shown)?;
    while let Some(name) = names.next().about(&shown)? {
        let path = match above {
            b"" => name.to_vec(),
            above => [above, name].join(&b'/'),
        };
        let name = calls::name(name).about(&shown)?;
        // One that is gone since its name was read is no more.
        let Ok(stat) = calls::stat_at(folder, &name) else {
            continue;
        };
        visitor(&Item {
            folder,
            name: &name,
            path: &path,
            stat,
        })?;
        if calls::is_folder(&stat)
            && let Ok(inner) = walk.enter(folder, &name, libc::O_RDONLY, &shown)
        {
            within(walk, inner.as_fd(), &path, depth + 1, visitor)?;
        }
    }
    Ok(())
}
