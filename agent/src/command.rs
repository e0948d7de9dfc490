//! One command: its output, its readers, and the rules between them.
use crate::bounds;
use crate::ring::Ring;
use crate::wire::{Exit, Gap, Output, ProcessUp, Stream, process_up::Message};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, mpsc};

/// Stdout and stderr, as indices.
pub const STREAMS: [Stream; 2] = [Stream::Stdout, Stream::Stderr];

pub struct Command {
    pub id: String,
    pub text: String,
    pub pid: libc::pid_t,
    pub background: bool,
    /// How long it outlives its last reader when it runs in the foreground.
    pub linger: Duration,
    /// How long a full ring waits for a reader that was lost.
    pub hold: Duration,
    pub started: Instant,
    pub started_unix_millis: i64,
    pub stdin: Option<mpsc::Sender<Input>>,
    state: Mutex<State>,
    /// Told when there is something new for readers.
    pub output: Notify,
    /// Told when the command's own task has something to look at.
    pub attention: Notify,
}

pub enum Input {
    Bytes(bytes::Bytes),
    End,
}

pub struct State {
    pub rings: [Ring; 2],
    pub exit: Option<Exit>,
    pub truncated: bool,
    /// Bytes that may still be kept.
    pub allowance: u64,
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
                0 => u64::MAX,
                cap => cap,
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
        let kept = data
            .len()
            .min(self.allowance.min(usize::MAX as u64) as usize);
        if self.allowance != u64::MAX {
            self.allowance -= kept as u64;
        }
        self.truncated |= kept < data.len();
        self.rings[stream].push(&data[..kept]);
    }

    fn next(&mut self, key: u64) -> Next {
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

    pub fn kept_bytes(&self) -> usize {
        self.rings.iter().map(Ring::len).sum()
    }

    pub fn release(&mut self) {
        self.rings.iter_mut().for_each(Ring::release);
    }
}

impl Command {
    #[allow(clippy::too_many_arguments)]
    pub fn new(
        run: &crate::wire::Run,
        pid: libc::pid_t,
        stdin: Option<mpsc::Sender<Input>>,
        limits: &crate::config::Limits,
    ) -> Command {
        Command {
            id: run.command_id.clone(),
            text: crate::launch::describe(run),
            pid,
            background: run.background,
            linger: Duration::from_millis(run.linger_millis).min(bounds::LONGEST_TIMER),
            hold: limits.hold(),
            started: Instant::now(),
            started_unix_millis: crate::clock::unix_millis(),
            stdin,
            state: Mutex::new(State::new(limits.ring_bytes, run.max_output_bytes)),
            output: Notify::new(),
            attention: Notify::new(),
        }
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    pub fn next(&self, key: u64) -> Next {
        let mut state = self.state();
        let next = state.next(key);
        drop(state);
        if matches!(next, Next::Send(_)) {
            self.attention.notify_one();
        }
        next
    }

    /// The reader asked to leave: its stream ends, and nothing waits for it to come back.
    pub fn detach(&self, key: u64) {
        let mut state = self.state();
        if let Some(reader) = state.readers.iter_mut().find(|r| r.key == key) {
            reader.detached = true;
        }
        if self.background && state.holder.as_ref().is_some_and(|h| h.key == key) {
            state.holder = None;
        }
        drop(state);
        self.output.notify_waiters();
        self.attention.notify_one();
    }

    /// The reader is gone, for whatever reason; it may come back on another connection.
    pub fn leave(&self, key: u64) {
        let mut state = self.state();
        state.readers.retain(|r| r.key != key);
        if state.readers.is_empty() {
            state.without_readers_since = Instant::now();
        }
        if let Some(holder) = state.holder.as_mut().filter(|h| h.key == key) {
            holder.until = Some(Instant::now() + self.hold);
        }
        drop(state);
        self.attention.notify_one();
    }

    /// Sends a signal to the whole group. KILL follows after the grace.
    pub fn signal(&self, signal: i32, grace: Option<Duration>) {
        let mut state = self.state();
        if state.exited {
            return;
        }
        kill_group(self.pid, signal);
        if let Some(grace) = grace {
            let at = Instant::now() + grace.min(bounds::LONGEST_TIMER);
            state.kill_at = Some(state.kill_at.map_or(at, |earlier| earlier.min(at)));
            drop(state);
            self.attention.notify_one();
        }
    }
}

pub fn kill_group(pid: libc::pid_t, signal: i32) {
    unsafe { libc::kill(-pid, signal) };
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
        assert!(!state.truncated);
        state.push(1, &[1; 6]);
        state.push(0, &[1; 6]);
        assert!(state.truncated);
        assert_eq!((state.rings[0].end(), state.rings[1].end()), (6, 4));
    }
}
