//! Procedures that change nothing and read no data.
use super::attributes::{self, FOLDER, LINK};
use super::bounds::{NAME, PATH, TRANSFER};
use super::export::Export;
use super::kernel;
use super::procedures::{Outcome, Request, Target};
use super::status::Status;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

pub fn attributes(request: &mut Request) -> Outcome {
    let target = request.target()?;
    let place = target.place()?;
    let stat = kernel::stat(place.as_fd())?;
    request.ok();
    attributes::write(request.out, &stat, &target.export, request.caller);
    Ok(())
}

pub fn lookup(request: &mut Request) -> Outcome {
    let target = request.target()?;
    let export = &target.export;
    let mut names = request.from;
    let special = names.opaque(PATH)?;
    let folder = target.place()?;
    let (file, id) = if special == b"." || special == b".." {
        let upwards = special == b"..";
        around(&target, folder.as_fd(), upwards)?
    } else {
        let name = request.name()?;
        let _as = export.identity.assume();
        let file = kernel::open_name(folder.as_fd(), &name, libc::O_PATH, 0)?;
        let id = export.identify(&target.file, &name, file.as_fd())?;
        (file, id)
    };
    request.ok();
    request.out.opaque(export.seal(&id).as_slice());
    request.after(export, file.as_fd());
    request.after(export, folder.as_fd());
    Ok(())
}

/// The folder itself, or the one above it as long as that is still in the export.
fn around(
    target: &Target,
    folder: BorrowedFd,
    upwards: bool,
) -> Result<(OwnedFd, super::handle::FileId), Status> {
    let stat = kernel::stat(folder)?;
    if attributes::kind(&stat) != FOLDER {
        return Err(Status::NOT_A_FOLDER);
    }
    if !upwards || target.export.is_root(&stat) {
        return Ok((target.place()?, target.file));
    }
    let above = parent(folder)?;
    if !is_within(&target.export, above.as_fd())? || !target.export.has_kernel_handles() {
        return Err(Status::ACCESS);
    }
    let id = target.export.identify(&target.file, c"..", above.as_fd())?;
    Ok((above, id))
}

fn is_within(export: &Export, folder: BorrowedFd) -> Result<bool, Status> {
    let mut stat = kernel::stat(folder)?;
    let mut at: Option<OwnedFd> = None;
    for _ in 0..super::bounds::DEPTH {
        if export.is_root(&stat) {
            return Ok(true);
        }
        let next = parent(at.as_ref().map_or(folder, AsFd::as_fd))?;
        let above = kernel::stat(next.as_fd())?;
        if (above.st_ino, above.st_dev) == (stat.st_ino, stat.st_dev) {
            return Ok(false);
        }
        (stat, at) = (above, Some(next));
    }
    Ok(false)
}

fn parent(folder: BorrowedFd) -> Result<OwnedFd, Status> {
    let flags = libc::O_PATH | libc::O_DIRECTORY | libc::O_CLOEXEC;
    let opened = unsafe { libc::openat(folder.as_raw_fd(), c"..".as_ptr(), flags) };
    if opened < 0 {
        return Err(Status::last());
    }
    Ok(unsafe { OwnedFd::from_raw_fd(opened) })
}

const READ: u32 = 1;
const SEARCH: u32 = 2;
const MODIFY: u32 = 4;
const EXTEND: u32 = 8;
const DELETE: u32 = 16;
const EXECUTE: u32 = 32;

/// Tells what the mode grants the sandbox's user. The calls themselves ask the kernel.
pub fn access(request: &mut Request) -> Outcome {
    let target = request.target()?;
    let asked = request.from.u32()?;
    let place = target.place()?;
    let stat = kernel::stat(place.as_fd())?;
    let identity = target.export.identity;
    let shift = match () {
        () if stat.st_uid == identity.uid => 6,
        () if stat.st_gid == identity.gid => 3,
        () => 0,
    };
    let granted = stat.st_mode >> shift & 7;
    let folder = attributes::kind(&stat) == FOLDER;
    let mut rights = 0;
    if granted & 4 != 0 {
        rights |= READ;
    }
    if granted & 2 != 0 {
        rights |= MODIFY | EXTEND | if folder { DELETE } else { 0 };
    }
    if granted & 1 != 0 {
        rights |= if folder { SEARCH } else { EXECUTE };
    }
    request.ok();
    request.after(&target.export, place.as_fd());
    request.out.u32(rights & asked);
    Ok(())
}

pub fn read_link(request: &mut Request) -> Outcome {
    const LONGEST: usize = 4096;
    let target = request.target()?;
    let place = target.place()?;
    if attributes::kind(&kernel::stat(place.as_fd())?) != LINK {
        return Err(Status::INVALID.into());
    }
    let mut text = [0u8; LONGEST];
    let length = unsafe {
        libc::readlinkat(
            place.as_raw_fd(),
            c"".as_ptr(),
            text.as_mut_ptr().cast(),
            text.len(),
        )
    };
    let length = usize::try_from(length).map_err(|_| Status::last())?;
    request.ok();
    request.after(&target.export, place.as_fd());
    request.out.opaque(&text[..length]);
    Ok(())
}

/// FSSTAT: what `df` shows.
pub fn space(request: &mut Request) -> Outcome {
    let target = request.target()?;
    let place = target.place()?;
    let mut all = std::mem::MaybeUninit::<libc::statvfs>::uninit();
    let root = target.export.root();
    kernel::check(unsafe { libc::fstatvfs(root.as_raw_fd(), all.as_mut_ptr()) })?;
    let all = unsafe { all.assume_init() };
    request.ok();
    request.after(&target.export, place.as_fd());
    for blocks in [all.f_blocks, all.f_bfree, all.f_bavail] {
        request.out.u64(blocks.saturating_mul(all.f_frsize));
    }
    for files in [all.f_files, all.f_ffree, all.f_favail] {
        request.out.u64(files);
    }
    // It may change at any moment: the sandbox writes too.
    request.out.u32(0);
    Ok(())
}

/// FSINFO.
pub fn limits(request: &mut Request) -> Outcome {
    const PAGE: u32 = 4096;
    const LINKS: u32 = 1;
    const SYMBOLIC_LINKS: u32 = 2;
    const SAME_EVERYWHERE: u32 = 8;
    const SETS_TIMES: u32 = 16;
    let target = request.target()?;
    let place = target.place()?;
    request.ok();
    request.after(&target.export, place.as_fd());
    for size in [TRANSFER, TRANSFER, PAGE, TRANSFER, TRANSFER, PAGE, TRANSFER] {
        request.out.u32(size);
    }
    request.out.u64(i64::MAX as u64);
    request.out.u32(0);
    request.out.u32(1);
    request
        .out
        .u32(LINKS | SYMBOLIC_LINKS | SAME_EVERYWHERE | SETS_TIMES);
    Ok(())
}

/// PATHCONF.
pub fn names(request: &mut Request) -> Outcome {
    const MOST_LINKS: u32 = 32_000;
    let target = request.target()?;
    let place = target.place()?;
    request.ok();
    request.after(&target.export, place.as_fd());
    request.out.u32(MOST_LINKS);
    request.out.u32(NAME as u32);
    let (no_truncation, owners_fixed, ignores_case, keeps_case) = (true, true, false, true);
    for fact in [no_truncation, owners_fixed, ignores_case, keeps_case] {
        request.out.boolean(fact);
    }
    Ok(())
}
