//! ONC RPC version 2 (RFC 5531): who calls what, and how an answer begins.
use super::xdr::{Garbled, Reader, Writer};

pub const NFS: u32 = 100_003;
pub const MOUNT: u32 = 100_005;
/// The one version of both that is spoken.
pub const VERSION: u32 = 3;

const CALL: u32 = 0;
const REPLY: u32 = 1;
const RPC_VERSION: u32 = 2;
const AUTH_NONE: u32 = 0;
pub const AUTH_SYS: u32 = 1;
const CREDENTIAL: usize = 400;
const MACHINE_NAME: usize = 255;

/// Whom a call without a name is from.
pub const NOBODY: u32 = 65_534;

/// The ids that a client claims. They decide nothing but whom its files seem to belong to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Caller {
    pub uid: u32,
    pub gid: u32,
}

pub struct Call<'a> {
    pub xid: u32,
    pub program: u32,
    pub version: u32,
    pub procedure: u32,
    pub caller: Caller,
    pub arguments: Reader<'a>,
}

/// Why there is no call to be done.
pub enum NoCall {
    /// Not a call at all: the connection is of no use.
    Nonsense,
    OtherVersion {
        xid: u32,
    },
    /// A credential that is neither AUTH_NONE nor a sound AUTH_SYS.
    BadCredential {
        xid: u32,
    },
}

pub fn parse(record: &[u8]) -> Result<Call<'_>, NoCall> {
    let mut reader = Reader::new(record);
    let head = |reader: &mut Reader| -> Result<(u32, u32, u32), Garbled> {
        Ok((reader.u32()?, reader.u32()?, reader.u32()?))
    };
    let (xid, kind, rpc_version) = head(&mut reader).map_err(|_| NoCall::Nonsense)?;
    if kind != CALL {
        return Err(NoCall::Nonsense);
    }
    if rpc_version != RPC_VERSION {
        return Err(NoCall::OtherVersion { xid });
    }
    let (program, version, procedure) = head(&mut reader).map_err(|_| NoCall::Nonsense)?;
    let caller = caller(&mut reader).map_err(|_| NoCall::BadCredential { xid })?;
    Ok(Call {
        xid,
        program,
        version,
        procedure,
        caller,
        arguments: reader,
    })
}

fn caller(reader: &mut Reader) -> Result<Caller, Garbled> {
    let flavor = reader.u32()?;
    let mut credential = Reader::new(reader.opaque(CREDENTIAL)?);
    reader.u32()?;
    reader.opaque(CREDENTIAL)?;
    match flavor {
        AUTH_NONE => Ok(Caller {
            uid: NOBODY,
            gid: NOBODY,
        }),
        AUTH_SYS => {
            credential.u32()?;
            credential.opaque(MACHINE_NAME)?;
            Ok(Caller {
                uid: credential.u32()?,
                gid: credential.u32()?,
            })
        }
        _ => Err(Garbled),
    }
}

#[derive(Clone, Copy)]
pub enum Accepted {
    Success = 0,
    NoSuchProgram = 1,
    NoSuchVersion = 2,
    NoSuchProcedure = 3,
    GarbageArguments = 4,
}

/// Begins an answer; its results follow.
pub fn accept(out: &mut Writer, xid: u32, how: Accepted) {
    begin(out, xid);
    out.u32(0);
    out.u32(AUTH_NONE);
    out.u32(0);
    out.u32(how as u32);
    if let Accepted::NoSuchVersion = how {
        out.u32(VERSION);
        out.u32(VERSION);
    }
}

pub fn deny_version(out: &mut Writer, xid: u32) {
    begin(out, xid);
    for word in [1, 0, RPC_VERSION, RPC_VERSION] {
        out.u32(word);
    }
}

pub fn deny_credential(out: &mut Writer, xid: u32) {
    const AUTH_ERROR: u32 = 1;
    const BAD_CREDENTIAL: u32 = 1;
    begin(out, xid);
    for word in [1, AUTH_ERROR, BAD_CREDENTIAL] {
        out.u32(word);
    }
}

fn begin(out: &mut Writer, xid: u32) {
    out.clear();
    // The record mark: see `finish`.
    out.u32(0);
    out.u32(xid);
    out.u32(REPLY);
}

/// Writes the record mark of an answer that is whole.
pub fn finish(out: &mut Writer) {
    let length = out.len() as u32 - 4;
    out.put(0, 1 << 31 | length);
}
