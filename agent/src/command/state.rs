//! A command's output and its readers, and the rules between them.
use super::ring::Ring;
use crate::bounds;
use crate::relay::wire::{Exit, Gap, Output, ProcessUp, Stream, process_up::Message};
use std::time::{Duration, Instant};

/// Stdout and stderr, as indices.
pub const STREAMS: [Stream; 2] = [Stream::Stdout, Stream::Stderr];

pub struct State {
    pub rings: [Ring; 2],
    pub exit: Option<Exit>,
    pub truncated: bool,
    /// Bytes that may still be kept of each stream.
    pub allowance: [u64; 2],
    pub readers: Vec<ReaderState>,
    /// The cursors that hold the process back, and until when if their reader has left.
    holder: Option<Holder>,
    pub without_readers_since: Instant,
    /// KILL follows then.
    pub kill_at: Option<Instant>,
    /// The process has exited; its output may not be complete yet.
    pub exited: bool,
    next_key: u64,
}

pub struct ReaderState {
    key: u64,
    cursors: [Option<u64>; 2],
    detached: bool,
    /// So that a flood on one stream does not starve the other.
    turn: usize,
}

struct Holder {
    key: u64,
    cursors: [Option<u64>; 2],
    until: Option<Instant>,
}

/// What a reader should do next.
pub enum Next {
    Send(ProcessUp),
    Last(ProcessUp),
    Wait,
    Leave,
}

impl State {
    pub fn new(ring_bytes: usize, max_output_bytes: u64) -> State {
        State {
            rings: [Ring::new(ring_bytes), Ring::new(ring_bytes)],
            exit: None,
            truncated: false,
            allowance: match max_output_bytes {
                0 => [u64::MAX; 2],
                cap => [cap; 2],
            },
            readers: Vec::new(),
            holder: None,
            without_readers_since: Instant::now(),
            kill_at: None,
            exited: false,
            next_key: 0,
        }
    }

    /// A reader from the given offsets. Whoever reads first holds the process back; later ones watch.
    pub fn add_reader(&mut self, cursors: [Option<u64>; 2]) -> u64 {
        self.next_key += 1;
        let key = self.next_key;
        if self.holder.as_ref().is_none_or(|h| h.until.is_some()) {
            self.holder = Some(Holder {
                key,
                cursors,
                until: None,
            });
        }
        self.readers.push(ReaderState {
            key,
            cursors,
            detached: false,
            turn: 0,
        });
        key
    }

    /// How many bytes of a stream may be read from the process now.
    pub fn room(&self, stream: usize, now: Instant) -> usize {
        let ring = &self.rings[stream];
        match self.held_at(stream, now) {
            None => usize::MAX,
            Some(cursor) => {
                let share = ring.limit() - bounds::IN_FLIGHT.min(ring.limit() / 2);
                share.saturating_sub((ring.end() - cursor.max(ring.start())) as usize)
            }
        }
    }

    fn held_at(&self, stream: usize, now: Instant) -> Option<u64> {
        let holder = self.holder.as_ref()?;
        match holder.until {
            Some(until) if until <= now => None,
            _ => holder.cursors[stream],
        }
    }

    /// When a hold runs out by itself.
    pub fn hold_ends(&self) -> Option<Instant> {
        self.holder.as_ref()?.until
    }

    /// Takes in what the process wrote, as far as the output cap allows.
    pub fn push(&mut self, stream: usize, data: &[u8]) {
        let allowance = &mut self.allowance[stream];
        let kept = data
            .len()
            .min(usize::try_from(*allowance).unwrap_or(usize::MAX));
        if *allowance != u64::MAX {
            *allowance -= kept as u64;
        }
        self.truncated |= kept < data.len();
        self.rings[stream].push(&data[..kept]);
    }

    /// What this reader should send, its cursors moved past it.
    pub fn next(&mut self, key: u64) -> Next {
        let Some(reader) = self.readers.iter_mut().find(|r| r.key == key) else {
            return Next::Leave;
        };
        if reader.detached {
            return Next::Leave;
        }
        for stream in [reader.turn, 1 - reader.turn] {
            let (ring, name) = (&self.rings[stream], STREAMS[stream] as i32);
            let Some(cursor) = &mut reader.cursors[stream] else {
                continue;
            };
            let from = *cursor;
            let message = if from < ring.start() {
                *cursor = ring.start();
                Message::Gap(Gap {
                    stream: name,
                    from,
                    to: *cursor,
                })
            } else if from < ring.end() {
                let data = ring.read(from, bounds::OUTPUT_MESSAGE);
                *cursor += data.len() as u64;
                Message::Output(Output {
                    stream: name,
                    offset: from,
                    data: data.into(),
                })
            } else {
                continue;
            };
            reader.turn = 1 - stream;
            if let Some(holder) = self.holder.as_mut().filter(|h| h.key == key) {
                holder.cursors = reader.cursors;
            }
            return Next::Send(message.into());
        }
        match &self.exit {
            Some(exit) => Next::Last(Message::Exit(*exit).into()),
            None => Next::Wait,
        }
    }

    /// The reader asked to leave. What runs in the background then waits for nobody.
    pub fn detach(&mut self, key: u64, background: bool) {
        if let Some(reader) = self.readers.iter_mut().find(|r| r.key == key) {
            reader.detached = true;
        }
        if background && self.holder.as_ref().is_some_and(|h| h.key == key) {
            self.holder = None;
        }
    }

    /// The reader is gone. If it held the process back, that goes on for a while.
    pub fn leave(&mut self, key: u64, hold: Duration) {
        self.readers.retain(|r| r.key != key);
        if self.readers.is_empty() {
            self.without_readers_since = Instant::now();
        }
        if let Some(holder) = self.holder.as_mut().filter(|h| h.key == key) {
            holder.until = Some(Instant::now() + hold);
        }
    }

    pub fn kept_bytes(&self) -> usize {
        self.rings.iter().map(Ring::len).sum()
    }

    pub fn release(&mut self) {
        self.rings.iter_mut().for_each(Ring::release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_reader_holds_the_process_back() {
        let now = Instant::now();
        let mut state = State::new(1000, 0);
        let first = state.add_reader([Some(0); 2]);
        state.add_reader([Some(0); 2]);
        assert_eq!(state.room(0, now), 500);
        state.push(0, &[1; 500]);
        assert_eq!(state.room(0, now), 0);
        assert_eq!(state.room(1, now), 500);
        assert!(matches!(state.next(first), Next::Send(_)));
        assert_eq!(state.room(0, now), 500);
    }

    #[test]
    fn a_viewer_that_falls_behind_is_told_what_it_missed() {
        let mut state = State::new(100, 0);
        state.add_reader([Some(0); 2]);
        let viewer = state.add_reader([Some(0), None]);
        state.push(0, &[7; 250]);
        let Next::Send(gap) = state.next(viewer) else {
            panic!("nothing to send")
        };
        let Some(Message::Gap(gap)) = gap.message else {
            panic!("no gap")
        };
        assert_eq!((gap.from, gap.to), (0, 150));
    }

    #[test]
    fn output_past_the_cap_is_dropped_and_said_so() {
        let mut state = State::new(1000, 10);
        state.push(0, &[1; 6]);
        state.push(1, &[1; 6]);
        assert!(!state.truncated);
        state.push(0, &[1; 6]);
        assert!(state.truncated);
        assert_eq!((state.rings[0].end(), state.rings[1].end()), (10, 6));
    }
}
