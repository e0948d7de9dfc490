//! Takes a tar apart into a folder, and puts nothing anywhere else: no entry may be absolute, go up, or lead through a link.
use super::calls;
use super::fault::{About, Outcome};
use super::talk::Talk;
use super::tar::BLOCK;
use super::unpack_input::{Input, bad};
use super::walk::{Walk, Way};
use crate::bounds;
use crate::relay::wire::{FileDone, WriteArchive};
use std::ffi::CString;
use std::fs::File;
use std::io::Write;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

const BUFFER: usize = 64 * 1024;
const PERMISSIONS: u32 = 0o777;

/// One entry, with what extended headers said of it.
#[derive(Default)]
struct Entry {
    path: Vec<u8>,
    target: Vec<u8>,
    size: u64,
    mode: u32,
    modified: i64,
    kind: u8,
}

pub fn write(order: &WriteArchive, walk: &Walk, talk: &mut Talk) -> Outcome<FileDone> {
    let way = Way {
        follow: true,
        make_parents: true,
    };
    let found = walk.go(&order.path, way)?;
    if found.node.is_none() {
        calls::make_folder(found.folder.as_fd(), &found.name, 0o755).about(&found.path)?;
    }
    let base = walk.find(&order.path, true)?.open_folder()?;
    let mut unpacking = Unpacking {
        walk,
        base,
        input: Input::open(talk)?,
    };
    let received = unpacking.entries()?;
    Ok(FileDone {
        received,
        complete: true,
        ..FileDone::default()
    })
}

struct Unpacking<'a> {
    walk: &'a Walk<'a>,
    base: OwnedFd,
    input: Input<'a>,
}

