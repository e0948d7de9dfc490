//! Procedures that read and write a file's data, or set its attributes.
use super::attributes::{self, FOLDER, REGULAR, Wanted};
use super::bounds::TRANSFER;
use super::export::Export;
use super::handle::FileId;
use super::kernel;
use super::procedures::{Failure, Outcome, Request, Target};
use super::server::Server;
use super::status::Status;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

const UNSTABLE: u32 = 0;
const DATA_SYNC: u32 = 1;
const FILE_SYNC: u32 = 2;

/// The file, open for reading or for both. The kernel decides by the rights of the sandbox's user, but to its own files
/// the user always gets: a client that made a file read-only goes on writing what it has opened.
fn open(
    server: &Server,
    export: &Export,
    file: &FileId,
    to_write: bool,
) -> Result<Arc<OwnedFd>, Status> {
    let descriptors = &server.exports.descriptors;
    if let Some(open) = descriptors.find(export.id, file, to_write) {
        return Ok(open);
    }
    let place = export.place(file)?;
    let stat = kernel::stat(place.as_fd())?;
    match attributes::kind(&stat) {
        REGULAR => {}
        FOLDER => return Err(Status::IS_A_FOLDER),
        _ => return Err(Status::INVALID),
    }
    let how = if to_write {
        libc::O_RDWR
    } else {
        libc::O_RDONLY
    };
    let flags = how | libc::O_NONBLOCK | libc::O_NOCTTY;
    let by_right = {
        let _as = export.identity.assume();
        kernel::reopen(place.as_fd(), flags)
    };
    let opened = match by_right {
        Err(e) if e.raw_os_error() == Some(libc::EACCES) && stat.st_uid == export.identity.uid => {
            kernel::reopen(place.as_fd(), flags)
        }
        other => other,
    };
    let opened = Arc::new(opened?);
    descriptors.keep(export.id, file, &opened, to_write);
    Ok(opened)
}

pub fn read(request: &mut Request) -> Outcome {
    let target = request.target()?;
    let (offset, count) = (request.from.u64()?, request.from.u32()?);
    let open = open(request.server, &target.export, &target.file, false)?;
    let stat = kernel::stat(open.as_fd())?;
    let Ok(start) = i64::try_from(offset) else {
        return Err(Status::INVALID.into());
    };
    let left = (stat.st_size as u64).saturating_sub(offset);
    // Room for what is there, and a little for what comes meanwhile.
    let count = count.min(TRANSFER);
    let most = u64::from(count).min(left.max(1)) as usize;
    request.ok();
    request.out.boolean(true);
    attributes::write(request.out, &stat, &target.export, request.caller);
    let head = request.out.len();
    request.out.u32(0);
    request.out.boolean(false);
    let read = request.out.filled(most, |into, most| {
        let read = unsafe { libc::pread(open.as_raw_fd(), into.cast(), most, start) };
        usize::try_from(read).map_err(|_| Failure::Status(Status::last()))
    })?;
    request.out.put(head, read as u32);
    let at_end = read < count as usize || offset + read as u64 >= stat.st_size as u64;
    request.out.put(head + 4, u32::from(at_end));
    let counters = &request.server.counters;
    counters.bytes_read.fetch_add(read as u64, Relaxed);
    Ok(())
}

pub fn write(request: &mut Request) -> Outcome {
    let target = request.target()?;
    let (offset, count) = (request.from.u64()?, request.from.u32()? as usize);
    let stable = request.from.u32()?;
    let data = request.from.opaque(TRANSFER as usize)?;
    if stable > FILE_SYNC {
        return Err(Failure::Garbled);
    }
    let data = data.get(..count).ok_or(Status::INVALID)?;
    let end = offset.checked_add(count as u64);
    if end.is_none_or(|end| i64::try_from(end).is_err()) {
        return Err(Status::TOO_LARGE.into());
    }
    let Target { export, file } = &target;
    let open = open(request.server, export, file, true)?;
    write_all(&open, data, offset)?;
    if stable != UNSTABLE {
        if !export.ahead_of_disk {
            sync(&open, stable == DATA_SYNC)?;
        }
        // The client is done with it. A program that is open for writing could not be run inside.
        request.server.exports.descriptors.forget(export.id, file);
    }
    request.ok();
    request.change(export, open.as_fd());
    request.out.u32(count as u32);
    request.out.u32(stable);
    request.out.fixed(&request.server.verifier);
    let counters = &request.server.counters;
    counters.bytes_written.fetch_add(count as u64, Relaxed);
    Ok(())
}

fn write_all(file: &OwnedFd, mut data: &[u8], offset: u64) -> Result<(), Status> {
    let mut at = offset;
    while !data.is_empty() {
        let written = unsafe {
            libc::pwrite(
                file.as_raw_fd(),
                data.as_ptr().cast(),
                data.len(),
                at as i64,
            )
        };
        match usize::try_from(written) {
            Ok(0) => return Err(Status::IO),
            Ok(written) => {
                data = &data[written..];
                at += written as u64;
            }
            Err(_) => {
                let error = std::io::Error::last_os_error();
                if error.kind() != std::io::ErrorKind::Interrupted {
                    return Err(error.into());
                }
            }
        }
    }
    Ok(())
}

pub fn sync(file: &OwnedFd, data_only: bool) -> Result<(), Status> {
    let done = unsafe {
        match data_only {
            true => libc::fdatasync(file.as_raw_fd()),
            false => libc::fsync(file.as_raw_fd()),
        }
    };
    Ok(kernel::check(done)?)
}

pub fn commit(request: &mut Request) -> Outcome {
    let target = request.target()?;
    request.from.u64()?;
    request.from.u32()?;
    let Target { export, file } = &target;
    let open = open(request.server, export, file, false)?;
    if !export.ahead_of_disk {
        sync(&open, false)?;
    }
    request.server.exports.descriptors.forget(export.id, file);
    request.ok();
    request.change(export, open.as_fd());
    request.out.fixed(&request.server.verifier);
    Ok(())
}

pub fn set_attributes(request: &mut Request) -> Outcome {
    let target = request.target()?;
    let wanted = Wanted::read(&mut request.from)?;
    let guard = if request.from.boolean()? {
        Some((request.from.u32()?, request.from.u32()?))
    } else {
        None
    };
    let Target { export, file } = &target;
    let place = target.place()?;
    let stat = kernel::stat(place.as_fd())?;
    if guard.is_some_and(|guard| guard != (stat.st_ctime as u32, stat.st_ctime_nsec as u32)) {
        return Err(Status::NOT_SYNCHRONIZED.into());
    }
    wanted.check_owner(export, request.caller)?;
    if let Some(size) = wanted.size {
        let size = i64::try_from(size).map_err(|_| Status::TOO_LARGE)?;
        let open = open(request.server, export, file, true)?;
        kernel::check(unsafe { libc::ftruncate(open.as_raw_fd(), size) })?;
        request.server.exports.descriptors.forget(export.id, file);
    }
    {
        let _as = export.identity.assume();
        wanted.apply(place.as_fd())?;
    }
    request.ok();
    request.change(export, place.as_fd());
    Ok(())
}
