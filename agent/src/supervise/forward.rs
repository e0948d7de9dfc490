//! The way from a sandbox without a network to relays on other machines.
//!
//! The agent inside dials a Unix socket, as ever. The supervisor listens there and carries each connection to a relay by
//! TLS, without reading it: the agent shows its token to the relay alone, but the relay's certificate is checked here.
//! This is a thread of the supervisor, which lives as long as the sandbox and needs no server beside it.
use super::spec::{Forward, Spec};
use crate::bounds;
use crate::config::{Relay, Trust};
use crate::launch::harden;
use crate::log::Log;
use crate::relay::address::Address;
use crate::relay::tls;
use crate::relay::told::Told;
use std::cell::{Cell, RefCell};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::rc::Rc;
use tokio::io::{AsyncRead, AsyncWrite, copy, split};
use tokio::net::{TcpStream, UnixStream};
use tokio::task::LocalSet;
use tokio::time::{sleep, timeout};
use tokio_rustls::client::TlsStream;

const LOG: &str = "forward.jsonl";

/// A socket that listens, and what is behind it.
pub struct Forwarder {
    listener: UnixListener,
    relays: Relays,
}

struct Relays {
    addresses: Vec<Address>,
    trust: Trust,
    log: Log,
    told: RefCell<Told>,
    /// The address that is tried first for the next connection.
    next: Cell<usize>,
    connections: Cell<usize>,
}

/// Before the sandbox starts, so that its agent finds the socket.
pub fn listen(spec: &Spec) -> Result<Option<Forwarder>, String> {
    let Some(Forward { socket, relay }) = &spec.forward else {
        return Ok(None);
    };
    let Relay::Addresses(addresses, trust) = relay else {
        return Err("forward.relay needs addresses".into());
    };
    let listener = bind(socket).map_err(|e| format!("{}: {e}", socket.display()))?;
    let relays = Relays {
        addresses: addresses.clone(),
        trust: trust.clone(),
        log: Log::new(Some(spec.folder.join(LOG))),
        told: RefCell::default(),
        next: Cell::new(0),
        connections: Cell::new(0),
    };
    Ok(Some(Forwarder { listener, relays }))
}

/// Open to the sandbox's ids, whichever they are; the folder decides who gets there.
fn bind(socket: &Path) -> io::Result<UnixListener> {
    if let Err(error) = std::fs::remove_file(socket)
        && error.kind() != io::ErrorKind::NotFound
    {
        return Err(error);
    }
    let listener = UnixListener::bind(socket)?;
    std::fs::set_permissions(socket, std::fs::Permissions::from_mode(0o666))?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

impl Forwarder {
    /// After the sandbox has started: a process with threads can make no user namespace.
    pub fn start(self) -> io::Result<()> {
        harden::one_arena();
        tls::look_names_up_without_plugins();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .build()?;
        std::thread::Builder::new()
            .name("forward".into())
            .stack_size(bounds::FORWARD_STACK)
            .spawn(move || LocalSet::new().block_on(&runtime, self.serve()))?;
        Ok(())
    }

    async fn serve(self) {
        let relays = Rc::new(self.relays);
        let listener = match tokio::net::UnixListener::from_std(self.listener) {
            Ok(listener) => listener,
            Err(error) => return relays.log.agent(&format!("cannot listen: {error}")),
        };
        loop {
            match listener.accept().await {
                // Beyond the bound it is closed at once: an agent has one.
                Ok(_) if relays.connections.get() >= bounds::FORWARDED => {}
                Ok((agent, _)) => {
                    relays.connections.update(|count| count + 1);
                    tokio::task::spawn_local(relays.clone().carry(agent));
                }
                Err(error) => {
                    relays.log.agent(&format!("cannot accept: {error}"));
                    sleep(bounds::FORWARD_PAUSE).await;
                }
            }
        }
    }
}

impl Relays {
    async fn carry(self: Rc<Relays>, agent: UnixStream) {
        if let Some((at, relay)) = self.reach().await {
            carry_both_ways(agent, relay).await;
            // It has gone, or it refuses the agent.
            self.pass_over(at);
        }
        self.connections.update(|count| count - 1);
    }

    /// The first relay that answers, each tried once.
    async fn reach(&self) -> Option<(usize, TlsStream<TcpStream>)> {
        for _ in 0..self.addresses.len() {
            let at = self.next.get();
            let address = &self.addresses[at];
            let connecting = tls::connect(address, &self.trust);
            let reason = match timeout(bounds::FORWARD_CONNECT, connecting).await {
                Ok(Ok(relay)) => {
                    self.told.borrow_mut().forget();
                    return Some((at, relay));
                }
                Ok(Err(error)) => error.to_string(),
                Err(late) => late.to_string(),
            };
            self.tell(address, &reason);
            self.pass_over(at);
        }
        None
    }

    /// Another connection may have done so meanwhile.
    fn pass_over(&self, at: usize) {
        if self.next.get() == at {
            self.next.set((at + 1) % self.addresses.len());
        }
    }

    fn tell(&self, address: &Address, reason: &str) {
        if self.told.borrow_mut().is_news(&address.to_string(), reason) {
            self.log.agent(&format!("no relay at {address}: {reason}"));
        }
    }
}

/// Until either side ends: an HTTP/2 connection is of no use with one direction, and a dead peer never ends its own.
async fn carry_both_ways(agent: UnixStream, relay: impl AsyncRead + AsyncWrite) {
    let (mut from_agent, mut to_agent) = agent.into_split();
    let (mut from_relay, mut to_relay) = split(relay);
    tokio::select! {
        _ = copy(&mut from_agent, &mut to_relay) => {}
        _ = copy(&mut from_relay, &mut to_agent) => {}
    }
}
