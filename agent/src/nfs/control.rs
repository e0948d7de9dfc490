//! The socket by which the process is ruled: a line of JSON for each order, and one for each answer.
use super::bounds::{CONTROL_CONNECTIONS, CONTROL_LINE};
use super::export::Order;
use super::server::Server;
use serde::Deserialize;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Command {
    Add(Order),
    Remove { name: String },
    Open {},
    List {},
    Counters {},
}

/// Only for whoever this process belongs to.
pub fn bind(path: &Path) -> Result<UnixListener, String> {
    let failed = |e: std::io::Error| format!("cannot listen at {}: {e}", path.display());
    match std::fs::remove_file(path) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(failed(e)),
        _ => {}
    }
    let before = unsafe { libc::umask(0o177) };
    let listener = UnixListener::bind(path).map_err(failed);
    unsafe { libc::umask(before) };
    listener
}

pub fn accept(server: &Arc<Server>, listener: &UnixListener) {
    let open = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming().flatten() {
        if !is_owner(&stream) || open.load(Ordering::Acquire) >= CONTROL_CONNECTIONS {
            continue;
        }
        open.fetch_add(1, Ordering::AcqRel);
        let (server, open) = (server.clone(), open.clone());
        std::thread::spawn(move || {
            let _ = serve(&server, &stream);
            open.fetch_sub(1, Ordering::AcqRel);
        });
    }
}

fn is_owner(stream: &UnixStream) -> bool {
    let mut peer = libc::ucred {
        pid: 0,
        uid: u32::MAX,
        gid: u32::MAX,
    };
    let mut length = size_of::<libc::ucred>() as libc::socklen_t;
    let done = unsafe {
        libc::getsockopt(
            stream.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_PEERCRED,
            (&raw mut peer).cast(),
            &raw mut length,
        )
    };
    done == 0 && peer.uid == unsafe { libc::geteuid() }
}

fn serve(server: &Server, stream: &UnixStream) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream);
    let mut line = String::new();
    loop {
        line.clear();
        let read = lines.by_ref().take(CONTROL_LINE).read_line(&mut line)?;
        if read == 0 {
            return Ok(());
        }
        let answer = match obey(server, &line) {
            Ok(answer) => answer,
            Err(reason) => json!({ "error": reason }),
        };
        let mut text = answer.to_string();
        text.push('\n');
        (&mut &*stream).write_all(text.as_bytes())?;
    }
}

fn obey(server: &Server, line: &str) -> Result<Value, String> {
    let command = serde_json::from_str(line).map_err(|e| format!("no such order: {e}"))?;
    match command {
        Command::Add(order) => server.exports.add(order).map(|()| json!({})),
        Command::Remove { name } => server.exports.remove(&name).map(|()| json!({})),
        Command::Open {} => {
            server.opened.get_or_init(|| ());
            Ok(json!({}))
        }
        Command::List {} => {
            let mut names: Vec<String> = server
                .exports
                .list()
                .iter()
                .map(|export| export.name.clone())
                .collect();
            names.sort();
            Ok(json!({ "exports": names }))
        }
        Command::Counters {} => Ok(json!({
            "counters": server.counters,
            "descriptors": server.exports.descriptors.count(),
        })),
    }
}
