//! One connection of a program, carried to the relay and back: to a port of the sandbox, or out of it.
use super::wire::{CarriedDown, CarriedUp, Failure, carried_down, carried_up::Message};
use crate::bounds;
use futures_util::{Stream, stream};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tonic::Streaming;

/// What the program says, after a first message of ours if there is one. Ends when it has said all.
pub fn said(first: Option<Message>, from: OwnedReadHalf) -> impl Stream<Item = CarriedUp> + Send {
    stream::unfold((first, Some(from)), |(first, from)| async {
        if let Some(first) = first {
            return Some((message(first), (None, from)));
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
    })
}

async fn read(from: &mut OwnedReadHalf) -> std::io::Result<Vec<u8>> {
    let mut data = Vec::with_capacity(bounds::CARRIED_MESSAGE);
    from.read_buf(&mut data).await?;
    data.shrink_to_fit();
    Ok(data)
}

/// Until the relay ends the stream, or the program takes nothing more.
pub async fn deliver(down: &mut Streaming<CarriedDown>, mut to: OwnedWriteHalf) {
    while let Ok(Some(order)) = down.message().await {
        let written = match order.message {
            Some(carried_down::Message::Data(data)) => to.write_all(&data).await,
            Some(carried_down::Message::End(true)) => to.shutdown().await,
            _ => Ok(()),
        };
        if written.is_err() {
            return;
        }
    }
}

pub fn message(message: Message) -> CarriedUp {
    CarriedUp {
        message: Some(message),
    }
}
