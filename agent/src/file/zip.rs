//! Writes a folder as a zip, each entry when it comes: sizes stand behind the contents, and the list of all at the end.
use super::calls;
use super::fault::{About, Fault, Outcome};
use super::pieces::{Deflate, Pieces};
use super::tar;
use super::tree::Item;
use crate::bounds;
use std::io::Read;

/// Names are UTF-8; with the lowest bit also sizes behind the contents.
const UTF8: u16 = 0x0800;
const SIZES_BEHIND: u16 = 0x0008;
const STORED: u16 = 0;
const DEFLATED: u16 = 8;
const VERSION: u16 = 20;
const BY_UNIX: u16 = 3 << 8 | VERSION;
const BUFFER: usize = 64 * 1024;

pub struct Zip<'a> {
    out: Pieces<'a>,
    listed: Vec<u8>,
    entries: usize,
}

struct Entry {
    name: Vec<u8>,
    flags: u16,
    method: u16,
    time: u32,
    crc: u32,
    packed: u64,
    size: u64,
    mode: u32,
    at: u64,
}

impl<'a> Zip<'a> {
    pub fn new(out: Pieces<'a>) -> Zip<'a> {
        Zip {
            out,
            listed: Vec::new(),
            entries: 0,
        }
    }

    pub fn put(&mut self, item: &Item) -> Outcome<()> {
        let shown = item.shown();
        let mut entry = Entry {
            name: item.path.to_vec(),
            flags: UTF8,
            method: STORED,
            time: dos_time(item.stat.st_mtime),
            crc: 0,
            packed: 0,
            size: 0,
            mode: item.stat.st_mode,
            at: self.out.written,
        };
        match item.stat.st_mode & libc::S_IFMT {
            libc::S_IFDIR => {
                entry.name.push(b'/');
                self.head(&entry)?;
            }
            libc::S_IFLNK => {
                let target = calls::read_link(item.folder, item.name).about(&shown)?;
                let mut crc = super::crc::Crc::default();
                crc.add(&target);
                entry.crc = crc.value();
                entry.packed = target.len() as u64;
                entry.size = entry.packed;
                self.head(&entry)?;
                self.out.put(&target)?;
            }
            libc::S_IFREG => self.file(item, &shown, &mut entry)?,
            _ => return Ok(()),
        }
        self.list(&entry)
    }

    fn file(&mut self, item: &Item, shown: &str, entry: &mut Entry) -> Outcome<()> {
        let (mut file, _) = tar::open(item, shown)?;
        entry.flags |= SIZES_BEHIND;
        entry.method = DEFLATED;
        self.head(entry)?;
        let begin = self.out.written;
        let mut deflate = Deflate::new();
        let mut buffer = vec![0; BUFFER];
        loop {
            let read = file.read(&mut buffer).about(shown)?;
            if read == 0 {
                break;
            }
            deflate.put(&buffer[..read], &mut self.out)?;
            fits(deflate.taken)?;
        }
        deflate.finish(&mut self.out)?;
        entry.crc = deflate.crc.value();
        entry.packed = self.out.written - begin;
        entry.size = deflate.taken;
        let mut behind = Vec::with_capacity(16);
        for value in [
            0x0807_4b50,
            entry.crc,
            entry.packed as u32,
            entry.size as u32,
        ] {
            behind.extend_from_slice(&value.to_le_bytes());
        }
        self.out.put(&behind)
    }

    fn head(&mut self, entry: &Entry) -> Outcome<()> {
        fits(self.out.written)?;
        let mut head = 0x0403_4b50u32.to_le_bytes().to_vec();
        common(&mut head, entry);
        head.extend_from_slice(&entry.name);
        self.out.put(&head)
    }

    fn list(&mut self, entry: &Entry) -> Outcome<()> {
        self.entries += 1;
        if self.entries > bounds::ZIP_ENTRIES {
            return Err(too_large());
        }
        let list = &mut self.listed;
        list.extend_from_slice(&0x0201_4b50u32.to_le_bytes());
        list.extend_from_slice(&BY_UNIX.to_le_bytes());
        common(list, entry);
        // No comment, one disk, nothing said of the contents.
        list.extend_from_slice(&[0; 6]);
        list.extend_from_slice(&(entry.mode << 16).to_le_bytes());
        list.extend_from_slice(&(entry.at as u32).to_le_bytes());
        list.extend_from_slice(&entry.name);
        Ok(())
    }

    pub fn finish(mut self) -> Outcome<()> {
        let at = self.out.written;
        fits(at)?;
        let listed = std::mem::take(&mut self.listed);
        self.out.put(&listed)?;
        let mut end = 0x0605_4b50u32.to_le_bytes().to_vec();
        end.extend_from_slice(&[0; 4]);
        end.extend_from_slice(&(self.entries as u16).to_le_bytes());
        end.extend_from_slice(&(self.entries as u16).to_le_bytes());
        end.extend_from_slice(&(listed.len() as u32).to_le_bytes());
        end.extend_from_slice(&(at as u32).to_le_bytes());
        end.extend_from_slice(&[0; 2]);
        self.out.put(&end)?;
        self.out.flush()
    }
}

/// What an entry's own header and its line in the list have in common.
fn common(to: &mut Vec<u8>, entry: &Entry) {
    let behind = entry.flags & SIZES_BEHIND != 0 && entry.crc == 0 && entry.size == 0;
    let known = |value: u64| if behind { 0 } else { value as u32 };
    for value in [VERSION, entry.flags, entry.method] {
        to.extend_from_slice(&value.to_le_bytes());
    }
    to.extend_from_slice(&entry.time.to_le_bytes());
    to.extend_from_slice(&entry.crc.to_le_bytes());
    to.extend_from_slice(&known(entry.packed).to_le_bytes());
    to.extend_from_slice(&known(entry.size).to_le_bytes());
    to.extend_from_slice(&(entry.name.len() as u16).to_le_bytes());
    to.extend_from_slice(&[0; 2]);
}

fn fits(bytes: u64) -> Outcome<()> {
    if bytes > bounds::ZIP_BYTES {
        return Err(too_large());
    }
    Ok(())
}

fn too_large() -> Fault {
    Fault::invalid("A zip holds 65,535 entries and 4 GiB; take a tar.")
}

/// Seconds since 1970 as the two words that DOS had: days from 1980, and every other second.
fn dos_time(seconds: i64) -> u32 {
    let days = seconds.div_euclid(86_400);
    let second = seconds.rem_euclid(86_400) as u32;
    // The calendar begins with March, so that a leap day is a year's last.
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = (day_of_year - (153 * month_from_march + 2) / 5 + 1) as u32;
    let month = ((month_from_march + 2) % 12 + 1) as u32;
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    if !(1980..=2107).contains(&year) {
        return 0x0021_0000;
    }
    let date = (year as u32 - 1980) << 9 | month << 5 | day;
    let time = (second / 3600) << 11 | (second / 60 % 60) << 5 | (second % 60 / 2);
    date << 16 | time
}

#[cfg(test)]
mod tests {
    use super::dos_time;

    #[test]
    fn a_moment_is_told_as_dos_has_it() {
        // 2026-11-18 04:50:10
        let told = dos_time(1_794_977_410);
        assert_eq!(told >> 16, (46 << 9) | (11 << 5) | 18);
        assert_eq!(told & 0xffff, (4 << 11) | (50 << 5) | 5);
        assert_eq!(dos_time(0), 0x0021_0000);
    }
}
