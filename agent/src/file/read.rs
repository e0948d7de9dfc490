//! Reads a file, whole or a range of it.
use super::calls;
use super::entry::{self, Entries};
use super::fault::{About, Fault, Outcome};
use super::talk::Talk;
use super::walk::{Found, Walk};
use crate::bounds;
use crate::relay::wire::{FileDone, ReadFile, file_failure::Kind};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::os::fd::AsFd;

pub fn read(order: &ReadFile, walk: &Walk, talk: &Talk) -> Outcome<FileDone> {
    let found = walk.find(&order.path, true)?;
    let (mut file, stat) = open(&found)?;
    let entry =
        Entries::default().show(found.path.clone(), &stat, found.folder.as_fd(), &found.name);
    if order
        .unless
        .iter()
        .any(|known| known == "*" || *known == entry.version)
    {
        return Ok(FileDone {
            entry: Some(entry),
            ..FileDone::default()
        });
    }
    let size = entry.size;
    let from = match order.suffix {
        Some(suffix) => size.saturating_sub(suffix),
        None => order.offset,
    };
    if from > size || (from == size && from > 0) {
        return Err(Fault::sized(
            Kind::BadRange,
            format!("{} has {size} bytes.", found.path),
            size,
        ));
    }
    let length = order.length.unwrap_or(u64::MAX).min(size - from);
    talk.entry(entry)?;
    if from > 0 {
        file.seek(SeekFrom::Start(from)).about(&found.path)?;
    }
    send(&mut file, length, &found.path, talk)?;
    Ok(FileDone::default())
}

/// What was found, open for reading, if it is a file.
pub fn open(found: &Found) -> Outcome<(File, calls::Stat)> {
    must_be_file(&found.node()?.stat, &found.path)?;
    let file = calls::open_at(Some(found.folder.as_fd()), &found.name, libc::O_RDONLY, 0);
    let file = file.about(&found.path)?;
    // It may have been swapped since it was looked at.
    let stat = calls::stat(file.as_fd()).about(&found.path)?;
    must_be_file(&stat, &found.path)?;
    Ok((file.into(), stat))
}

pub fn must_be_file(stat: &calls::Stat, path: &str) -> Outcome<()> {
    if calls::is_folder(stat) {
        return Err(Fault::new(Kind::IsAFolder, format!("{path} is a folder.")));
    }
    if !calls::is_file(stat) {
        return Err(Fault::new(
            Kind::NotAFile,
            format!("{path} is neither a file nor a folder."),
        ));
    }
    Ok(())
}

/// Exactly so many bytes, or a failure: whoever reads was told how many there are.
pub fn send(file: &mut File, length: u64, path: &str, talk: &Talk) -> Outcome<()> {
    let mut left = length;
    while left > 0 {
        let mut piece = Vec::with_capacity(left.min(bounds::FILE_PIECE as u64) as usize);
        let room = piece.capacity() as u64;
        // Regular files give all that is asked for, unless they end.
        let read = file.by_ref().take(room.min(left)).read_to_end(&mut piece);
        match read.about(path)? {
            0 => {
                return Err(Fault::new(
                    Kind::Changed,
                    format!("{path} became shorter while it was read."),
                ));
            }
            read => left -= read as u64,
        }
        talk.data(piece)?;
    }
    Ok(())
}

pub fn stat(path: &str, walk: &Walk) -> Outcome<FileDone> {
    let found = walk.find(path, false)?;
    let stat = found.node()?.stat;
    let entry = Entries::default().show(found.path, &stat, found.folder.as_fd(), &found.name);
    Ok(FileDone {
        entry: Some(entry),
        ..FileDone::default()
    })
}

/// Whether the file at `found` has one of these versions.
pub fn has_version(stat: &calls::Stat, versions: &[String]) -> bool {
    let version = entry::version(stat);
    versions
        .iter()
        .any(|known| known == "*" || *known == version)
}
