//! One reader of one command: a gRPC stream that draws from the ring at the reader's own pace.
use super::state::Next;
use super::{Command, Input};
use crate::bounds;
use crate::relay::wire::agent_service_client::AgentServiceClient;
use crate::relay::wire::{
    Failure, ProcessDown, ProcessOpened, ProcessUp, process_down, process_up::Message,
};
use futures_util::stream;
use std::collections::VecDeque;
use std::sync::Arc;
use tonic::transport::Channel;
use tonic::{Status, Streaming};

/// A place among a command's readers; given up when dropped, which is also how a broken connection shows.
pub struct Place {
    pub command: Arc<Command>,
    key: u64,
}

impl Place {
    /// Fails when the command has as many readers as it may.
    pub fn take(command: &Arc<Command>, cursors: [Option<u64>; 2]) -> Result<Place, Failure> {
        let mut state = command.state();
        if state.readers.len() >= bounds::READERS {
            return Err(Failure::invalid("the command has too many readers"));
        }
        let key = state.add_reader(cursors);
        drop(state);
        command.attention.notify_one();
        Ok(Place {
            command: command.clone(),
            key,
        })
    }

    /// The next message, and whether it is the last.
    pub async fn next(&self) -> Option<(ProcessUp, bool)> {
        loop {
            let news = self.command.output.notified();
            match self.command.next(self.key) {
                Next::Send(message) => return Some((message, false)),
                Next::Last(message) => return Some((message, true)),
                Next::Leave => return None,
                Next::Wait => news.await,
            }
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.command.leave(self.key);
    }
}

/// Carries the command to the relay until either is done.
pub async fn serve(mut client: AgentServiceClient<Channel>, reader_id: String, place: Place) {
    let (command, key) = (place.command.clone(), place.key);
    let opened = opened(&reader_id, &command.id, command.pid);
    let up = stream::unfold((Some(opened), Some(place)), |(opened, place)| async {
        if let Some(opened) = opened {
            return Some((opened, (None, place)));
        }
        let place = place?;
        let (message, last) = place.next().await?;
        Some((message, (None, Some(place).filter(|_| !last))))
    });
    let Ok(down) = client.process(up).await else {
        return;
    };
    if take_orders(down.into_inner(), &command, key).await.is_ok() {
        // The bytes stay: the relay has them all, but perhaps not the client behind it.
        command.detach(key);
    }
}

/// Says why there is nothing to read.
pub async fn refuse(
    mut client: AgentServiceClient<Channel>,
    reader_id: String,
    command_id: String,
    failure: Failure,
) {
    let up = [
        opened(&reader_id, &command_id, 0),
        Message::Failure(failure).into(),
    ];
    if let Ok(down) = client.process(stream::iter(up)).await {
        let mut down = down.into_inner();
        while let Ok(Some(_)) = down.message().await {}
    }
}

fn opened(reader_id: &str, command_id: &str, pid: i32) -> ProcessUp {
    Message::Opened(ProcessOpened {
        reader_id: reader_id.into(),
        command_id: command_id.into(),
        pid,
        ..ProcessOpened::default()
    })
    .into()
}

/// What the relay sends for this process. Ok: it left in order. Input for a process that does not read
/// waits here up to a bound, so that an order behind it is still seen.
async fn take_orders(
    mut down: Streaming<ProcessDown>,
    command: &Command,
    key: u64,
) -> Result<(), Status> {
    let mut waiting: VecDeque<Input> = VecDeque::new();
    let mut waiting_bytes = 0;
    loop {
        tokio::select! {
            permit = reserve(command), if !waiting.is_empty() => {
                let input = waiting.pop_front();
                match (permit, input) {
                    (Some(permit), Some(input)) => {
                        waiting_bytes -= size(&input);
                        permit.send(input);
                    }
                    // The process no longer takes input: what comes is read and dropped.
                    _ => (waiting, waiting_bytes) = (VecDeque::new(), 0),
                }
            }
            order = down.message(), if waiting_bytes < bounds::STDIN_WAITING => {
                use process_down::Message as Order;
                match order?.map(|order| order.message) {
                    None => return Ok(()),
                    Some(Some(Order::Stdin(bytes))) => {
                        waiting_bytes += bytes.len();
                        waiting.push_back(Input::Bytes(bytes));
                    }
                    Some(Some(Order::StdinEnd(true))) => waiting.push_back(Input::End),
                    Some(Some(Order::Detach(true))) => command.detach(key),
                    Some(Some(Order::Stop(true))) => command.signal(libc::SIGTERM, Some(bounds::STOP_GRACE)),
                    Some(_) => {}
                }
            }
        }
    }
}

async fn reserve(command: &Command) -> Option<tokio::sync::mpsc::Permit<'_, Input>> {
    command.stdin.as_ref()?.reserve().await.ok()
}

fn size(input: &Input) -> usize {
    match input {
        Input::Bytes(bytes) => bytes.len(),
        Input::End => 0,
    }
}
