//! The sandbox's way out: a proxy on its loopback address. The agent carries each connection to the relay and
//! reads nothing of it; what the program asks for, and whether it may have it, is found out there.
use super::carried;
use super::wire::egress_service_client::EgressServiceClient;
use crate::bounds;
use std::collections::BTreeMap;
use std::net::{Ipv4Addr, TcpListener as BlockingListener};
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tonic::transport::Channel;

type Relay = EgressServiceClient<Channel>;

/// Where programs look for a proxy; which of these they know differs.
const PROXY: [&str; 4] = ["HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy"];
const NO_PROXY: [&str; 2] = ["NO_PROXY", "no_proxy"];
const INSIDE: &str = "localhost,127.0.0.1,::1";

/// Takes the port before anything of the workload's runs, so that nobody else can.
pub fn bind(port: u16) -> std::io::Result<BlockingListener> {
    let listener = BlockingListener::bind((Ipv4Addr::LOCALHOST, port))?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

/// Tells programs where the proxy is, unless the template tells them something else.
pub fn announce(
    listener: &BlockingListener,
    env: &mut BTreeMap<String, String>,
) -> std::io::Result<()> {
    let address = format!("http://{}", listener.local_addr()?);
    let proxies = PROXY.map(|name| (name, address.as_str()));
    let exceptions = NO_PROXY.map(|name| (name, INSIDE));
    for (name, value) in proxies.into_iter().chain(exceptions) {
        env.entry(name.into()).or_insert(value.into());
    }
    Ok(())
}

/// Which relay carries what goes out; none while the agent is connected to none.
pub struct Egress(watch::Sender<Option<Relay>>);

impl Egress {
    pub fn new() -> Egress {
        Egress(watch::Sender::new(None))
    }

    pub fn through(&self, relay: Option<Relay>) {
        self.0.send_replace(relay);
    }

    /// Listens for as long as the sandbox lives.
    pub fn listen(&self, listener: BlockingListener) -> std::io::Result<()> {
        let listener = TcpListener::from_std(listener)?;
        let relay = self.0.subscribe();
        tokio::spawn(async move {
            let places = Arc::new(Semaphore::new(bounds::EGRESS_CONNECTIONS));
            let refusals = Arc::new(Semaphore::new(bounds::EGRESS_REFUSALS));
            loop {
                let Ok((program, _)) = listener.accept().await else {
                    // Out of descriptors, say; it passes.
                    tokio::time::sleep(bounds::EGRESS_PAUSE).await;
                    continue;
                };
                if let Ok(place) = places.clone().try_acquire_owned() {
                    tokio::spawn(serve(program, relay.clone(), place));
                } else if let Ok(place) = refusals.clone().try_acquire_owned() {
                    let busy = refuse(program, "too many connections at a time");
                    tokio::spawn(async move {
                        busy.await;
                        drop(place);
                    });
                }
            }
        });
        Ok(())
    }
}

/// Returns when both sides have said all, or either is gone.
async fn serve(
    program: TcpStream,
    mut relays: watch::Receiver<Option<Relay>>,
    _place: OwnedSemaphorePermit,
) {
    let present = relays.wait_for(Option::is_some);
    let relay = match tokio::time::timeout(bounds::EGRESS_RELAY_WAIT, present).await {
        Ok(Ok(relay)) => relay.clone(),
        _ => None,
    };
    let Some(mut relay) = relay else {
        return refuse(program, "the relay is away").await;
    };
    let _ = program.set_nodelay(true);
    let (from, to) = program.into_split();
    if let Ok(down) = relay.carry(carried::said(None, from)).await {
        carried::deliver(&mut down.into_inner(), to).await;
    }
}

/// What the program has sent is taken first: closing with that unread would take the answer away from it.
async fn refuse(mut program: TcpStream, why: &str) {
    let text = format!("Bivouac: {why}; try again.\n");
    let answer = format!(
        "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n{text}",
        text.len()
    );
    let telling = async {
        let mut request = [0; 4096];
        let _taken = program.read(&mut request).await?;
        program.write_all(answer.as_bytes()).await?;
        program.shutdown().await?;
        program.read(&mut request).await
    };
    let _ = tokio::time::timeout(bounds::EGRESS_REFUSAL, telling).await;
}
