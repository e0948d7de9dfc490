//! MOUNT version 3 (RFC 1813, appendix I): from a path to a handle.
use super::bounds::PATH;
use super::kernel;
use super::rpc::AUTH_SYS;
use super::server::Server;
use super::status::Status;
use super::xdr::{Garbled, Reader, Writer};
use std::ffi::CString;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::Ordering::Relaxed;

const NULL: u32 = 0;
const MOUNT: u32 = 1;
const DUMP: u32 = 2;
const UNMOUNT: u32 = 3;
const UNMOUNT_ALL: u32 = 4;
const EXPORT: u32 = 5;

pub fn exists(procedure: u32) -> bool {
    procedure <= EXPORT
}

pub fn answer(
    procedure: u32,
    server: &Server,
    mut from: Reader,
    out: &mut Writer,
) -> Result<(), Garbled> {
    match procedure {
        MOUNT => {
            let path = from.opaque(PATH)?;
            match mount(server, path) {
                Ok(handle) => {
                    out.u32(Status::OK.0);
                    out.opaque(handle.as_slice());
                    out.u32(1);
                    out.u32(AUTH_SYS);
                }
                Err(status) => {
                    server.counters.refused_mounts.fetch_add(1, Relaxed);
                    out.u32(status.0);
                }
            }
            Ok(())
        }
        // Nobody is told which exports there are, or who has mounted them.
        DUMP | EXPORT => {
            out.boolean(false);
            Ok(())
        }
        NULL | UNMOUNT | UNMOUNT_ALL => Ok(()),
        _ => Err(Garbled),
    }
}

/// `/{name}` or `/{name}/{token}`, and a folder below it.
fn mount(server: &Server, path: &[u8]) -> Result<super::handle::Handle, Status> {
    let path = std::str::from_utf8(path).map_err(|_| Status::NO_ENTRY)?;
    let mut names = path.split('/').filter(|name| !name.is_empty());
    let name = names.next().ok_or(Status::ACCESS)?;
    let export = server.exports.named(name);
    // A wrong token and an unknown sandbox are told apart by nobody.
    let unknown = if server.clients.beyond_loopback {
        Status::ACCESS
    } else {
        Status::NO_ENTRY
    };
    let token = if server.clients.beyond_loopback {
        names.next()
    } else {
        None
    };
    let export = export.ok_or(unknown)?;
    if server.clients.beyond_loopback {
        let expected = export.token.as_deref().ok_or(Status::ACCESS)?;
        if !same(token.unwrap_or_default().as_bytes(), expected.as_bytes()) {
            return Err(Status::ACCESS);
        }
    }
    let mut file = export.root_id();
    let mut folder: Option<OwnedFd> = None;
    let _as = export.identity.assume();
    for name in names {
        if name == "." || name == ".." {
            return Err(Status::ACCESS);
        }
        let name = CString::new(name).map_err(|_| Status::NO_ENTRY)?;
        let above = folder.as_ref().map_or(export.root(), AsFd::as_fd);
        let flags = libc::O_PATH | libc::O_DIRECTORY;
        let next = kernel::open_name(above, &name, flags, 0)?;
        file = export.identify(&file, &name, next.as_fd())?;
        folder = Some(next);
    }
    Ok(export.seal(&file))
}

/// Takes as long for a good guess as for a bad one.
fn same(one: &[u8], other: &[u8]) -> bool {
    let differences = one
        .iter()
        .zip(other)
        .fold(0, |all, (one, other)| all | (one ^ other));
    one.len() == other.len() && differences == 0
}
