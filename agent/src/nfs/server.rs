//! From a record to its answer.
use super::clients::Clients;
use super::exports::Exports;
use super::mount;
use super::procedures::{self, Request};
use super::rpc::{self, Accepted, NoCall};
use super::xdr::Writer;
use serde::Serialize;
use std::net::SocketAddr;
use std::sync::OnceLock;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

pub struct Server {
    pub exports: Exports,
    pub clients: Clients,
    pub counters: Counters,
    /// New at each start: a client that sees another one than before writes again what it had not committed.
    pub verifier: [u8; 8],
    /// Set when all exports are there: a client that comes back before would hear that its files are gone.
    pub opened: OnceLock<()>,
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Counters {
    pub calls: AtomicU64,
    pub bytes_read: AtomicU64,
    pub bytes_written: AtomicU64,
    pub connections: AtomicU64,
    pub refused_connections: AtomicU64,
    pub refused_mounts: AtomicU64,
    pub forged_handles: AtomicU64,
}

/// The connection is of no use any more.
#[derive(Debug)]
pub struct HangUp;

impl Server {
    pub fn new(clients: Clients) -> Result<Server, String> {
        let mut verifier = [0; 8];
        let filled = unsafe { libc::getrandom(verifier.as_mut_ptr().cast(), verifier.len(), 0) };
        if filled != verifier.len() as isize {
            return Err("the kernel gives no random bytes".to_owned());
        }
        Ok(Server {
            exports: Exports::default(),
            clients,
            counters: Counters::default(),
            verifier,
            opened: OnceLock::new(),
        })
    }

    pub fn admits(&self, peer: SocketAddr) -> bool {
        let admitted = self.clients.allows(peer.ip(), peer.port());
        if !admitted {
            self.counters.refused_connections.fetch_add(1, Relaxed);
        }
        admitted
    }

    /// Whether a record is a call that waits for the disk.
    pub fn waits_for_disk(record: &[u8]) -> bool {
        rpc::parse(record).is_ok_and(|call| {
            call.program == rpc::NFS && procedures::waits_for_disk(call.procedure)
        })
    }

    /// Writes the whole answer to a record, its mark included.
    pub fn answer(&self, peer: SocketAddr, record: &[u8], out: &mut Writer) -> Result<(), HangUp> {
        if !self.admits(peer) {
            return Err(HangUp);
        }
        self.counters.calls.fetch_add(1, Relaxed);
        match rpc::parse(record) {
            Err(NoCall::Nonsense) => return Err(HangUp),
            Err(NoCall::OtherVersion { xid }) => rpc::deny_version(out, xid),
            Err(NoCall::BadCredential { xid }) => rpc::deny_credential(out, xid),
            Ok(call) => self.accept(call, out),
        }
        rpc::finish(out);
        Ok(())
    }

    fn accept(&self, call: rpc::Call, out: &mut Writer) {
        let exists = match call.program {
            rpc::NFS => procedures::exists(call.procedure),
            rpc::MOUNT => mount::exists(call.procedure),
            // Locks among them: NLM is not spoken, clients mount with nolock.
            _ => return rpc::accept(out, call.xid, Accepted::NoSuchProgram),
        };
        if call.version != rpc::VERSION {
            return rpc::accept(out, call.xid, Accepted::NoSuchVersion);
        }
        if !exists {
            return rpc::accept(out, call.xid, Accepted::NoSuchProcedure);
        }
        rpc::accept(out, call.xid, Accepted::Success);
        let done = if call.program == rpc::MOUNT {
            mount::answer(call.procedure, self, call.arguments, out)
        } else {
            let mut request = Request {
                server: self,
                caller: call.caller,
                from: call.arguments,
                out,
            };
            procedures::answer(call.procedure, &mut request)
        };
        if done.is_err() {
            rpc::accept(out, call.xid, Accepted::GarbageArguments);
        }
    }
}
