//! Records a sealed terminal for its owner: a viewer inside, whose stream to the relay holds nothing that
//! the relay can read.
use super::Terminal;
use super::reader::Place as Seat;
use super::state::View;
use crate::command::state::Next;
use crate::relay::wire::agent_service_client::AgentServiceClient;
use crate::relay::wire::{Failure, ProcessOpened, ProcessUp, RecordingPart, process_up::Message};
use crate::sealed::{Asciicast, Door, Key, Segment};
use crate::{bounds, clock};
use futures_util::stream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tonic::transport::Channel;

pub struct Recorder {
    terminal: Arc<Terminal>,
    seat: Seat,
    from: u64,
    /// None until the owner is known.
    segment: Option<Segment>,
    cast: Asciicast,
    next: u64,
    /// The relay has seen enough.
    left: Arc<AtomicBool>,
}

impl Recorder {
    pub fn new(terminal: &Arc<Terminal>, from: u64) -> Result<Recorder, Failure> {
        let view = View {
            cursor: Some(from),
            driver: false,
            screen: false,
            source: String::new(),
        };
        if from > terminal.state().end() {
            return Err(Failure::invalid("the offset lies past the output's end"));
        }
        let seat = Seat::take(terminal, view)?;
        Ok(Recorder {
            cast: Asciicast::new(terminal.door().recorded(terminal.started)),
            terminal: terminal.clone(),
            seat,
            from,
            segment: None,
            next: from,
            left: Arc::default(),
        })
    }

    fn opened(&self, reader_id: &str) -> ProcessUp {
        Message::Opened(ProcessOpened {
            reader_id: reader_id.into(),
            command_id: self.terminal.id.clone(),
            pid: self.terminal.pid,
            host_key: self.terminal.door().host.public.to_vec().into(),
            ..ProcessOpened::default()
        })
        .into()
    }

    /// The next message, and whether it is the last.
    async fn next(&mut self) -> Option<(ProcessUp, bool)> {
        loop {
            let terminal = self.terminal.clone();
            let news = terminal.news.notified();
            if self.left.load(Ordering::Relaxed) {
                return None;
            }
            let owner = terminal.door().keys().owner();
            let Some(owner) = owner else {
                // Who never had an owner showed nothing to anybody.
                if terminal.state().exit.is_some() {
                    return None;
                }
                news.await;
                continue;
            };
            if self.segment.is_none() {
                return Some(match self.begin(&owner) {
                    Ok(data) => (self.part(data, false), false),
                    Err(failure) => (Message::Failure(failure).into(), true),
                });
            }
            match terminal.next(self.seat.key()) {
                Next::Send(message) | Next::Last(message) => {
                    if let Some(part) = self.take(message.message?) {
                        return Some(part);
                    }
                }
                Next::Leave => return None,
                Next::Wait => news.await,
            }
        }
    }

    fn begin(&mut self, owner: &Key) -> Result<Vec<u8>, Failure> {
        let door: &Door = self.terminal.door();
        let begun = Segment::begin(&door.host, owner, &self.terminal.id, self.from);
        let (mut segment, mut data) =
            begun.map_err(|e| Failure::invalid(format!("it cannot be sealed: {e}")))?;
        if self.from == 0 {
            let size = self.seat.facts();
            let header = Asciicast::header(size.columns, size.rows, clock::unix_millis() / 1000);
            data.extend(segment.seal(0, &header));
        }
        self.segment = Some(segment);
        Ok(data)
    }

    fn take(&mut self, message: Message) -> Option<(ProcessUp, bool)> {
        match message {
            Message::Output(output) => {
                let mut data = Vec::new();
                for piece in output.data.chunks(bounds::RECORDED_OUTPUT) {
                    self.next += piece.len() as u64;
                    let text = self.cast.output(piece);
                    data.extend(self.seal(&text));
                }
                Some((self.part(data, false), false))
            }
            Message::Gap(gap) => {
                self.next = gap.to;
                let text = self
                    .cast
                    .marker(&format!("{} bytes are missing", gap.to - gap.from));
                let data = self.seal(&text);
                Some((self.part(data, false), false))
            }
            Message::Resized(size) => {
                let text = self.cast.resized(size.columns, size.rows);
                let data = self.seal(&text);
                Some((self.part(data, false), false))
            }
            Message::Exit(exit) => {
                let text = self.cast.exit(exit.code);
                let data = self.seal(&text);
                Some((self.part(data, true), true))
            }
            _ => None,
        }
    }

    fn seal(&mut self, text: &str) -> Vec<u8> {
        self.terminal.door().note_recorded(self.cast.last());
        let next = self.next - self.cast.cut();
        match &mut self.segment {
            Some(segment) => segment.seal(next, text),
            None => Vec::new(),
        }
    }

    fn part(&self, data: Vec<u8>, complete: bool) -> ProcessUp {
        Message::RecordingPart(RecordingPart {
            data: data.into(),
            next_offset: self.next - self.cast.cut(),
            complete,
        })
        .into()
    }
}

/// Carries the recording to the relay until either is done.
pub async fn serve(mut client: AgentServiceClient<Channel>, reader_id: String, place: Recorder) {
    let opened = place.opened(&reader_id);
    let (left, terminal) = (place.left.clone(), place.terminal.clone());
    let up = stream::unfold((Some(opened), Some(place)), |(opened, place)| async {
        if let Some(opened) = opened {
            return Some((opened, (None, place)));
        }
        let mut place = place?;
        let (message, last) = place.next().await?;
        Some((message, (None, Some(place).filter(|_| !last))))
    });
    if let Ok(down) = client.process(up).await {
        let mut down = down.into_inner();
        // Whatever the relay says to a recorder, it means that it leaves.
        let _ = down.message().await;
        left.store(true, Ordering::Relaxed);
        terminal.news.notify_waiters();
        while let Ok(Some(_)) = down.message().await {}
    }
}
