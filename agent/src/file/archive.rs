//! Reads a whole folder, or one file, as an archive.
use super::calls;
use super::entry::Entries;
use super::fault::{About, Outcome};
use super::pieces::{Out, Pieces};
use super::talk::Talk;
use super::tar::Tar;
use super::tree::{self, Item};
use super::walk::{Found, Walk};
use super::zip::Zip;
use crate::relay::wire::{FileDone, ReadArchive, read_archive::Format};
use std::os::fd::AsFd;

pub fn read(order: &ReadArchive, walk: &Walk, talk: &Talk) -> Outcome<FileDone> {
    let found = walk.find(&order.path, true)?;
    let stat = found.node()?.stat;
    let mut entries = Entries::default();
    talk.entry(entries.show(found.path.clone(), &stat, found.folder.as_fd(), &found.name))?;
    let out = Pieces::new(talk);
    let count = match order.format() {
        Format::Tar => tar(&found, walk, Out::Plain(out), entries)?,
        Format::TarGz => tar(&found, walk, Out::gzip(out)?, entries)?,
        Format::Zip => {
            let mut zip = Zip::new(out);
            let count = each(&found, walk, &mut |item| zip.put(item))?;
            zip.finish()?;
            count
        }
    };
    Ok(FileDone {
        received: count,
        ..FileDone::default()
    })
}

fn tar(found: &Found, walk: &Walk, out: Out, names: Entries) -> Outcome<u64> {
    let mut tar = Tar { out, names };
    let count = each(found, walk, &mut |item| tar.put(item))?;
    tar.finish()?;
    Ok(count)
}

fn each(found: &Found, walk: &Walk, put: &mut dyn FnMut(&Item) -> Outcome<()>) -> Outcome<u64> {
    let mut count = 0;
    let mut counted = |item: &Item| {
        count += 1;
        put(item)
    };
    let stat = found.node()?.stat;
    if calls::is_folder(&stat) {
        let folder = found.open_folder()?;
        tree::visit(walk, folder.as_fd(), &mut counted)?;
    } else {
        calls::stat_at(found.folder.as_fd(), &found.name).about(&found.path)?;
        counted(&Item {
            folder: found.folder.as_fd(),
            name: &found.name,
            path: found.name.to_bytes(),
            stat,
        })?;
    }
    Ok(count)
}
