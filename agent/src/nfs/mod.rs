//! `bivouac-agent nfs`: workspaces of sandboxes by NFS version 3, for mounts from outside. One process beside the server,
//! which rules it over a Unix socket.
//!
//! Nothing here follows a path. A client names a file by a handle that only this process can make, and one name in a
//! folder that such a handle stands for; the kernel opens that name without following links or entering mounts. Each
//! call has the rights of the sandbox's ordinary user, whoever makes it.
mod attributes;
mod bounds;
mod change;
mod clients;
mod connection;
mod control;
mod data;
mod descriptors;
mod export;
mod exports;
#[cfg(test)]
mod fuzz;
mod handle;
mod identity;
mod kernel;
mod list;
mod listen;
mod look;
mod mount;
mod procedures;
mod record;
mod rpc;
mod server;
mod status;
mod table;
#[cfg(test)]
mod tests;
mod xdr;

use crate::launch::capabilities;
use clients::Clients;
use serde::Deserialize;
use server::Server;
use std::io::{Read, Write};
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Configuration {
    host: IpAddr,
    /// The first that is tried.
    port: u16,
    control: PathBuf,
    /// Networks that may call; only this machine when there are none.
    #[serde(default)]
    allow: Vec<String>,
}

/// Serves until its standard input ends, which it does with whoever started it.
pub fn nfs(file: &Path) -> Result<(), String> {
    let shown = file.display();
    let text = std::fs::read_to_string(file).map_err(|e| format!("cannot read {shown}: {e}"))?;
    let configuration: Configuration =
        serde_json::from_str(&text).map_err(|e| format!("{shown}: {e}"))?;
    let clients = Clients::parse(&configuration.allow, !configuration.host.is_loopback())?;
    let control = control::bind(&configuration.control)?;
    let listener = listen::bind(configuration.host, configuration.port)?;
    give_up_powers()?;
    let server = Arc::new(Server::new(clients)?);
    let port = listener.local_addr().map_err(|e| e.to_string())?.port();
    let (ruled, served, idle) = (server.clone(), server.clone(), server);
    std::thread::spawn(move || control::accept(&ruled, &control));
    std::thread::spawn(move || listen::accept(&served, &listener));
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(bounds::IDLE_DESCRIPTOR / 5);
            idle.exports.descriptors.close_idle();
        }
    });
    let mut out = std::io::stdout();
    writeln!(out, "{{\"port\":{port}}}").map_err(|e| e.to_string())?;
    let mut lifeline = std::io::stdin();
    let mut unread = [0; 64];
    while lifeline.read(&mut unread).is_ok_and(|count| count > 0) {}
    Ok(())
}

/// What is left: opening by handles, files of the sandbox's own user, and becoming that user.
fn give_up_powers() -> Result<(), String> {
    let kept = capabilities::NFS & capabilities::permitted();
    let may_lower = capabilities::may_lower_bounding_set(capabilities::permitted());
    let done = unsafe {
        // A file that grows too large is an error for whoever writes it, not our end.
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
        libc::umask(0);
        let groups = libc::setgroups(0, std::ptr::null()) == 0 || kept == 0;
        groups
            && capabilities::bound(kept, may_lower)
            && capabilities::limit(kept)
            && libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
            && libc::prctl(libc::PR_SET_DUMPABLE, 0, 0, 0, 0) == 0
            && raise_limit()
    };
    if done {
        Ok(())
    } else {
        let reason = std::io::Error::last_os_error();
        Err(format!("cannot give up the powers of root: {reason}"))
    }
}

/// As many descriptors as all bounds together may need, where the system lets us.
fn raise_limit() -> bool {
    let needed = (bounds::DESCRIPTORS + bounds::EXPORTS + 16 * bounds::CONNECTIONS) as u64;
    let mut limit = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    unsafe {
        if libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) != 0 {
            return false;
        }
        limit.rlim_cur = needed.min(limit.rlim_max).max(limit.rlim_cur);
        libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit) == 0
    }
}
