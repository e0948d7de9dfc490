//! Finds a relay, and finds one again whenever the connection is lost.
use super::connection::Connection;
use crate::bounds;
use crate::config::Relay;
use hyper_util::rt::TokioIo;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::net::UnixStream;
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint, Uri};
use tonic::{Code, Status};

/// Never returns: a sandbox without a relay keeps its processes and goes on trying.
pub async fn dial_for_ever(connection: &Connection) {
    let mut wait = bounds::FIRST_RETRY;
    let mut told = String::new();
    loop {
        for target in targets(&connection.config.relay) {
            let mut was_registered = false;
            let status = match connect(&connection.config.relay, target).await {
                Ok(channel) => {
                    let registered = || {
                        was_registered = true;
                        connection.commands.log.agent("registered at the relay");
                    };
                    connection.keep(channel, registered).await
                }
                Err(status) => status,
            };
            if was_registered {
                wait = bounds::FIRST_RETRY;
                told.clear();
            }
            if status.code() == Code::Unauthenticated {
                wait = bounds::REFUSED_RETRY;
            }
            // Said once, not at every attempt.
            let message = format!("no relay: {}", status.message());
            if message != told {
                connection.commands.log.agent(&message);
                told = message;
            }
        }
        tokio::time::sleep(wait.mul_f64(0.75 + 0.5 * random_share())).await;
        wait = match wait {
            bounds::REFUSED_RETRY => bounds::FIRST_RETRY,
            shorter => (shorter * 2).min(bounds::LONGEST_RETRY),
        };
    }
}

/// The sockets to try in turn, or the one address.
fn targets(relay: &Relay) -> Vec<Option<PathBuf>> {
    let Relay::Folder { socket_folder } = relay else {
        return vec![None];
    };
    let entries = std::fs::read_dir(socket_folder).into_iter().flatten();
    let paths = entries.flatten().map(|entry| entry.path());
    let mut sockets: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|e| e == "sock"))
        .take(bounds::RELAY_SOCKETS)
        .collect();
    sockets.sort();
    sockets.into_iter().map(Some).collect()
}

async fn connect(relay: &Relay, target: Option<PathBuf>) -> Result<Channel, Status> {
    match (relay, target) {
        (_, Some(socket)) => over_unix(socket).await,
        (Relay::Address { address, ca_file }, _) => over_tls(address, ca_file.as_deref()).await,
        (Relay::Folder { .. }, None) => Err(Status::unavailable("no socket")),
    }
}

async fn over_unix(socket: PathBuf) -> Result<Channel, Status> {
    let connector = tower::service_fn(move |_: Uri| {
        let socket = socket.clone();
        async move { UnixStream::connect(socket).await.map(TokioIo::new) }
    });
    endpoint("http://relay".into())?
        .connect_with_connector(connector)
        .await
        .map_err(failed)
}

async fn over_tls(address: &str, ca_file: Option<&Path>) -> Result<Channel, Status> {
    let mut tls = ClientTlsConfig::new();
    if let Some(path) = ca_file {
        let pem = std::fs::read(path)
            .map_err(|e| Status::unavailable(format!("{}: {e}", path.display())))?;
        tls = tls.ca_certificate(Certificate::from_pem(pem));
    }
    endpoint(format!("https://{address}"))?
        .tls_config(tls)
        .map_err(failed)?
        .tcp_nodelay(true)
        .connect()
        .await
        .map_err(failed)
}

fn endpoint(uri: String) -> Result<Endpoint, Status> {
    Ok(Endpoint::from_shared(uri)
        .map_err(failed)?
        .initial_stream_window_size(bounds::STREAM_WINDOW)
        .initial_connection_window_size(bounds::CONNECTION_WINDOW)
        .connect_timeout(bounds::REGISTER_WAIT)
        .http2_keep_alive_interval(Duration::from_secs(30))
        .keep_alive_timeout(Duration::from_secs(20)))
}

/// A transport error says only "transport error"; what happened is in its source.
fn failed(error: tonic::transport::Error) -> Status {
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
