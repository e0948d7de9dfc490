//! Carries connections between ports of the sandbox's loopback address and the relay: the sandbox has no other
//! way in or out.
use crate::bounds;
use crate::wire::port_service_client::PortServiceClient;
use crate::wire::{Failure, OpenPort, PortDown, PortOpened, PortUp, port_down, port_up::Message};
use futures_util::stream;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tonic::Streaming;
use tonic::transport::Channel;

/// The connections of one agent, bounded in number.
#[derive(Clone)]
pub struct Ports(Arc<Semaphore>);

impl Ports {
    pub fn new() -> Ports {
        Ports(Arc::new(Semaphore::new(bounds::PORT_CONNECTIONS)))
    }

    /// Returns when both sides have said all, or either is gone.
    pub async fn carry(self, client: PortServiceClient<Channel>, order: OpenPort) {
        match self.connect(order.port).await {
            Ok((program, place)) => carry(client, order.connection_id, program, place).await,
            Err(failure) => refuse(client, order.connection_id, failure).await,
        }
    }

    async fn connect(&self, port: u32) -> Result<(TcpStream, OwnedSemaphorePermit), Failure> {
        let place = self.0.clone().try_acquire_owned();
        let place = place.map_err(|_| Failure::invalid("too many connections to ports"))?;
        let port = u16::try_from(port)
            .ok()
            .filter(|port| *port > 0)
            .ok_or_else(|| Failure::invalid(format!("no port: {port}")))?;
        // Most programs listen on the older address; some only on the newer.
        let addresses = [
            SocketAddr::from((Ipv4Addr::LOCALHOST, port)),
            SocketAddr::from((Ipv6Addr::LOCALHOST, port)),
        ];
        let mut refusal = String::new();
        for address in addresses {
            let connecting = TcpStream::connect(address);
            match tokio::time::timeout(bounds::PORT_CONNECT_WAIT, connecting).await {
                Ok(Ok(program)) => {
                    let _ = program.set_nodelay(true);
                    return Ok((program, place));
                }
                Ok(Err(error)) => refusal = error.to_string(),
                Err(_) => refusal = "no answer".into(),
            }
        }
        Err(Failure::cannot_start(format!("port {port}: {refusal}")))
    }
}

async fn carry(
    mut client: PortServiceClient<Channel>,
    connection_id: String,
    program: TcpStream,
    _place: OwnedSemaphorePermit,
) {
    let (from, to) = program.into_split();
    let opened = Message::Opened(PortOpened { connection_id });
    let up = stream::unfold((Some(opened), Some(from)), |(opened, from)| async {
        if let Some(opened) = opened {
            return Some((message(opened), (None, from)));
        }
        let mut from = from?;
        match read(&mut from).await {
            Ok(data) if data.is_empty() => None,
            Ok(data) => Some((message(Message::Data(data.into())), (None, Some(from)))),
            Err(error) => {
                let broken = Failure::cannot_start(error.to_string());
                Some((message(Message::Failure(broken)), (None, None)))
            }
        }
    });
    if let Ok(down) = client.carry(up).await {
        write_all(down.into_inner(), to).await;
    }
}

async fn read(from: &mut OwnedReadHalf) -> std::io::Result<Vec<u8>> {
    let mut data = Vec::with_capacity(bounds::PORT_MESSAGE);
    from.read_buf(&mut data).await?;
    data.shrink_to_fit();
    Ok(data)
}

/// Until the relay ends the stream. Once the program takes nothing more, what comes is read and dropped.
async fn write_all(mut down: Streaming<PortDown>, to: OwnedWriteHalf) {
    let mut to = Some(to);
    while let Ok(Some(order)) = down.message().await {
        let written = match (order.message, &mut to) {
            (Some(port_down::Message::Data(data)), Some(to)) => to.write_all(&data).await.is_ok(),
            (Some(port_down::Message::End(true)), Some(to)) => to.shutdown().await.is_ok(),
            _ => true,
        };
        if !written {
            to = None;
        }
    }
}

async fn refuse(mut client: PortServiceClient<Channel>, connection_id: String, failure: Failure) {
    let up = [
        message(Message::Opened(PortOpened { connection_id })),
        message(Message::Failure(failure)),
    ];
    if let Ok(down) = client.carry(stream::iter(up)).await {
        let mut down = down.into_inner();
        while let Ok(Some(_)) = down.message().await {}
    }
}

fn message(message: Message) -> PortUp {
    PortUp {
        message: Some(message),
    }
}
