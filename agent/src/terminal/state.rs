//! A terminal's output and those who look at it, and the rules between them.
use super::pty::Size;
use super::screen::Screen;
use crate::bounds;
use crate::command::ring::Ring;
use crate::command::state::Next;
use crate::relay::wire::{
    self, Exit, Gap, Output, ProcessOpened, Resized, Stream, process_up::Message,
};
use std::time::{Duration, Instant};

pub struct State {
    ring: Ring,
    /// Readers see the output before this: the rest waits to be joined with more.
    announced: u64,
    /// Made when it is first needed: a short session's ring is its picture's whole story.
    screen: Option<Screen>,
    pub size: Size,
    readers: Vec<Reader>,
    next_key: u64,
    /// Where the last driver was when it left, and how long the ring waits for it.
    left: Option<(u64, Instant)>,
    pub exit: Option<Exit>,
    /// The process has exited; its output may not be complete yet.
    pub exited: bool,
    pub kill_at: Option<Instant>,
    pub active_unix_millis: i64,
}

/// How somebody wants to look.
pub struct View {
    /// None: no output at all.
    pub cursor: Option<u64>,
    pub driver: bool,
    pub screen: bool,
    pub source: String,
}

struct Reader {
    key: u64,
    view: View,
    /// What it was told last.
    size: Size,
    applied: u64,
    detached: bool,
}

impl State {
    pub fn new(ring_bytes: usize, size: Size) -> State {
        State {
            ring: Ring::new(ring_bytes.max(bounds::SMALLEST_TERMINAL_RING)),
            announced: 0,
            screen: None,
            size,
            readers: Vec::new(),
            next_key: 0,
            left: None,
            exit: None,
            exited: false,
            kill_at: None,
            active_unix_millis: crate::clock::unix_millis(),
        }
    }

    pub fn end(&self) -> u64 {
        self.ring.end()
    }

    pub fn readers(&self) -> usize {
        self.readers.len()
    }

    pub fn has_driver(&self) -> bool {
        self.readers.iter().any(|r| r.view.driver && !r.detached)
    }

    /// `applied`: the last input of the reader's source that was written, which it is told on opening.
    pub fn add_reader(&mut self, view: View, applied: u64) -> (u64, ProcessOpened) {
        if view.driver && view.cursor.is_some() {
            self.left = None;
        }
        self.next_key += 1;
        self.readers.push(Reader {
            key: self.next_key,
            view,
            size: self.size,
            applied,
            detached: false,
        });
        let opened = ProcessOpened {
            first_offset: self.ring.start(),
            next_offset: self.ring.end(),
            columns: self.size.columns.into(),
            rows: self.size.rows.into(),
            input_sequence: applied,
            ..ProcessOpened::default()
        };
        (self.next_key, opened)
    }

    /// How much may be read from the terminal now: while somebody drives it, or did a while ago, no more
    /// than that one can still be given. `ordered`: what is being read already.
    pub fn room(&self, now: Instant, ordered: usize) -> usize {
        // So that the screen model sees each piece before it leaves the ring.
        let most = (self.ring.limit() / 16).min(bounds::OUTPUT_MESSAGE);
        let ahead = bounds::TERMINAL_AHEAD.min(self.ring.limit() as u64 / 4);
        match self.held_at(now) {
            // The little that is left after the exit fits into the ring beside what waits.
            _ if self.exited => most,
            None => most,
            Some(cursor) => {
                let waiting = self.ring.end() - cursor.max(self.ring.start());
                most.min(ahead.saturating_sub(waiting + ordered as u64) as usize)
            }
        }
    }

    fn held_at(&self, now: Instant) -> Option<u64> {
        let drivers = self.readers.iter().filter(|r| r.view.driver);
        let slowest = drivers.filter_map(|driver| driver.view.cursor).min();
        slowest.or(self.left.filter(|left| left.1 > now).map(|left| left.0))
    }

    /// When a hold runs out by itself.
    pub fn hold_ends(&self) -> Option<Instant> {
        self.left.map(|left| left.1)
    }

