//! One who looks at a terminal, and perhaps drives it: a gRPC stream that draws from the ring at its own
//! pace and takes what is typed.
use super::Terminal;
use super::state::View;
use crate::bounds;
use crate::command::state::Next;
use crate::relay::wire::agent_service_client::AgentServiceClient;
use crate::relay::wire::{
    Failure, ProcessDown, ProcessOpened, ProcessUp, process_down::Message as Order,
    process_up::Message,
};
use futures_util::stream;
use std::sync::{Arc, Mutex};
use tonic::transport::Channel;
use tonic::{Status, Streaming};

/// A place among a terminal's readers; given up when dropped, which is also how a broken connection shows.
pub struct Place {
    terminal: Arc<Terminal>,
    key: u64,
    driver: bool,
    source: String,
    opened: ProcessOpened,
    /// Why the stream has to end, said as its last word.
    failed: Arc<Mutex<Option<Failure>>>,
}

impl Place {
    /// Fails when the terminal has as many readers as it may.
    pub fn take(terminal: &Arc<Terminal>, view: View) -> Result<Place, Failure> {
        let written = terminal.input().written(&view.source);
        let (driver, source) = (view.driver, view.source.clone());
        let mut state = terminal.state();
        if state.readers() >= bounds::TERMINAL_READERS {
            return Err(Failure::invalid("the terminal has too many readers"));
        }
        let (key, opened) = state.add_reader(view, written);
        drop(state);
        terminal.attention.notify_one();
        Ok(Place {
            terminal: terminal.clone(),
            key,
            driver,
            source,
            opened,
            failed: Arc::default(),
        })
    }

    pub fn key(&self) -> u64 {
        self.key
    }

    /// The terminal as it was when the place was taken.
    pub fn facts(&self) -> &ProcessOpened {
        &self.opened
    }

    fn opened(&self, reader_id: &str) -> ProcessUp {
        Message::Opened(ProcessOpened {
            reader_id: reader_id.into(),
            command_id: self.terminal.id.clone(),
            pid: self.terminal.pid,
            ..self.opened.clone()
        })
        .into()
    }

    /// The next message, and whether it is the last.
    async fn next(&self) -> Option<(ProcessUp, bool)> {
        loop {
            let news = self.terminal.news.notified();
            if let Some(failure) = self.failed.lock().unwrap().take() {
                return Some((Message::Failure(failure).into(), true));
            }
            match self.terminal.next(self.key) {
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
        self.terminal.state().leave(self.key, self.terminal.hold);
        self.terminal.attention.notify_one();
    }
}

/// Carries the terminal to the relay until either is done.
pub async fn serve(mut client: AgentServiceClient<Channel>, reader_id: String, place: Place) {
    let desk = Desk {
        terminal: place.terminal.clone(),
        key: place.key,
        driver: place.driver,
        source: place.source.clone(),
    };
    let failed = place.failed.clone();
    let opened = place.opened(&reader_id);
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
    let mut down = down.into_inner();
    match desk.take_orders(&mut down).await {
        Ok(None) => desk.terminal.state().detach(desk.key),
        Ok(Some(failure)) => *failed.lock().unwrap() = Some(failure),
        // The connection is broken, and with it the stream.
        Err(_) => return,
    }
    desk.terminal.news.notify_waiters();
    while let Ok(Some(_)) = down.message().await {}
}

/// Where the orders of one reader are taken.
struct Desk {
    terminal: Arc<Terminal>,
    key: u64,
    driver: bool,
    source: String,
}

impl Desk {
    /// Ok(None): the relay left in order. Ok(Some): it sent what cannot be. While too much input waits,
    /// the stream is held back; resizing and signals then go by another reader, killing by Kill.
    async fn take_orders(
        &self,
        down: &mut Streaming<ProcessDown>,
    ) -> Result<Option<Failure>, Status> {
        loop {
            self.wait_for_room().await;
            let Some(order) = down.message().await? else {
                return Ok(None);
            };
            let Some(order) = order.message else {
                continue;
            };
            if let Err(failure) = self.obey(order) {
                return Ok(Some(failure));
            }
        }
    }

    fn obey(&self, order: Order) -> Result<(), Failure> {
        let terminal = &self.terminal;
        match order {
            Order::Input(input) if self.driver => terminal.take_input(&self.source, input),
            Order::Input(_) => Err(Failure::invalid("this reader may only look")),
            Order::Resize(size) => terminal.resize(size.columns, size.rows),
            Order::Signal(signal) => terminal.signal_foreground(signal),
            Order::Stop(true) => {
                terminal.signal(libc::SIGTERM, Some(bounds::TERMINAL_GRACE));
                Ok(())
            }
            Order::Detach(true) => {
                terminal.state().detach(self.key);
                terminal.news.notify_waiters();
                Ok(())
            }
            Order::Stdin(_) | Order::StdinEnd(_) => {
                Err(Failure::invalid("a terminal takes input, not stdin"))
            }
            Order::Sealed(_) => Err(Failure::invalid("this terminal is not sealed")),
            Order::Detach(false) | Order::Stop(false) => Ok(()),
        }
    }

    async fn wait_for_room(&self) {
        loop {
            let room = self.terminal.room.notified();
            if self.terminal.input().has_room() {
                return;
            }
            room.await;
        }
    }
}
