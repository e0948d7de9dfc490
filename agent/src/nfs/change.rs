//! Procedures that change a folder: each works on one name of a folder that is open, never on a path.
use super::attributes::{self, BLOCK, CHARACTER, FIFO, REGULAR, SOCKET, Wanted};
use super::bounds::PATH;
use super::handle::FileId;
use super::kernel::{self, check};
use super::procedures::{Failure, Outcome, Request, Target};
use super::status::Status;
use std::ffi::{CStr, CString};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

const USUAL_FILE: u32 = 0o644;
const USUAL_FOLDER: u32 = 0o755;

/// How CREATE treats a file that is there already.
enum Making {
    /// Takes it, and sets what it can.
    Unchecked(Wanted),
    Guarded(Wanted),
    /// Takes it if the same call has made it before: its times then hold the call's own number.
    Exclusive([libc::timespec; 2]),
}

impl Making {
    fn read(request: &mut Request) -> Result<Making, Failure> {
        match request.from.u32()? {
            0 => Ok(Making::Unchecked(Wanted::read(&mut request.from)?)),
            1 => Ok(Making::Guarded(Wanted::read(&mut request.from)?)),
            2 => {
                let mut half = || -> Result<libc::timespec, Failure> {
                    Ok(libc::timespec {
                        tv_sec: i64::from(request.from.u32()? & 0x7fff_ffff),
                        tv_nsec: 0,
                    })
                };
                Ok(Making::Exclusive([half()?, half()?]))
            }
            _ => Err(Failure::Garbled),
        }
    }

    fn mode(&self) -> u32 {
        match self {
            Making::Unchecked(wanted) | Making::Guarded(wanted) => wanted.mode_or(USUAL_FILE),
            Making::Exclusive(_) => USUAL_FILE,
        }
    }
}

pub fn create(request: &mut Request) -> Outcome {
    let target = request.target()?;
    let name = request.name()?;
    let making = Making::read(request)?;
    let export = &target.export;
    if let Making::Unchecked(wanted) | Making::Guarded(wanted) = &making {
        wanted.check_owner(export, request.caller)?;
    }
    let folder = target.place()?;
    let _as = export.identity.assume();
    let flags = libc::O_RDWR | libc::O_CREAT | libc::O_EXCL | libc::O_NOCTTY;
    let (file, id) = match kernel::open_name(folder.as_fd(), &name, flags, making.mode()) {
        Ok(made) => {
            let made = Arc::new(made);
            let id = export.identify(&target.file, &name, made.as_fd())?;
            match &making {
                Making::Unchecked(wanted) | Making::Guarded(wanted) => {
                    wanted.apply_times(made.as_fd())?;
                    resize(&made, wanted)?;
                }
                Making::Exclusive(number) => attributes::set_times(made.as_fd(), *number)?,
            }
            let descriptors = &request.server.exports.descriptors;
            descriptors.keep(export.id, &id, &made, true);
            (made, id)
        }
        Err(e) if e.raw_os_error() == Some(libc::EEXIST) => {
            existing(&target, folder.as_fd(), &name, &making)?
        }
        Err(e) => return Err(e.into()),
    };
    made(request, &target, folder.as_fd(), file.as_fd(), &id)
}

fn existing(
    target: &Target,
    folder: BorrowedFd,
    name: &CStr,
    making: &Making,
) -> Result<(Arc<OwnedFd>, FileId), Failure> {
    let file = kernel::open_name(folder, name, libc::O_PATH, 0)?;
    let stat = kernel::stat(file.as_fd())?;
    if attributes::kind(&stat) != REGULAR {
        return Err(Status::EXISTS.into());
    }
    match making {
        Making::Unchecked(wanted) => {
            if wanted.size.is_some() {
                let open = kernel::reopen(file.as_fd(), libc::O_RDWR | libc::O_NONBLOCK)?;
                resize(&open, wanted)?;
            }
        }
        Making::Exclusive([accessed, modified])
            if stat.st_atime == accessed.tv_sec && stat.st_mtime == modified.tv_sec => {}
        Making::Guarded(_) | Making::Exclusive(_) => return Err(Status::EXISTS.into()),
    }
    let id = target.export.identify(&target.file, name, file.as_fd())?;
    Ok((Arc::new(file), id))
}

fn resize(file: &OwnedFd, wanted: &Wanted) -> Result<(), Status> {
    if let Some(size) = wanted.size {
        let size = i64::try_from(size).map_err(|_| Status::TOO_LARGE)?;
        check(unsafe { libc::ftruncate(file.as_raw_fd(), size) })?;
    }
    Ok(())
}

pub fn make_folder(request: &mut Request) -> Outcome {
    let target = request.target()?;
    let name = request.name()?;
    let wanted = Wanted::read(&mut request.from)?;
    wanted.check_owner(&target.export, request.caller)?;
    let folder = target.place()?;
    let _as = target.export.identity.assume();
    let mode = wanted.mode_or(USUAL_FOLDER);
    check(unsafe { libc::mkdirat(folder.as_raw_fd(), name.as_ptr(), mode) })?;
    found(request, &target, folder.as_fd(), &name, &wanted)
}

