//! The procedures of NFS version 3 (RFC 1813, section 3): which there are, and what they share.
use super::attributes;
use super::export::Export;
use super::handle::{FileId, export_of};
use super::rpc::Caller;
use super::server::Server;
use super::status::Status;
use super::xdr::{Garbled, Reader, Writer};
use super::{bounds, change, data, kernel, list, look};
use std::ffi::CString;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

pub const WRITE: u32 = 7;
const REMOVE: u32 = 12;
const LINK: u32 = 15;
pub const COMMIT: u32 = 21;

/// A call that is being answered.
pub struct Request<'a> {
    pub server: &'a Server,
    pub caller: Caller,
    pub from: Reader<'a>,
    pub out: &'a mut Writer,
}

/// Why a call is not done.
#[derive(Debug, PartialEq)]
pub enum Failure {
    /// Its arguments are not what the protocol says.
    Garbled,
    Status(Status),
}

impl From<Garbled> for Failure {
    fn from(_: Garbled) -> Failure {
        Failure::Garbled
    }
}

impl From<Status> for Failure {
    fn from(status: Status) -> Failure {
        Failure::Status(status)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        Failure::Status(error.into())
    }
}

pub type Outcome = Result<(), Failure>;

/// A procedure, and how many absent attributes follow its status when it fails.
type Procedure = (fn(&mut Request) -> Outcome, usize);

fn procedure(number: u32) -> Option<Procedure> {
    Some(match number {
        0 => (|_| Ok(()), 0),
        1 => (look::attributes, 0),
        2 => (data::set_attributes, 2),
        3 => (look::lookup, 1),
        4 => (look::access, 1),
        5 => (look::read_link, 1),
        6 => (data::read, 1),
        WRITE => (data::write, 2),
        8 => (change::create, 2),
        9 => (change::make_folder, 2),
        10 => (change::make_link, 2),
        11 => (change::make_special, 2),
        REMOVE => (change::remove, 2),
        13 => (change::remove_folder, 2),
        14 => (change::rename, 4),
        LINK => (change::link, 3),
        16 => (list::names, 1),
        17 => (list::names_with_attributes, 1),
        18 => (look::space, 1),
        19 => (look::limits, 1),
        20 => (look::names, 1),
        COMMIT => (data::commit, 2),
        _ => return None,
    })
}

pub fn exists(number: u32) -> bool {
    procedure(number).is_some()
}

/// Calls that wait for the disk: they are done beside the others of their connection.
pub fn waits_for_disk(number: u32) -> bool {
    matches!(number, WRITE | REMOVE..=LINK | COMMIT)
}

/// Writes the results of a call.
pub fn answer(number: u32, request: &mut Request) -> Result<(), Garbled> {
    let Some((procedure, absent)) = procedure(number) else {
        return Err(Garbled);
    };
    let start = request.out.len();
    match procedure(request) {
        Ok(()) => Ok(()),
        Err(Failure::Garbled) => Err(Garbled),
        Err(Failure::Status(status)) => {
            request.out.truncate(start);
            request.out.u32(status.0);
            for _ in 0..absent {
                request.out.boolean(false);
            }
            Ok(())
        }
    }
}

/// A file that a call is about.
pub struct Target {
    pub export: Arc<Export>,
    pub file: FileId,
}

impl Target {
    pub fn place(&self) -> Result<OwnedFd, Status> {
        self.export.place(&self.file)
    }
}

impl Request<'_> {
    /// Reads a handle and finds what it stands for.
    pub fn target(&mut self) -> Result<Target, Failure> {
        let bytes = self.from.opaque(bounds::HANDLE)?;
        let id = export_of(bytes).ok_or(Status::BAD_HANDLE)?;
        let export = self.server.exports.find(id).ok_or(Status::STALE)?;
        let Some(file) = export.unseal(bytes) else {
            self.server.counters.forged_handles.fetch_add(1, Relaxed);
            return Err(Status::BAD_HANDLE.into());
        };
        Ok(Target { export, file })
    }

    /// Reads a name, which is one name and no path.
    pub fn name(&mut self) -> Result<CString, Failure> {
        let bytes = self.from.opaque(bounds::PATH)?;
        match bytes {
            _ if bytes.len() > bounds::NAME => Err(Status::NAME_TOO_LONG.into()),
            [] | b"." | b".." => Err(Status::INVALID.into()),
            _ if bytes.contains(&b'/') => Err(Status::ACCESS.into()),
            _ => CString::new(bytes).map_err(|_| Status::INVALID.into()),
        }
    }

    pub fn ok(&mut self) {
        self.out.u32(Status::OK.0);
    }

    /// Writes the attributes that a file has now.
    pub fn after(&mut self, export: &Export, file: BorrowedFd) {
        attributes::write_after(self.out, kernel::stat(file), export, self.caller);
    }

    pub fn change(&mut self, export: &Export, file: BorrowedFd) {
        attributes::write_change(self.out, file, export, self.caller);
    }
}
