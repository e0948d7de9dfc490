//! Finds a relay, and finds one again whenever the connection is lost.
use super::address::Address;
use super::connection::Connection;
use super::tls;
use super::told::Told;
use crate::bounds;
use crate::config::{Relay, Trust};
use hyper_util::rt::TokioIo;
use std::fmt::{Display, Formatter};
use std::path::{Path, PathBuf};
use tokio::net::UnixStream;
use tonic::transport::{Channel, Endpoint, Error, Uri};
use tonic::{Code, Status};

/// One place where a relay may be.
enum Target<'a> {
    Socket(PathBuf),
    Address(&'a Address, &'a Trust),
}

/// Never returns: a sandbox without a relay keeps its processes and goes on trying, all targets in turn.
pub async fn dial_for_ever(connection: &Connection) {
    let mut wait = bounds::FIRST_RETRY;
    let mut told = Told::default();
    loop {
        let targets = targets(&connection.config.relay);
        if targets.is_empty() && told.is_news("anywhere", "there is none") {
            connection
                .commands
                .log
                .agent("no relay's socket can be seen from here");
        }
        for target in targets {
            let mut was_registered = false;
            let status = match connect(&target).await {
                Ok(channel) => {
                    let registered = || {
                        was_registered = true;
                        let message = format!("registered at the relay {target}");
                        connection.commands.log.agent(&message);
                    };
                    connection.keep(channel, registered).await
                }
                Err(status) => status,
            };
            if was_registered {
                wait = bounds::FIRST_RETRY;
                told.forget();
            }
            if status.code() == Code::Unauthenticated {
                wait = bounds::REFUSED_RETRY;
            }
            let reason = status.message();
            if told.is_news(&target.to_string(), reason) {
                let message = format!("no relay at {target}: {reason}");
                connection.commands.log.agent(&message);
            }
        }
        tokio::time::sleep(wait.mul_f64(0.75 + 0.5 * random_share())).await;
        wait = match wait {
            bounds::REFUSED_RETRY => bounds::FIRST_RETRY,
            shorter => (shorter * 2).min(bounds::LONGEST_RETRY),
        };
    }
}

fn targets(relay: &Relay) -> Vec<Target<'_>> {
    match relay {
        Relay::Folder(folder) => sockets(folder).into_iter().map(Target::Socket).collect(),
        Relay::Addresses(addresses, trust) => addresses
            .iter()
            .map(|address| Target::Address(address, trust))
            .collect(),
    }
}

fn sockets(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let paths = entries.flatten().map(|entry| entry.path());
    let mut sockets: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|e| e == "sock"))
        .take(bounds::RELAYS)
        .collect();
    sockets.sort();
    sockets
}

async fn connect(target: &Target<'_>) -> Result<Channel, Status> {
    match target {
        Target::Socket(socket) => over_unix(socket.clone()).await,
        Target::Address(address, trust) => over_tls((*address).clone(), (*trust).clone()).await,
    }
    .map_err(failed)
}

async fn over_unix(socket: PathBuf) -> Result<Channel, Error> {
    let connector = tower::service_fn(move |_: Uri| {
        let socket = socket.clone();
        async move { UnixStream::connect(socket).await.map(TokioIo::new) }
    });
    endpoint().connect_with_connector(connector).await
}

async fn over_tls(address: Address, trust: Trust) -> Result<Channel, Error> {
    let connector = tower::service_fn(move |_: Uri| {
        let (address, trust) = (address.clone(), trust.clone());
        async move { tls::connect(&address, &trust).await.map(TokioIo::new) }
    });
    // The connector sets TLS up itself; only the requests need to say so.
    let origin = Uri::from_static("https://relay");
    let endpoint = endpoint().origin(origin);
    endpoint.connect_with_connector(connector).await
}

fn endpoint() -> Endpoint {
    Endpoint::from_static("http://relay")
        .initial_stream_window_size(bounds::STREAM_WINDOW)
        .initial_connection_window_size(bounds::CONNECTION_WINDOW)
        .connect_timeout(bounds::REGISTER_WAIT)
        .http2_keep_alive_interval(bounds::KEEP_ALIVE)
        .keep_alive_timeout(bounds::KEEP_ALIVE_WAIT)
}

impl Display for Target<'_> {
    fn fmt(&self, to: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Target::Socket(path) => write!(to, "{}", path.display()),
            Target::Address(address, _) => write!(to, "{address}"),
        }
    }
}

/// A transport error says only "transport error"; what happened is in its source.
fn failed(error: Error) -> Status {
    let mut deepest: &dyn std::error::Error = &error;
    while let Some(source) = deepest.source() {
        deepest = source;
    }
    Status::unavailable(deepest.to_string())
}

/// Between 0 and 1, so that many agents do not return all at the same moment.
fn random_share() -> f64 {
    let mut bytes = [0u8; 4];
    unsafe { libc::getrandom(bytes.as_mut_ptr().cast(), bytes.len(), 0) };
    f64::from(u32::from_ne_bytes(bytes)) / f64::from(u32::MAX)
}
