//! Connections to ports of the sandbox's loopback address: the sandbox has no other way in.
use super::carried;
use super::wire::port_service_client::PortServiceClient;
use super::wire::{Failure, OpenPort, PortOpened, carried_up::Message};
use crate::bounds;
use crate::code::jupyter::{self, Jupyter};
use futures_util::stream;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tonic::transport::Channel;

/// The connections of one agent, bounded in number.
#[derive(Clone)]
pub struct Ports {
    places: Arc<Semaphore>,
    jupyter: Arc<Jupyter>,
}

impl Ports {
    pub fn new(jupyter: Jupyter) -> Ports {
        Ports {
            places: Arc::new(Semaphore::new(bounds::PORT_CONNECTIONS)),
            jupyter: Arc::new(jupyter),
        }
    }

    /// Returns when both sides have said all, or either is gone.
    pub async fn carry(self, client: PortServiceClient<Channel>, order: OpenPort) {
        match self.connect(order.port).await {
            Ok((program, place)) => carry(client, order.connection_id, program, place).await,
            Err(failure) => refuse(client, order.connection_id, failure).await,
        }
    }

    async fn connect(&self, port: u32) -> Result<(TcpStream, OwnedSemaphorePermit), Failure> {
        let place = self.places.clone().try_acquire_owned();
        let place = place.map_err(|_| Failure::invalid("too many connections to ports"))?;
        let port = u16::try_from(port)
            .ok()
            .filter(|port| *port > 0)
            .ok_or_else(|| Failure::invalid(format!("no port: {port}")))?;
        let refusal = match connect(port).await {
            Ok(program) => return Ok((program, place)),
            Err(refusal) => refusal,
        };
        if port == jupyter::PORT {
            self.jupyter.start().await?;
            if let Ok(program) = connect(port).await {
                return Ok((program, place));
            }
        }
        Err(Failure::cannot_start(format!("port {port}: {refusal}")))
    }
}

async fn connect(port: u16) -> Result<TcpStream, String> {
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
                return Ok(program);
            }
            Ok(Err(error)) => refusal = error.to_string(),
            Err(_) => refusal = "no answer".into(),
        }
    }
    Err(refusal)
}

async fn carry(
    mut client: PortServiceClient<Channel>,
    connection_id: String,
    program: TcpStream,
    _place: OwnedSemaphorePermit,
) {
    let (from, to) = program.into_split();
    let opened = Message::Opened(PortOpened {
        connection_id,
        refused: false,
    });
    if let Ok(down) = client.carry(carried::said(Some(opened), from)).await {
        let mut down = down.into_inner();
        carried::deliver(&mut down, to).await;
        // What comes after the program has closed is dropped: its own last words may still be on their way.
        while let Ok(Some(_)) = down.message().await {}
    }
}

async fn refuse(mut client: PortServiceClient<Channel>, connection_id: String, failure: Failure) {
    let up = [
        carried::message(Message::Opened(PortOpened {
            connection_id,
            refused: true,
        })),
        carried::message(Message::Failure(failure)),
    ];
    if let Ok(down) = client.carry(stream::iter(up)).await {
        let mut down = down.into_inner();
        while let Ok(Some(_)) = down.message().await {}
    }
}