pub fn make_link(request: &mut Request) -> Outcome {
    let target = request.target()?;
    let name = request.name()?;
    let wanted = Wanted::read(&mut request.from)?;
    let text = CString::new(request.from.opaque(4 * PATH)?).map_err(|_| Status::INVALID)?;
    wanted.check_owner(&target.export, request.caller)?;
    let folder = target.place()?;
    let _as = target.export.identity.assume();
    check(unsafe { libc::symlinkat(text.as_ptr(), folder.as_raw_fd(), name.as_ptr()) })?;
    found(request, &target, folder.as_fd(), &name, &Wanted::default())
}

/// FIFOs and sockets; devices are nobody's to make.
pub fn make_special(request: &mut Request) -> Outcome {
    let target = request.target()?;
    let name = request.name()?;
    let kind = request.from.u32()?;
    let bits = match kind {
        FIFO => libc::S_IFIFO,
        SOCKET => libc::S_IFSOCK,
        BLOCK | CHARACTER => return Err(Status::PERMISSION.into()),
        _ => return Err(Status::BAD_TYPE.into()),
    };
    let wanted = Wanted::read(&mut request.from)?;
    wanted.check_owner(&target.export, request.caller)?;
    let folder = target.place()?;
    let _as = target.export.identity.assume();
    let mode = bits | wanted.mode_or(USUAL_FILE);
    check(unsafe { libc::mknodat(folder.as_raw_fd(), name.as_ptr(), mode, 0) })?;
    found(request, &target, folder.as_fd(), &name, &wanted)
}

/// Answers with what was just made at a name.
fn found(
    request: &mut Request,
    target: &Target,
    folder: BorrowedFd,
    name: &CStr,
    wanted: &Wanted,
) -> Outcome {
    let file = kernel::open_name(folder, name, libc::O_PATH, 0)?;
    wanted.apply_times(file.as_fd())?;
    let id = target.export.identify(&target.file, name, file.as_fd())?;
    made(request, target, folder, file.as_fd(), &id)
}

fn made(
    request: &mut Request,
    target: &Target,
    folder: BorrowedFd,
    file: BorrowedFd,
    id: &FileId,
) -> Outcome {
    request.ok();
    request.out.boolean(true);
    request.out.opaque(target.export.seal(id).as_slice());
    request.after(&target.export, file);
    request.change(&target.export, folder);
    Ok(())
}

pub fn remove(request: &mut Request) -> Outcome {
    unlink(request, 0)
}

pub fn remove_folder(request: &mut Request) -> Outcome {
    unlink(request, libc::AT_REMOVEDIR)
}

fn unlink(request: &mut Request, flags: i32) -> Outcome {
    let target = request.target()?;
    let name = request.name()?;
    let folder = target.place()?;
    let _as = target.export.identity.assume();
    let gone = target
        .export
        .identify_name(&target.file, folder.as_fd(), &name);
    check(unsafe { libc::unlinkat(folder.as_raw_fd(), name.as_ptr(), flags) })?;
    if let Ok(gone) = gone {
        let descriptors = &request.server.exports.descriptors;
        descriptors.forget(target.export.id, &gone);
    }
    settle(&target, folder.as_fd())?;
    request.ok();
    request.change(&target.export, folder.as_fd());
    Ok(())
}

pub fn rename(request: &mut Request) -> Outcome {
    let from = request.target()?;
    let old = request.name()?;
    let to = request.target()?;
    let new = request.name()?;
    if from.export.id != to.export.id {
        return Err(Status::OTHER_DEVICE.into());
    }
    let (source, goal) = (from.place()?, to.place()?);
    let _as = from.export.identity.assume();
    check(unsafe {
        libc::renameat(
            source.as_raw_fd(),
            old.as_ptr(),
            goal.as_raw_fd(),
            new.as_ptr(),
        )
    })?;
    if !from.export.has_kernel_handles() {
        // The table learns the new place.
        to.export.identify_name(&to.file, goal.as_fd(), &new).ok();
    }
    settle(&from, source.as_fd())?;
    if to.file != from.file {
        settle(&to, goal.as_fd())?;
    }
    request.ok();
    request.change(&from.export, source.as_fd());
    request.change(&to.export, goal.as_fd());
    Ok(())
}

pub fn link(request: &mut Request) -> Outcome {
    let from = request.target()?;
    let to = request.target()?;
    let name = request.name()?;
    if from.export.id != to.export.id {
        return Err(Status::OTHER_DEVICE.into());
    }
    let (file, folder) = (from.place()?, to.place()?);
    let _as = from.export.identity.assume();
    let path = kernel::own_path(file.as_fd());
    check(unsafe {
        libc::linkat(
            libc::AT_FDCWD,
            path.as_ptr(),
            folder.as_raw_fd(),
            name.as_ptr(),
            libc::AT_SYMLINK_FOLLOW,
        )
    })?;
    settle(&to, folder.as_fd())?;
    request.ok();
    request.after(&from.export, file.as_fd());
    request.change(&to.export, folder.as_fd());
    Ok(())
}

/// Names that went or moved are on the disk before the answer. Programs take them for commits, and a client has no other
/// way to ask. A name that was made follows with the COMMIT of its file.
fn settle(target: &Target, folder: BorrowedFd) -> Result<(), Status> {
    if target.export.ahead_of_disk {
        return Ok(());
    }
    match kernel::reopen(folder, libc::O_RDONLY | libc::O_DIRECTORY) {
        Ok(open) => super::data::sync(&open, false),
        // A folder that may be written and not read: the journal has it soon.
        Err(_) => Ok(()),
    }
}