impl Unpacking<'_> {
    fn entries(&mut self) -> Outcome<u64> {
        let mut count = 0;
        let mut told = Entry::default();
        let mut block = [0; BLOCK];
        let mut any = false;
        while self.input.read_all(&mut block)? {
            if block.iter().all(|byte| *byte == 0) {
                // What follows the end is dropped, up to the last byte: whoever sends it waits for that.
                let mut rest = vec![0; BUFFER];
                while self.input.read(&mut rest)? > 0 {}
                return Ok(count);
            }
            let mut entry = parse(&block)?;
            any = true;
            match entry.kind {
                b'x' | b'L' | b'K' => self.extended(&entry, &mut told)?,
                b'g' => self.skip(padded(entry.size))?,
                _ => {
                    let told = std::mem::take(&mut told);
                    overlay(&mut entry, told);
                    self.put(&entry)?;
                    count += 1;
                }
            }
        }
        if any {
            return Ok(count);
        }
        Err(bad("The archive is empty; a tar or tar.gz is expected."))
    }

    fn extended(&mut self, entry: &Entry, told: &mut Entry) -> Outcome<()> {
        if entry.size > bounds::TAR_HEADER as u64 {
            return Err(bad("The archive has a header that is too long."));
        }
        let mut text = vec![0; padded(entry.size) as usize];
        if !text.is_empty() {
            self.input.read_all(&mut text)?;
        }
        text.truncate(entry.size as usize);
        match entry.kind {
            b'x' => records(&text, told)?,
            kind => {
                let end = text.iter().position(|byte| *byte == 0);
                text.truncate(end.unwrap_or(text.len()));
                *(if kind == b'L' {
                    &mut told.path
                } else {
                    &mut told.target
                }) = text;
            }
        }
        Ok(())
    }

    fn skip(&mut self, mut size: u64) -> Outcome<()> {
        let mut buffer = vec![0; BUFFER];
        while size > 0 {
            let most = size.min(BUFFER as u64) as usize;
            match self.input.read(&mut buffer[..most])? {
                0 => return Err(bad("The archive breaks off.")),
                read => size -= read as u64,
            }
        }
        Ok(())
    }

    fn put(&mut self, entry: &Entry) -> Outcome<()> {
        let shown = String::from_utf8_lossy(&entry.path).into_owned();
        let names = inside(&entry.path, &shown)?;
        let Some((last, parents)) = names.split_last() else {
            return self.skip(padded(entry.size));
        };
        let folder = self.folder(parents, &shown)?;
        let name = calls::name(last).about(&shown)?;
        match entry.kind {
            b'0' | 0 | b'7' => return self.file(folder.as_fd(), &name, entry, &shown),
            b'5' => self.make_folder(folder.as_fd(), &name, entry, &shown)?,
            b'2' => {
                stays_inside(entry, parents.len(), &shown)?;
                clear(folder.as_fd(), &name, &shown)?;
                let target = calls::name(&entry.target).about(&shown)?;
                calls::link_symbolically(&target, folder.as_fd(), &name).about(&shown)?;
            }
            b'1' => {
                let names = inside(&entry.target, &shown)?;
                let Some((last, parents)) = names.split_last() else {
                    return Err(bad(format!("{shown} is a link to the folder itself.")));
                };
                let from = self.folder(parents, &shown)?;
                let target = calls::name(last).about(&shown)?;
                let stat = calls::stat_at(from.as_fd(), &target).about(&shown)?;
                if !calls::is_file(&stat) {
                    return Err(bad(format!(
                        "{shown} is a hard link to something that is no file."
                    )));
                }
                clear(folder.as_fd(), &name, &shown)?;
                calls::link(from.as_fd(), &target, folder.as_fd(), &name, 0).about(&shown)?;
            }
            _ => {
                return Err(bad(format!(
                    "{shown} is neither a file, a folder nor a link."
                )));
            }
        }
        self.skip(padded(entry.size))
    }

    /// From the base each time: a folder that was moved away meanwhile is not written to.
    fn folder(&self, names: &[&[u8]], shown: &str) -> Outcome<OwnedFd> {
        let mut here = self.base.try_clone().about(shown)?;
        for name in names {
            let name = calls::name(name).about(shown)?;
            match calls::make_folder(here.as_fd(), &name, 0o755) {
                Err(error) if error.raw_os_error() != Some(libc::EEXIST) => {
                    // One that is there may be in a folder that is read-only.
                    calls::stat_at(here.as_fd(), &name)
                        .map_err(|_| error)
                        .about(shown)?;
                }
                _ => {}
            }
            let stat = calls::stat_at(here.as_fd(), &name).about(shown)?;
            if !calls::is_folder(&stat) {
                return Err(bad(format!("{shown} leads through a link or a file.")));
            }
            here = self.walk.enter(here.as_fd(), &name, libc::O_PATH, shown)?;
        }
        Ok(here)
    }

    fn make_folder(
        &self,
        folder: BorrowedFd,
        name: &CString,
        entry: &Entry,
        shown: &str,
    ) -> Outcome<()> {
        match calls::make_folder(folder, name, entry.mode & PERMISSIONS) {
            Err(error) if error.raw_os_error() == Some(libc::EEXIST) => {
                let stat = calls::stat_at(folder, name).about(shown)?;
                if !calls::is_folder(&stat) {
                    return Err(bad(format!(
                        "{shown} is there already, and is not a folder."
                    )));
                }
                Ok(())
            }
            made => made.about(shown),
        }
    }

    fn file(
        &mut self,
        folder: BorrowedFd,
        name: &CString,
        entry: &Entry,
        shown: &str,
    ) -> Outcome<()> {
        clear(folder, name, shown)?;
        let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL;
        let mut file: File = calls::open_at(Some(folder), name, flags, 0o600)
            .about(shown)?
            .into();
        let mut left = entry.size;
        let mut buffer = vec![0; BUFFER.min(left.max(1) as usize)];
        while left > 0 {
            let most = buffer.len().min(left as usize);
            match self.input.read(&mut buffer[..most])? {
                0 => return Err(bad("The archive breaks off.")),
                read => {
                    file.write_all(&buffer[..read]).about(shown)?;
                    left -= read as u64;
                }
            }
        }
        calls::change_mode(file.as_fd(), entry.mode & PERMISSIONS).about(shown)?;
        calls::set_modified(file.as_fd(), entry.modified).about(shown)?;
        self.skip(padded(entry.size) - entry.size)
    }
}

/// A folder in the way stays, and is an error.
fn clear(folder: BorrowedFd, name: &CString, shown: &str) -> Outcome<()> {
    match calls::remove(folder, name, false) {
        Err(error) if error.raw_os_error() == Some(libc::ENOENT) => Ok(()),
        removed => removed.about(shown),
    }
}

