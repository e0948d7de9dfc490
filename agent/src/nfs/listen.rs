//! The port, and who gets in.
use super::bounds::{CONNECTIONS, PORTS_TRIED, STACK};
use super::connection;
use super::server::Server;
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// The wished port, or the next one that is free.
pub fn bind(address: IpAddr, port: u16) -> Result<TcpListener, String> {
    let mut reason = None;
    for tried in port..=port.saturating_add(PORTS_TRIED) {
        match TcpListener::bind((address, tried)) {
            Ok(listener) => return Ok(listener),
            Err(e) if e.kind() == std::io::ErrorKind::AddrInUse => reason = Some(e),
            Err(e) => return Err(format!("cannot listen on {address}:{tried}: {e}")),
        }
    }
    let reason = reason.map_or_else(String::new, |e| e.to_string());
    Err(format!(
        "no port from {port} on is free at {address}: {reason}"
    ))
}

/// Takes connections for good, as soon as the server is opened; until then they wait.
pub fn accept(server: &Arc<Server>, listener: &TcpListener) {
    server.opened.wait();
    loop {
        match listener.accept() {
            Ok((stream, peer)) => take(server, stream, peer),
            // Out of descriptors, or a client that has left again.
            Err(_) => std::thread::sleep(std::time::Duration::from_millis(10)),
        }
    }
}

/// A connection that is not wanted is closed without a word.
fn take(server: &Arc<Server>, stream: TcpStream, peer: SocketAddr) {
    if !server.admits(peer) {
        return;
    }
    let connections = &server.counters.connections;
    if connections.fetch_add(1, Relaxed) >= CONNECTIONS as u64 {
        connections.fetch_sub(1, Relaxed);
        server.counters.refused_connections.fetch_add(1, Relaxed);
        return;
    }
    let serving = server.clone();
    let started = std::thread::Builder::new()
        .name("nfs".into())
        .stack_size(STACK)
        .spawn(move || {
            let counted = serving.clone();
            // An error is the client's: it connects again if it wants to.
            let _ = connection::serve(serving, stream, peer);
            counted.counters.connections.fetch_sub(1, Relaxed);
        });
    if started.is_err() {
        connections.fetch_sub(1, Relaxed);
    }
}
