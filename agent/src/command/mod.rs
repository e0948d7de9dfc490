//! Commands: processes with pipes. Their table, their lives, their output and the readers of it.
//!
//! `commands.rs` holds all processes by id, terminals too (`process.rs`). A command is shared by its own task
//! (`life.rs`), which fills its rings, and by its readers (`reader.rs`), which carry them to the relay.
pub mod commands;
mod life;
pub mod pipes;
pub mod process;
pub mod reader;
pub mod ring;
pub mod start_command;
pub mod state;

use crate::bounds;
use crate::relay::wire::{Attach, CommandInfo, Failure};
use reader::Place;
use state::{Next, State};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, mpsc};

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

impl Command {
    pub fn new(
        run: &crate::relay::wire::Run,
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

    /// One more reader, from the offsets that it asks for.
    pub fn attach(self: &Arc<Self>, attach: &Attach) -> Result<Place, Failure> {
        let state = self.state();
        let cursor = |stream: usize, wanted: bool, offset: u64| match wanted {
            true if offset > state.rings[stream].end() => {
                Err(Failure::invalid("the offset lies past the output's end"))
            }
            true => Ok(Some(offset)),
            false => Ok(None),
        };
        let cursors = [
            cursor(0, attach.stdout, attach.stdout_offset)?,
            cursor(1, attach.stderr, attach.stderr_offset)?,
        ];
        drop(state);
        Place::take(self, cursors)
    }

    pub fn info(&self) -> CommandInfo {
        let state = self.state();
        CommandInfo {
            command_id: self.id.clone(),
            command: self.text.clone(),
            pid: self.pid,
            background: self.background,
            started_unix_millis: self.started_unix_millis,
            running: state.exit.is_none(),
            exit_code: state.exit.as_ref().map_or(0, |exit| exit.code),
            stdout_bytes: state.rings[0].end(),
            stderr_bytes: state.rings[1].end(),
            ..CommandInfo::default()
        }
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
        self.state().detach(key, self.background);
        self.output.notify_waiters();
        self.attention.notify_one();
    }

    /// The reader is gone, for whatever reason; it may come back on another connection.
    pub fn leave(&self, key: u64) {
        self.state().leave(key, self.hold);
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
