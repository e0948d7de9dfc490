//! Removes a file or a whole folder, by open folders all the way down: a folder that is swapped for a link is not followed.
use super::calls;
use super::fault::{About, Fault, Outcome};
use super::folder::Names;
use super::talk::Talk;
use super::walk::Walk;
use crate::bounds;
use crate::relay::wire::{FileDone, RemoveFile, file_failure::Kind};
use std::ffi::CString;
use std::os::fd::{AsFd, BorrowedFd};

pub fn remove(order: &RemoveFile, walk: &Walk, talk: &Talk) -> Outcome<FileDone> {
    let found = walk.find(&order.path, false)?;
    let is_folder = calls::is_folder(&found.node()?.stat);
    if is_folder && order.recursive {
        let folder = found.open_folder()?;
        empty(folder.as_fd(), &found.path, walk, talk, 0)?;
    }
    calls::remove(found.folder.as_fd(), &found.name, is_folder).map_err(|error| {
        match error.raw_os_error() {
            Some(libc::ENOTEMPTY | libc::EEXIST) if !order.recursive => Fault::new(
                Kind::NotEmpty,
                format!(
                    "{} is not empty; recursive removes what is in it too.",
                    found.path
                ),
            ),
            _ => Fault::of(&error, &found.path),
        }
    })?;
    Ok(FileDone::default())
}

fn empty(folder: BorrowedFd, path: &str, walk: &Walk, talk: &Talk, depth: usize) -> Outcome<()> {
    if depth > bounds::TREE_DEPTH {
        return Err(Fault::invalid(format!(
            "{path} is nested deeper than {} folders; use rm.",
            bounds::TREE_DEPTH
        )));
    }
    // Names that are removed while a folder is read may hide others: it is read again until it is empty.
    loop {
        let mut removed = false;
        let mut names = Names::of(folder).about(path)?;
        while let Some(name) = names.next().about(path)? {
            talk.go_on()?;
            let whole = format!("{path}/{}", String::from_utf8_lossy(name));
            let name = calls::name(name).about(path)?;
            one(folder, &name, &whole, walk, talk, depth)?;
            removed = true;
        }
        if !removed {
            return Ok(());
        }
    }
}

fn one(
    folder: BorrowedFd,
    name: &CString,
    path: &str,
    walk: &Walk,
    talk: &Talk,
    depth: usize,
) -> Outcome<()> {
    match calls::remove(folder, name, false) {
        Ok(()) => return Ok(()),
        Err(error) if error.raw_os_error() == Some(libc::ENOENT) => return Ok(()),
        Err(error) if error.raw_os_error() == Some(libc::EISDIR) => {}
        Err(error) => return Err(Fault::of(&error, path)),
    }
    let inner = walk.enter(folder, name, libc::O_RDONLY, path)?;
    empty(inner.as_fd(), path, walk, talk, depth + 1)?;
    calls::remove(folder, name, true).about(path)
}
