//! Writes a folder as a tar: POSIX's ustar, with extended headers for what does not fit into it.
use super::calls::{self, Stat};
use super::entry::{Entries, MODE};
use super::fault::{About, Fault, Outcome};
use super::pieces::Out;
use super::tree::Item;
use crate::relay::wire::file_failure::Kind;
use std::fs::File;
use std::io::Read;

pub const BLOCK: usize = 512;
const NAME: usize = 100;
const SIZE: u64 = 1 << 33;
const BUFFER: usize = 64 * 1024;

pub struct Tar<'a> {
    pub out: Out<'a>,
    pub names: Entries,
}

impl Tar<'_> {
    pub fn put(&mut self, item: &Item) -> Outcome<()> {
        let shown = item.shown();
        match item.stat.st_mode & libc::S_IFMT {
            libc::S_IFDIR => {
                let path = [item.path, b"/"].concat();
                self.head(&path, b"", &item.stat, b'5', 0)
            }
            libc::S_IFLNK => {
                let target = calls::read_link(item.folder, item.name).about(&shown)?;
                self.head(item.path, &target, &item.stat, b'2', 0)
            }
            libc::S_IFREG => self.file(item, &shown),
            // Devices, pipes and sockets have no contents.
            _ => Ok(()),
        }
    }

    fn file(&mut self, item: &Item, shown: &str) -> Outcome<()> {
        let (mut file, stat) = open(item, shown)?;
        let size = stat.st_size as u64;
        self.head(item.path, b"", &stat, b'0', size)?;
        let mut left = size;
        let mut buffer = vec![0; BUFFER.min(size.max(1) as usize)];
        while left > 0 {
            let most = buffer.len().min(left as usize);
            let read = file.read(&mut buffer[..most]).about(shown)?;
            if read == 0 {
                // Its size stands in the header: the rest of one that became shorter is zeros.
                buffer.fill(0);
                self.out.put(&buffer[..most])?;
                left -= most as u64;
                continue;
            }
            self.out.put(&buffer[..read])?;
            left -= read as u64;
        }
        self.pad(size)
    }

    fn pad(&mut self, size: u64) -> Outcome<()> {
        let over = (size % BLOCK as u64) as usize;
        match over {
            0 => Ok(()),
            over => self.out.put(&[0; BLOCK][over..]),
        }
    }

    fn head(
        &mut self,
        path: &[u8],
        target: &[u8],
        stat: &Stat,
        kind: u8,
        size: u64,
    ) -> Outcome<()> {
        let mut more = Vec::new();
        if path.len() > NAME {
            record(&mut more, b"path", path);
        }
        if target.len() > NAME {
            record(&mut more, b"linkpath", target);
        }
        if size >= SIZE {
            record(&mut more, b"size", size.to_string().as_bytes());
        }
        if !more.is_empty() {
            let extended = self.block(b"././@PaxHeader", b"", stat, b'x', more.len() as u64);
            self.out.put(&extended)?;
            self.out.put(&more)?;
            self.pad(more.len() as u64)?;
        }
        let block = self.block(path, target, stat, kind, size % SIZE);
        self.out.put(&block)
    }

    fn block(
        &mut self,
        path: &[u8],
        target: &[u8],
        stat: &Stat,
        kind: u8,
        size: u64,
    ) -> [u8; BLOCK] {
        let mut block = [0; BLOCK];
        text(&mut block[..NAME], path);
        octal(&mut block[100..108], u64::from(stat.st_mode & MODE));
        // Ids that do not fit are nobody's.
        octal(&mut block[108..116], u64::from(stat.st_uid).min(0o7777777));
        octal(&mut block[116..124], u64::from(stat.st_gid).min(0o7777777));
        octal(&mut block[124..136], size);
        octal(&mut block[136..148], stat.st_mtime.max(0) as u64);
        block[148..156].fill(b' ');
        block[156] = kind;
        text(&mut block[157..257], target);
        block[257..265].copy_from_slice(b"ustar\x0000");
        let (user, group) = self.names.owner(stat);
        text(&mut block[265..296], user.as_bytes());
        text(&mut block[297..328], group.as_bytes());
        let sum: u64 = block.iter().map(|byte| u64::from(*byte)).sum();
        octal(&mut block[148..155], sum);
        block
    }

    pub fn finish(mut self) -> Outcome<()> {
        self.out.put(&[0; 2 * BLOCK])?;
        self.out.finish()
    }
}

/// What is archived, open for reading.
pub fn open(item: &Item, shown: &str) -> Outcome<(File, Stat)> {
    use std::os::fd::AsFd;
    let file = calls::open_at(Some(item.folder), item.name, libc::O_RDONLY, 0).about(shown)?;
    let stat = calls::stat(file.as_fd()).about(shown)?;
    if !calls::is_file(&stat) {
        let message = format!("{shown} was replaced while it was archived.");
        return Err(Fault::new(Kind::Changed, message));
    }
    Ok((file.into(), stat))
}

fn text(field: &mut [u8], bytes: &[u8]) {
    let length = bytes.len().min(field.len());
    field[..length].copy_from_slice(&bytes[..length]);
}

fn octal(field: &mut [u8], value: u64) {
    let width = field.len() - 1;
    let digits = format!("{value:0width$o}");
    field[..width].copy_from_slice(&digits.as_bytes()[digits.len() - width..]);
    field[width] = 0;
}

/// "LENGTH key=value\n", where the length counts its own digits.
fn record(to: &mut Vec<u8>, key: &[u8], value: &[u8]) {
    let rest = key.len() + value.len() + 3;
    let mut length = rest + 1;
    while length != rest + length.to_string().len() {
        length = rest + length.to_string().len();
    }
    to.extend_from_slice(format!("{length} ").as_bytes());
    to.extend_from_slice(key);
    to.push(b'=');
    to.extend_from_slice(value);
    to.push(b'\n');
}
