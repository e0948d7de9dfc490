//! Writes a file: beside its place, and then all at once in it.
use super::calls;
use super::entry::{Entries, MODE};
use super::fault::{About, Fault, Outcome};
use super::read::{has_version, must_be_file};
use super::talk::{Heard, Talk};
use super::temporary::Temporary;
use super::uploads::{Key, Uploads};
use super::walk::{Found, Walk, Way};
use crate::bounds;
use crate::relay::wire::{FileDone, UploadPart, WriteFile, file_failure::Kind};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, AsRawFd};

const NEW_FILE: u32 = 0o644;
/// Bits that are not taken over from the file that is replaced.
const SET_ID: u32 = libc::S_ISUID | libc::S_ISGID;

pub fn write(
    order: &WriteFile,
    walk: &Walk,
    uploads: &Uploads,
    talk: &mut Talk,
) -> Outcome<FileDone> {
    let way = Way {
        follow: true,
        make_parents: order.parents,
    };
    let found = walk.go(&order.path, way)?;
    check(
        order,
        found.node.as_ref().map(|node| &node.stat),
        &found.path,
    )?;
    match &order.part {
        None => {
            let mut temporary = Temporary::make(found.folder.as_fd()).about(&found.path)?;
            receive(&mut temporary.file, 0, u64::MAX, &found.path, talk).map_err(|(_, why)| why)?;
            commit(order, found, temporary, walk.uid)
        }
        Some(part) => in_parts(order, part, found, walk, uploads, talk),
    }
}

fn in_parts(
    order: &WriteFile,
    part: &UploadPart,
    found: Found,
    walk: &Walk,
    uploads: &Uploads,
    talk: &mut Talk,
) -> Outcome<FileDone> {
    let key = Key::of(&found, walk.uid, part.total).about(&found.path)?;
    let Some(offset) = part.offset else {
        return Ok(came(uploads.received(&key)));
    };
    let kept = match offset {
        0 => {
            uploads.take(&key);
            None
        }
        _ => uploads.take(&key),
    };
    let (mut temporary, received) = match kept {
        None => (Temporary::make(found.folder.as_fd()).about(&found.path)?, 0),
        Some(kept) => kept,
    };
    if offset != received {
        uploads.keep(key, temporary, received);
        let message = format!("The upload of {} has {received} bytes.", found.path);
        return Err(Fault::sized(Kind::BadRange, message, received));
    }
    match receive(&mut temporary.file, received, part.total, &found.path, talk) {
        Ok(received) if received == part.total => {
            let done = commit(order, found, temporary, walk.uid)?;
            Ok(FileDone { received, ..done })
        }
        Ok(received) => {
            uploads.keep(key, temporary, received);
            Ok(came(received))
        }
        Err((received, Fault::Left)) => {
            uploads.keep(key, temporary, received);
            Err(Fault::Left)
        }
        Err((_, failed)) => Err(failed),
    }
}

fn came(received: u64) -> FileDone {
    FileDone {
        received,
        ..FileDone::default()
    }
}

/// Writes what comes, until its end; gives how much there is then, also when it breaks off.
fn receive(
    file: &mut File,
    before: u64,
    total: u64,
    path: &str,
    talk: &mut Talk,
) -> Result<u64, (u64, Fault)> {
    let mut received = before;
    let mut flushed = before;
    loop {
        let data = match talk.hear() {
            Ok(Heard::Data(data)) => data,
            Ok(Heard::End) => return Ok(received),
            Err(why) => return Err((received, why)),
        };
        if data.len() as u64 > total - received {
            let message = format!("{path}: more than the {total} bytes that were announced.");
            return Err((received, Fault::sized(Kind::BadRange, message, total)));
        }
        if let Err(error) = file.write_all(&data) {
            return Err((received, Fault::of(&error, path)));
        }
        received += data.len() as u64;
        if received - flushed >= bounds::FLUSH_EVERY {
            begin_flush(file, flushed, received - flushed);
            flushed = received;
        }
    }
}

fn begin_flush(file: &File, from: u64, length: u64) {
    let flags = libc::SYNC_FILE_RANGE_WRITE;
    unsafe { libc::sync_file_range(file.as_raw_fd(), from as i64, length as i64, flags) };
}

fn check(order: &WriteFile, present: Option<&calls::Stat>, path: &str) -> Outcome<()> {
    if let Some(stat) = present
        && !calls::is_link(stat)
    {
        must_be_file(stat, path)?;
    }
    if order.only_new && present.is_some() {
        return Err(Fault::new(
            Kind::Changed,
            format!("{path} is there already."),
        ));
    }
    if !order.only_if.is_empty() && !present.is_some_and(|stat| has_version(stat, &order.only_if)) {
        let message = format!("{path} is not the version that If-Match names.");
        return Err(Fault::new(Kind::Changed, message));
    }
    Ok(())
}

enum Refused {
    Error(io::Error),
    Fault(Fault),
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Refused {
        Refused::Error(error)
    }
}

fn commit(order: &WriteFile, found: Found, temporary: Temporary, uid: u32) -> Outcome<FileDone> {
    let Found {
        folder,
        name,
        path,
        node,
    } = found;
    let file = temporary.file.try_clone().about(&path)?;
    let former = node.map(|node| node.stat);
    let kept = former.map_or(NEW_FILE, |stat| stat.st_mode & MODE & !SET_ID);
    if uid == 0
        && let Some(stat) = former
    {
        calls::change_owner(file.as_fd(), c"", stat.st_uid, stat.st_gid).about(&path)?;
    }
    calls::change_mode(file.as_fd(), order.mode.map_or(kept, |mode| mode & MODE)).about(&path)?;
    // A full disk may be noticed no earlier than here.
    file.sync_data().about(&path)?;
    let created = temporary.commit(&name, |present| {
        check(order, present, &path).map_err(Refused::Fault)
    });
    let created = created.map_err(|refused| match refused {
        Refused::Error(error) => Fault::of(&error, &path),
        Refused::Fault(fault) => fault,
    })?;
    let stat = calls::stat(file.as_fd()).about(&path)?;
    let entry = Entries::default().show(path, &stat, folder.as_fd(), &name);
    Ok(FileDone {
        entry: Some(entry),
        created,
        complete: true,
        ..FileDone::default()
    })
}
