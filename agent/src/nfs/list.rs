//! READDIR and READDIRPLUS: the kernel's own positions in a folder are the cookies, so nothing is remembered.
use super::attributes::{self, FOLDER};
use super::bounds::TRANSFER;
use super::kernel;
use super::procedures::{Failure, Outcome, Request, Target};
use super::status::Status;
use std::ffi::CStr;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};

const BUFFER: usize = 32 * 1024;
/// Of an entry: whether it follows, its number, its name's length, its cookie.
const ENTRY: usize = 4 + 8 + 4 + 8;
/// Of an answer: the end of the list, and its own head.
const FRAME: usize = 128;
const ATTRIBUTES: usize = 4 + 84;
const HANDLE: usize = 4 + 4 + super::bounds::HANDLE;
/// The fields of `linux_dirent64` before its name.
const RECORD_HEAD: usize = 19;

pub fn names(request: &mut Request) -> Outcome {
    let target = request.target()?;
    let cookie = request.from.u64()?;
    request.from.fixed(8)?;
    let most = request.from.u32()?;
    list(request, &target, cookie, most, false)
}

pub fn names_with_attributes(request: &mut Request) -> Outcome {
    let target = request.target()?;
    let cookie = request.from.u64()?;
    request.from.fixed(8)?;
    request.from.u32()?;
    let most = request.from.u32()?;
    list(request, &target, cookie, most, true)
}

fn list(
    request: &mut Request,
    target: &Target,
    cookie: u64,
    most: u32,
    with_attributes: bool,
) -> Outcome {
    let export = &target.export;
    let place = target.place()?;
    let stat = kernel::stat(place.as_fd())?;
    if attributes::kind(&stat) != FOLDER {
        return Err(Status::NOT_A_FOLDER.into());
    }
    let _as = export.identity.assume();
    let folder = kernel::reopen(place.as_fd(), libc::O_RDONLY | libc::O_DIRECTORY)?;
    let start = i64::try_from(cookie).map_err(|_| Status::BAD_COOKIE)?;
    if cookie != 0 && unsafe { libc::lseek(folder.as_raw_fd(), start, libc::SEEK_SET) } < 0 {
        return Err(Status::BAD_COOKIE.into());
    }
    request.ok();
    request.after(export, place.as_fd());
    request.out.u64(0);
    let begin = request.out.len();
    let most = (most.min(TRANSFER) as usize).saturating_sub(FRAME);
    let mut buffer = vec![0u8; BUFFER];
    let mut any = false;
    loop {
        let filled = entries(&folder, &mut buffer)?;
        if filled == 0 {
            request.out.boolean(false);
            request.out.boolean(true);
            return Ok(());
        }
        for entry in Entries(buffer.get(..filled).unwrap_or_default()) {
            let size = ENTRY
                + entry.name.count_bytes().next_multiple_of(4)
                + if with_attributes {
                    ATTRIBUTES + HANDLE
                } else {
                    0
                };
            if request.out.len() - begin + size > most {
                if !any {
                    return Err(Status::TOO_SMALL.into());
                }
                request.out.boolean(false);
                request.out.boolean(false);
                return Ok(());
            }
            any = true;
            write(request, target, &folder, &stat, &entry, with_attributes);
        }
    }
}

fn write(
    request: &mut Request,
    target: &Target,
    folder: &OwnedFd,
    stat: &libc::stat,
    entry: &Entry,
    with_attributes: bool,
) {
    let name = entry.name;
    let upwards = name == c"..";
    // Above the root there is nothing to be seen, its number neither.
    let number = if upwards && target.export.is_root(stat) {
        stat.st_ino
    } else {
        entry.inode
    };
    request.out.boolean(true);
    request.out.u64(number);
    request.out.opaque(name.to_bytes());
    request.out.u64(entry.cookie);
    if !with_attributes {
        return;
    }
    let found = if upwards || name == c"." {
        None
    } else {
        let file = target
            .export
            .identify_name(&target.file, folder.as_fd(), name);
        let stat = kernel::stat_name(folder.as_fd(), name);
        file.ok().zip(stat.ok())
    };
    match found {
        Some((file, stat)) if stat.st_ino == number => {
            request.out.boolean(true);
            attributes::write(request.out, &stat, &target.export, request.caller);
            request.out.boolean(true);
            request.out.opaque(target.export.seal(&file).as_slice());
        }
        // Gone or replaced since it was read: its client looks it up.
        _ => {
            request.out.boolean(false);
            request.out.boolean(false);
        }
    }
}

fn entries(folder: &OwnedFd, buffer: &mut [u8]) -> Result<usize, Failure> {
    let filled = unsafe {
        libc::syscall(
            libc::SYS_getdents64,
            folder.as_raw_fd(),
            buffer.as_mut_ptr(),
            buffer.len(),
        )
    };
    usize::try_from(filled).map_err(|_| Failure::Status(Status::last()))
}

struct Entry<'a> {
    inode: u64,
    /// The position after it.
    cookie: u64,
    name: &'a CStr,
}

/// Records as the kernel has written them.
struct Entries<'a>(&'a [u8]);

impl<'a> Iterator for Entries<'a> {
    type Item = Entry<'a>;

    fn next(&mut self) -> Option<Entry<'a>> {
        let number = |at: usize| -> Option<u64> {
            Some(u64::from_ne_bytes(self.0.get(at..at + 8)?.try_into().ok()?))
        };
        let (inode, cookie) = (number(0)?, number(8)?);
        let length = u16::from_ne_bytes(self.0.get(16..18)?.try_into().ok()?);
        let (record, rest) = self.0.split_at_checked(usize::from(length))?;
        let name = CStr::from_bytes_until_nul(record.get(RECORD_HEAD..)?).ok()?;
        self.0 = rest;
        Some(Entry {
            inode,
            cookie,
            name,
        })
    }
}
