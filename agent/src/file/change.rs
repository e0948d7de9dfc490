//! Folders, moves, modes and owners.
use super::calls;
use super::entry::{Entries, MODE};
use super::fault::{About, Fault, Outcome};
use super::read;
use super::temporary::Temporary;
use super::walk::{Found, Walk, Way};
use crate::launch::users::User;
use crate::relay::wire::{ChangeFile, FileDone, MakeFolder, MoveFile, file_failure::Kind};
use std::io;
use std::os::fd::AsFd;
use std::path::Path;

const NEW_FOLDER: u32 = 0o755;

pub fn make_folder(order: &MakeFolder, walk: &Walk) -> Outcome<FileDone> {
    let way = Way {
        follow: true,
        make_parents: order.parents,
    };
    let found = walk.go(&order.path, way)?;
    if let Some(node) = &found.node {
        if order.parents && calls::is_folder(&node.stat) {
            return Ok(shown(&found, false));
        }
        return Err(Fault::of(
            &io::Error::from_raw_os_error(libc::EEXIST),
            &found.path,
        ));
    }
    let mode = order.mode.map_or(NEW_FOLDER, |mode| mode & MODE);
    calls::make_folder(found.folder.as_fd(), &found.name, mode).about(&found.path)?;
    if order.mode.is_some() {
        // The agent's own mask has been applied.
        let made = walk.find(&found.path, false)?.open_folder()?;
        calls::change_mode(made.as_fd(), mode).about(&found.path)?;
    }
    Ok(shown(&walk.find(&found.path, false)?, true))
}

fn shown(found: &Found, created: bool) -> FileDone {
    let entry = found.node.as_ref().map(|node| {
        let path = found.path.clone();
        Entries::default().show(path, &node.stat, found.folder.as_fd(), &found.name)
    });
    FileDone {
        entry,
        created,
        ..FileDone::default()
    }
}

/// A link is moved itself.
pub fn move_file(order: &MoveFile, walk: &Walk) -> Outcome<FileDone> {
    let from = walk.find(&order.from, false)?;
    let stat = from.node()?.stat;
    let to = walk.find(&order.to, false)?;
    let moved = calls::rename(
        from.folder.as_fd(),
        &from.name,
        to.folder.as_fd(),
        &to.name,
        order.overwrite,
    );
    match moved {
        Err(error) if error.raw_os_error() == Some(libc::EXDEV) => {
            if !calls::is_file(&stat) {
                return Err(Fault::new(
                    Kind::Unsupported,
                    "from and to are on different file systems, where only files are moved; use mv.",
                ));
            }
            copy(&from, &to, order.overwrite)?;
            calls::remove(from.folder.as_fd(), &from.name, false).about(&from.path)?;
        }
        // What is in the way is there; what is moved was just seen.
        Err(error) if error.raw_os_error() == Some(libc::EEXIST) => {
            return Err(Fault::new(
                Kind::Exists,
                format!("{} is there already; overwrite replaces it.", to.path),
            ));
        }
        other => other.about(&to.path)?,
    }
    Ok(shown(&walk.find(&to.path, false)?, to.node.is_none()))
}

fn copy(from: &Found, to: &Found, overwrite: bool) -> Outcome<()> {
    let (mut source, stat) = read::open(from)?;
    let mut temporary = Temporary::make(to.folder.as_fd()).about(&to.path)?;
    io::copy(&mut source, &mut temporary.file).about(&to.path)?;
    let file = temporary.file.as_fd();
    calls::change_mode(file, stat.st_mode & MODE).about(&to.path)?;
    calls::set_modified(file, stat.st_mtime).about(&to.path)?;
    temporary.file.sync_data().about(&to.path)?;
    let put = temporary.commit(&to.name, |present| match present {
        Some(_) if !overwrite => Err(io::Error::from_raw_os_error(libc::EEXIST)),
        _ => Ok(()),
    });
    put.about(&to.path).map(drop)
}

/// The mode of what a link leads to; the owner of the link itself.
pub fn change(order: &ChangeFile, walk: &Walk) -> Outcome<FileDone> {
    let found = walk.find(&order.path, true)?;
    let node = found.node()?;
    if let Some(owner) = &order.owner {
        let user = User::find(owner, Path::new("/etc"))
            .ok_or_else(|| Fault::invalid(format!("user: there is no {owner} here.")))?;
        calls::change_owner(node.fd.as_fd(), c"", user.uid, user.gid).about(&found.path)?;
    }
    if let Some(mode) = order.mode {
        change_mode(&found, mode & MODE)?;
    }
    Ok(shown(&walk.find(&found.path, false)?, false))
}

/// What is open only to be looked at takes no mode, and some files cannot be opened otherwise: the kernel's own link does.
fn change_mode(found: &Found, mode: u32) -> Outcome<()> {
    use std::os::fd::AsRawFd;
    let node = found.node()?;
    let path = format!("/proc/self/fd/{}", node.fd.as_raw_fd());
    let path = calls::name(path.as_bytes()).about(&found.path)?;
    match unsafe { libc::fchmodat(libc::AT_FDCWD, path.as_ptr(), mode, 0) } {
        0 => Ok(()),
        _ => Err(Fault::of(&io::Error::last_os_error(), &found.path)),
    }
}