    pub fn push(&mut self, data: &[u8]) {
        self.ring.push(data);
        let late = self.ring.end() >= self.ring.limit() as u64 / 2;
        if late || self.screen.is_some() {
            let screen = self.screen.get_or_insert_with(|| Screen::new(self.size));
            screen.keep_up(&self.ring);
        }
    }

    pub fn announce(&mut self) {
        self.announced = self.ring.end();
    }

    pub fn unannounced(&self) -> u64 {
        self.ring.end() - self.announced
    }

    pub fn resize(&mut self, size: Size) {
        // Before the first output there is no picture to be changed.
        if self.ring.end() > 0 {
            self.screen().resize(size);
        }
        self.size = size;
    }

    /// The screen model, up to date.
    fn screen(&mut self) -> &mut Screen {
        let screen = self.screen.get_or_insert_with(|| Screen::new(self.size));
        screen.catch_up(&self.ring);
        screen
    }

    /// What this reader should send, its cursor moved past it. `applied`: as for add_reader.
    pub fn next(&mut self, key: u64, applied: impl Fn(&str) -> u64) -> Next {
        let Some(index) = self.readers.iter().position(|r| r.key == key) else {
            return Next::Leave;
        };
        if self.readers[index].detached {
            return Next::Leave;
        }
        if self.readers[index].view.screen {
            return Next::Send(self.draw_for(index).into());
        }
        let (size, announced) = (self.size, self.announced);
        let reader = &mut self.readers[index];
        if reader.size != size {
            reader.size = size;
            return Next::Send(
                Message::Resized(Resized {
                    columns: size.columns.into(),
                    rows: size.rows.into(),
                })
                .into(),
            );
        }
        let sequence = applied(&reader.view.source);
        if reader.view.driver && reader.applied < sequence {
            reader.applied = sequence;
            return Next::Send(Message::InputApplied(wire::InputApplied { sequence }).into());
        }
        if let Some(message) = output(&self.ring, &mut reader.view.cursor, announced) {
            return Next::Send(message.into());
        }
        match &self.exit {
            Some(exit) => Next::Last(Message::Exit(*exit).into()),
            None => Next::Wait,
        }
    }

    fn draw_for(&mut self, index: usize) -> Message {
        let screen = self.screen();
        let (offset, data) = (screen.offset(), screen.draw());
        let reader = &mut self.readers[index];
        reader.view.screen = false;
        reader.view.cursor = reader.view.cursor.map(|_| offset);
        reader.size = self.size;
        Message::Screen(wire::Screen {
            offset,
            data: data.into(),
            columns: self.size.columns.into(),
            rows: self.size.rows.into(),
        })
    }

    /// The reader's stream should end.
    pub fn detach(&mut self, key: u64) {
        if let Some(reader) = self.readers.iter_mut().find(|r| r.key == key) {
            reader.detached = true;
        }
    }

    /// The reader is gone, in order or not: either way its person may come back.
    pub fn leave(&mut self, key: u64, hold: Duration) {
        let Some(index) = self.readers.iter().position(|r| r.key == key) else {
            return;
        };
        let reader = self.readers.swap_remove(index);
        if let Some(cursor) = reader.view.cursor.filter(|_| reader.view.driver) {
            self.left = Some((cursor, Instant::now() + hold));
        }
    }

    pub fn kept_bytes(&self) -> usize {
        self.ring.len()
    }

    pub fn shrink(&mut self) {
        self.ring.shrink();
    }

    pub fn release(&mut self) {
        self.screen();
        self.ring.release();
    }
}

fn output(ring: &Ring, cursor: &mut Option<u64>, announced: u64) -> Option<Message> {
    let cursor = cursor.as_mut()?;
    let from = *cursor;
    let stream = Stream::Stdout as i32;
    if from < ring.start() {
        *cursor = ring.start();
        return Some(Message::Gap(Gap {
            stream,
            from,
            to: ring.start(),
        }));
    }
    let most = announced
        .saturating_sub(from)
        .min(bounds::OUTPUT_MESSAGE as u64);
    (most > 0).then(|| {
        *cursor += most;
        Message::Output(Output {
            stream,
            offset: from,
            data: ring.read(from, most as usize).into(),
        })
    })
}
