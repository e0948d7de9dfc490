//! Calls as a client makes them, answered in this process.
mod attacks;
mod work;

use super::clients::Clients;
use super::export::{Export, Order};
use super::rpc;
use super::server::Server;
use super::status::Status;
use super::xdr::{Reader, Writer};
use std::net::SocketAddr;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

pub const SANDBOX: u32 = 1_001_000;
const CALLER: u32 = 4242;

pub fn is_root() -> bool {
    unsafe { libc::geteuid() == 0 }
}

/// A workspace with something outside beside it.
pub struct Site {
    pub folder: tempfile::TempDir,
    pub server: Server,
}

pub fn order(name: &str, folder: &Path) -> Order {
    let own = std::fs::metadata(folder).unwrap();
    Order {
        name: name.to_owned(),
        folder: folder.to_owned(),
        uid: own.uid(),
        gid: own.gid(),
        key: format!("{:0>64}", name.len()),
        token: None,
        ahead_of_disk: true,
    }
}

impl Site {
    pub fn new() -> Site {
        Site::of(|export| export)
    }

    pub fn of(change: impl Fn(Export) -> Export) -> Site {
        let folder = tempfile::tempdir().unwrap();
        for name in ["work", "other", "outside"] {
            let path = folder.path().join(name);
            std::fs::create_dir(&path).unwrap();
            if is_root() && name != "outside" {
                std::os::unix::fs::chown(&path, Some(SANDBOX), Some(SANDBOX)).unwrap();
            }
        }
        std::fs::write(folder.path().join("outside/secret"), "secret").unwrap();
        let server = Server::new(Clients::parse(&[], false).unwrap()).unwrap();
        for (name, path) in [("one", "work"), ("second", "other")] {
            let export = Export::open(order(name, &folder.path().join(path))).unwrap();
            server.exports.insert(change(export)).unwrap();
        }
        Site { folder, server }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The accepted answer's results; None when the call was not accepted.
    pub fn call(&self, program: u32, procedure: u32, arguments: &Writer) -> Option<Vec<u8>> {
        let answer = self.raw(&call(program, procedure, arguments))?;
        let mut reader = Reader::new(&answer[4..]);
        let mut head = [0; 6];
        for word in &mut head {
            *word = reader.u32().ok()?;
        }
        (head[2] == 0 && head[5] == 0).then(|| answer[28..].to_vec())
    }

    pub fn raw(&self, record: &[u8]) -> Option<Vec<u8>> {
        let peer = SocketAddr::from(([127, 0, 0, 1], 40_000));
        let mut out = Writer::default();
        self.server.answer(peer, record, &mut out).ok()?;
        Some(out.as_slice().to_vec())
    }

    pub fn mount(&self, path: &str) -> Result<Vec<u8>, Status> {
        let mut arguments = Writer::default();
        arguments.opaque(path.as_bytes());
        let results = self.call(rpc::MOUNT, 1, &arguments).unwrap();
        let mut reader = Reader::new(&results);
        match Status(reader.u32().unwrap()) {
            Status::OK => Ok(reader.opaque(64).unwrap().to_vec()),
            status => Err(status),
        }
    }

    /// A call of NFS: what follows its status.
    fn nfs(&self, procedure: u32, arguments: &Writer) -> Result<Vec<u8>, Status> {
        let results = self.call(rpc::NFS, procedure, arguments).unwrap();
        match Status(Reader::new(&results).u32().unwrap()) {
            Status::OK => Ok(results[4..].to_vec()),
            status => Err(status),
        }
    }

    fn lookup(&self, folder: &[u8], name: &str) -> Result<Vec<u8>, Status> {
        let results = self.nfs(3, &named(folder, name))?;
        Ok(Reader::new(&results).opaque(64).unwrap().to_vec())
    }

    fn create(&self, folder: &[u8], name: &str, mode: u32) -> Result<Vec<u8>, Status> {
        let mut arguments = named(folder, name);
        arguments.u32(1);
        wanted(&mut arguments, Some(mode), None);
        self.made(8, &arguments)
    }

    fn made(&self, procedure: u32, arguments: &Writer) -> Result<Vec<u8>, Status> {
        let results = self.nfs(procedure, arguments)?;
        let mut reader = Reader::new(&results);
        assert!(reader.boolean().unwrap());
        Ok(reader.opaque(64).unwrap().to_vec())
    }

    fn write(&self, file: &[u8], offset: u64, data: &[u8]) -> Result<(), Status> {
        let mut arguments = Writer::default();
        arguments.opaque(file);
        arguments.u64(offset);
        arguments.u32(data.len() as u32);
        arguments.u32(2);
        arguments.opaque(data);
        self.nfs(7, &arguments).map(|_| ())
    }

    fn read(&self, file: &[u8], offset: u64, count: u32) -> Result<(Vec<u8>, bool), Status> {
        let mut arguments = Writer::default();
        arguments.opaque(file);
        arguments.u64(offset);
        arguments.u32(count);
        let results = self.nfs(6, &arguments)?;
        let mut reader = Reader::new(&results);
        assert!(reader.boolean().unwrap());
        reader.fixed(84).unwrap();
        let count = reader.u32().unwrap();
        let at_end = reader.boolean().unwrap();
        let data = reader.opaque(count as usize).unwrap();
        assert_eq!(data.len(), count as usize);
        Ok((data.to_vec(), at_end))
    }

    /// Type, mode, links, uid, gid, size.
    fn attributes(&self, file: &[u8]) -> Result<[u64; 6], Status> {
        let results = self.nfs(1, &only(file))?;
        let mut reader = Reader::new(&results);
        let mut words = [0; 6];
        for word in &mut words[..5] {
            *word = u64::from(reader.u32().unwrap());
        }
        words[5] = reader.u64().unwrap();
        Ok(words)
    }

    fn names(&self, folder: &[u8], procedure: u32, most: u32) -> Result<Vec<String>, Status> {
        let mut names = Vec::new();
        let mut cookie = 0;
        loop {
            let mut arguments = only(folder);
            arguments.u64(cookie);
            arguments.u64(0);
            arguments.u32(most);
            if procedure == 17 {
                arguments.u32(most);
            }
            let results = self.nfs(procedure, &arguments)?;
            let mut reader = Reader::new(&results);
            assert!(reader.boolean().unwrap());
            reader.fixed(84 + 8).unwrap();
            while reader.boolean().unwrap() {
                reader.u64().unwrap();
                names.push(String::from_utf8(reader.opaque(255).unwrap().to_vec()).unwrap());
                cookie = reader.u64().unwrap();
                if procedure == 17 {
                    if reader.boolean().unwrap() {
                        reader.fixed(84).unwrap();
                    }
                    if reader.boolean().unwrap() {
                        reader.opaque(64).unwrap();
                    }
                }
            }
            if reader.boolean().unwrap() {
                names.sort();
                return Ok(names);
            }
        }
    }
}

pub fn call(program: u32, procedure: u32, arguments: &Writer) -> Vec<u8> {
    let mut out = Writer::default();
    for word in [
        7, 0, 2, program, 3, procedure, 1, 24, 0, 0, CALLER, CALLER, 0,
    ] {
        out.u32(word);
    }
    // The credential above: no machine name, two ids, no groups, and four bytes of filling.
    out.u32(0);
    for word in [0, 0] {
        out.u32(word);
    }
    out.fixed(arguments.as_slice());
    out.as_slice().to_vec()
}

pub fn only(file: &[u8]) -> Writer {
    let mut out = Writer::default();
    out.opaque(file);
    out
}

pub fn named(folder: &[u8], name: &str) -> Writer {
    let mut out = only(folder);
    out.opaque(name.as_bytes());
    out
}

pub fn wanted(out: &mut Writer, mode: Option<u32>, size: Option<u64>) {
    out.boolean(mode.is_some());
    mode.into_iter().for_each(|mode| out.u32(mode));
    out.boolean(false);
    out.boolean(false);
    out.boolean(size.is_some());
    size.into_iter().for_each(|size| out.u64(size));
    out.u32(0);
    out.u32(0);
}

fn linked(file: &[u8], folder: &[u8], name: &str) -> Writer {
    let mut out = only(file);
    out.opaque(folder);
    out.opaque(name.as_bytes());
    out
}

fn renamed(from: &[u8], old: &str, to: &[u8], new: &str) -> Writer {
    let mut out = named(from, old);
    out.opaque(to);
    out.opaque(new.as_bytes());
    out
}
