//! A sealed terminal's stream: carries the talk between a client and us, and takes no clear word.
use super::Terminal;
use super::sealed::Talk;
use crate::bounds;
use crate::command::state::Next;
use crate::relay::wire::agent_service_client::AgentServiceClient;
use crate::relay::wire::{
    Failure, ProcessDown, ProcessOpened, ProcessUp, process_down::Message as Order,
    process_up::Message,
};
use futures_util::stream;
use std::sync::Arc;
use tonic::transport::Channel;
use tonic::{Status, Streaming};

pub struct SealedPlace(Arc<Talk>);

impl SealedPlace {
    pub fn new(terminal: &Arc<Terminal>, may_drive: bool) -> SealedPlace {
        SealedPlace(Arc::new(Talk::new(terminal, may_drive)))
    }
}

/// Carries the talk to the relay until either is done.
pub async fn serve(mut client: AgentServiceClient<Channel>, reader_id: String, place: SealedPlace) {
    let SealedPlace(talk) = place;
    let opened = opened(&talk, &reader_id);
    let up = stream::unfold((Some(opened), Some(talk.clone())), |(opened, talk)| async {
        if let Some(opened) = opened {
            return Some((opened, (None, talk)));
        }
        let talk = talk?;
        let (message, last) = next(&talk).await?;
        Some((message, (None, Some(talk).filter(|_| !last))))
    });
    let Ok(down) = client.process(up).await else {
        return talk.leave();
    };
    let mut down = down.into_inner();
    match take_orders(&talk, &mut down).await {
        Ok(None) | Err(_) => talk.leave(),
        Ok(Some(failure)) => {
            talk.fail(failure);
            while let Ok(Some(_)) = down.message().await {}
        }
    }
}

fn opened(talk: &Talk, reader_id: &str) -> ProcessUp {
    let terminal = &talk.terminal;
    Message::Opened(ProcessOpened {
        reader_id: reader_id.into(),
        command_id: terminal.id.clone(),
        pid: terminal.pid,
        host_key: terminal.door().host.public.to_vec().into(),
        ..ProcessOpened::default()
    })
    .into()
}

async fn next(talk: &Talk) -> Option<(ProcessUp, bool)> {
    loop {
        let news = talk.terminal.news.notified();
        match talk.next() {
            Next::Send(message) => return Some((message, false)),
            Next::Last(message) => return Some((message, true)),
            Next::Leave => return None,
            Next::Wait => news.await,
        }
    }
}

/// Ok(None): the relay left in order. Ok(Some): something was said that cannot be.
async fn take_orders(
    talk: &Talk,
    down: &mut Streaming<ProcessDown>,
) -> Result<Option<Failure>, Status> {
    loop {
        wait_for_room(&talk.terminal).await;
        let Some(order) = down.message().await? else {
            return Ok(None);
        };
        let heard = match order.message {
            Some(Order::Sealed(message)) => {
                let heard = talk.hear(&message);
                talk.terminal.news.notify_waiters();
                heard
            }
            // Whoever holds the sandbox can end what runs in it, by Kill as well.
            Some(Order::Stop(true)) => {
                talk.terminal
                    .signal(libc::SIGTERM, Some(bounds::TERMINAL_GRACE));
                Ok(())
            }
            Some(Order::Detach(true)) => {
                talk.leave();
                Ok(())
            }
            Some(Order::Stop(false) | Order::Detach(false)) | None => Ok(()),
            Some(_) => Err(Failure::invalid(
                "this terminal is sealed and takes no clear message",
            )),
        };
        if let Err(failure) = heard {
            return Ok(Some(failure));
        }
    }
}

async fn wait_for_room(terminal: &Terminal) {
    loop {
        let room = terminal.room.notified();
        if terminal.input().has_room() {
            return;
        }
        room.await;
    }
}