/// The names of a path that stays in the folder.
fn inside<'a>(path: &'a [u8], shown: &str) -> Outcome<Vec<&'a [u8]>> {
    if path.first() == Some(&b'/') {
        return Err(bad(format!(
            "{shown} is outside of the folder: its path is absolute."
        )));
    }
    let names: Vec<&[u8]> = path
        .split(|byte| *byte == b'/')
        .filter(|name| !name.is_empty() && *name != b".")
        .collect();
    if names.contains(&&b".."[..]) {
        return Err(bad(format!(
            "{shown} is outside of the folder: its path goes up."
        )));
    }
    Ok(names)
}

fn stays_inside(entry: &Entry, depth: usize, shown: &str) -> Outcome<()> {
    let mut depth = depth as i64;
    let absolute = entry.target.first() == Some(&b'/');
    for name in entry.target.split(|byte| *byte == b'/') {
        match name {
            b"" | b"." => {}
            b".." => depth -= 1,
            _ => depth += 1,
        }
        if absolute || depth < 0 {
            return Err(bad(format!("{shown} is a link out of the folder.")));
        }
    }
    Ok(())
}

fn padded(size: u64) -> u64 {
    size.saturating_add(BLOCK as u64 - 1) / BLOCK as u64 * BLOCK as u64
}

fn overlay(entry: &mut Entry, told: Entry) {
    if !told.path.is_empty() {
        entry.path = told.path;
    }
    if !told.target.is_empty() {
        entry.target = told.target;
    }
    if told.size > 0 {
        entry.size = told.size;
    }
}

fn parse(block: &[u8; BLOCK]) -> Outcome<Entry> {
    let sum: u64 = block
        .iter()
        .enumerate()
        .map(|(at, byte)| {
            if (148..156).contains(&at) {
                32
            } else {
                u64::from(*byte)
            }
        })
        .sum();
    if number(&block[148..156]) != Some(sum) {
        return Err(bad(
            "The archive is no tar or tar.gz, or was damaged on its way.",
        ));
    }
    let mut path = text(&block[..100]).to_vec();
    let prefix = text(&block[345..500]);
    // GNU's own format has other things there.
    if &block[257..263] == b"ustar\0" && !prefix.is_empty() {
        path = [prefix, &path].join(&b'/');
    }
    let field = |from: usize, to: usize| {
        number(&block[from..to]).ok_or_else(|| bad("The archive has a number that is none."))
    };
    let kind = block[156];
    let has_contents = !matches!(kind, b'1' | b'2' | b'5');
    Ok(Entry {
        path,
        target: text(&block[157..257]).to_vec(),
        size: if has_contents { field(124, 136)? } else { 0 },
        mode: field(100, 108)? as u32,
        modified: field(136, 148)? as i64,
        kind,
    })
}

fn text(field: &[u8]) -> &[u8] {
    let end = field.iter().position(|byte| *byte == 0);
    &field[..end.unwrap_or(field.len())]
}

/// Octal digits, or with the highest bit set the bytes themselves.
fn number(field: &[u8]) -> Option<u64> {
    if field[0] & 0x80 != 0 {
        return field[1..].iter().try_fold(0u64, |value, byte| {
            value.checked_mul(256)?.checked_add(u64::from(*byte))
        });
    }
    let digits = text(field).iter().filter(|byte| **byte != b' ');
    digits.copied().try_fold(0u64, |value, digit| match digit {
        b'0'..=b'7' => value.checked_mul(8)?.checked_add(u64::from(digit - b'0')),
        _ => None,
    })
}

/// "LENGTH key=value\n", one after the other.
fn records(mut text: &[u8], told: &mut Entry) -> Outcome<()> {
    let broken = || bad("The archive has an extended header that cannot be read.");
    while !text.is_empty() {
        let space = text
            .iter()
            .position(|byte| *byte == b' ')
            .ok_or_else(broken)?;
        let length: usize = std::str::from_utf8(&text[..space])
            .ok()
            .and_then(|digits| digits.parse().ok())
            .filter(|length| *length > space + 1 && *length <= text.len())
            .ok_or_else(broken)?;
        let record = &text[space + 1..length - 1];
        let equals = record
            .iter()
            .position(|byte| *byte == b'=')
            .ok_or_else(broken)?;
        let value = &record[equals + 1..];
        match &record[..equals] {
            b"path" => told.path = value.to_vec(),
            b"linkpath" => told.target = value.to_vec(),
            b"size" => {
                let size = std::str::from_utf8(value)
                    .ok()
                    .and_then(|digits| digits.parse().ok());
                told.size = size.ok_or_else(broken)?;
            }
            _ => {}
        }
        text = &text[length..];
    }
    Ok(())
}
