//! A terminal from its start to its exit: reads it, writes what is typed, keeps its timers, learns its end.
use super::flood::Flood;
use super::pty::{Master, Watch};
use super::read_ahead::{Filled, ReadAhead, SLOT};
use super::{Terminal, session};
use crate::relay::wire::Exit;
use crate::{bounds, clock};
use std::cell::RefCell;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::oneshot;

thread_local! {
    /// One for all terminals: nothing is awaited while it is in use.
    static SCRATCH: RefCell<Vec<u8>> = RefCell::new(vec![0; bounds::OUTPUT_MESSAGE]);
}

struct Life {
    terminal: Arc<Terminal>,
    master: Arc<Master>,
    /// None while the thread reads: each piece would wake the loop for nothing.
    watch: Option<Watch>,
    code: Option<i32>,
    timeout_at: Option<Instant>,
    timed_out: bool,
    /// Nobody has the other end, at least for now.
    hung_up: bool,
    look_again_at: Option<Instant>,
    /// After the exit: how long more may come, and how much has.
    ends_at: Option<Instant>,
    since_exit: usize,
    dry: bool,
    flood: Flood,
    /// Who reads a long flood. While there is one, nobody else does.
    ahead: Option<ReadAhead>,
}

/// Returns when the terminal has ended, its exit set and its readers told.
pub async fn live(
    terminal: Arc<Terminal>,
    (master, watch): (Arc<Master>, Watch),
    mut exit: oneshot::Receiver<i32>,
) {
    let writer = tokio::spawn(write_input(terminal.clone(), master.clone()));
    let timeout = Some(terminal.timeout).filter(|timeout| !timeout.is_zero());
    let mut life = Life {
        timeout_at: timeout.map(|timeout| terminal.started + timeout),
        terminal: terminal.clone(),
        master,
        watch: Some(watch),
        code: None,
        timed_out: false,
        hung_up: false,
        look_again_at: None,
        ends_at: None,
        since_exit: 0,
        dry: false,
        flood: Flood::new(terminal.started),
        ahead: None,
    };
    loop {
        let now = Instant::now();
        life.tick(now);
        if life.finished(now) {
            break;
        }
        let room = life.room(now);
        let wake = life.next_wake(now);
        let waiting = life.code.is_none();
        tokio::select! {
            code = &mut exit, if waiting => life.exited(code.unwrap_or(-libc::SIGKILL)),
            () = readable(&life.watch), if room > 0 && !life.hung_up => life.read(room),
            filled = next_filled(&mut life.ahead) => life.take(filled),
            () = terminal.attention.notified() => {}
            () = sleep_until(wake) => {}
        }
    }
    writer.abort();
    life.finish();
}

async fn sleep_until(wake: Option<Instant>) {
    match wake {
        Some(at) => tokio::time::sleep_until(at.into()).await,
        None => std::future::pending().await,
    }
}

async fn readable(watch: &Option<Watch>) {
    match watch {
        Some(watch) => watch.readable().await,
        None => std::future::pending().await,
    }
}

async fn next_filled(ahead: &mut Option<ReadAhead>) -> Option<Filled> {
    match ahead {
        Some(ahead) => ahead.next().await,
        None => std::future::pending().await,
    }
}

impl Life {
    /// Does what has come due.
    fn tick(&mut self, now: Instant) {
        if self.ahead.as_ref().is_some_and(|ahead| ahead.is_done(now)) {
            self.ahead = None;
        }
        if self.ahead.is_none() && self.watch.is_none() {
            self.watch_again(now);
        }
        if self.flood.announce_at.is_some_and(|at| at <= now) {
            self.announce();
        }
        if self.look_again_at.is_some_and(|at| at <= now) {
            (self.look_again_at, self.hung_up) = (None, false);
        }
        if self.code.is_some() {
            if self.patience_over(now) && !self.hung_up && self.ahead.is_none() {
                self.read(bounds::OUTPUT_MESSAGE);
            }
            return;
        }
        if self.timeout_at.is_some_and(|at| at <= now) {
            self.timeout_at = None;
            self.timed_out = true;
            self.terminal
                .signal(libc::SIGTERM, Some(bounds::TERMINAL_GRACE));
        }
        let mut state = self.terminal.state();
        if state.kill_at.is_some_and(|at| at <= now) {
            state.kill_at = None;
            session::kill(self.terminal.pid);
        }
    }

    fn next_wake(&self, now: Instant) -> Option<Instant> {
        let state = self.terminal.state();
        let hold = state.hold_ends().filter(|at| *at > now);
        let ends = match self.code {
            None => [self.timeout_at, state.kill_at],
            Some(_) => [self.ends_at.filter(|at| *at > now), None],
        };
        let times = [
            hold,
            self.flood.announce_at,
            self.look_again_at,
            self.ahead.as_ref().and_then(ReadAhead::rest_at),
            ends[0],
            ends[1],
        ];
        times.into_iter().flatten().min()
    }

    /// How much may be read here; what may be read by the thread is ordered.
    fn room(&mut self, now: Instant) -> usize {
        let state = self.terminal.state();
        let Some(ahead) = &mut self.ahead else {
            return state.room(now, 0);
        };
        while ahead.order(state.room(now, ahead.ordered())) {}
        0
    }

    fn read(&mut self, room: usize) {
        SCRATCH.with_borrow_mut(|scratch| {
            let most = room.min(scratch.len());
            let read = match &self.watch {
                Some(watch) if !self.patience_over(Instant::now()) => {
                    watch.read(&mut scratch[..most])
                }
                // What finds nothing now ends it: the kernel's word counts, not the event loop's.
                _ => self.master.read(&mut scratch[..most]),
            };
            match read {
                None => self.nobody_there(),
                Some(0) => self.dry = true,
                Some(count) => self.push(&scratch[..count]),
            }
        });
        if self.code.is_none() && self.flood.has_become_long() {
            self.ahead = ReadAhead::start(&self.master, &SLOT);
            if self.ahead.is_some() {
                self.watch = None;
            }
        }
    }

    /// The kernel may be short of memory for it; then it is tried again.
    fn watch_again(&mut self, now: Instant) {
        self.watch = Watch::new(&self.master).ok();
        if self.watch.is_none() {
            self.look_again_at.get_or_insert(now + bounds::HUNG_UP_LOOK);
        }
    }

    /// What the thread has read; nothing, or that it is gone, means that the flood is over.
    fn take(&mut self, filled: Option<Filled>) {
        let Some((filled, mut ahead)) = filled.zip(self.ahead.take()) else {
            return;
        };
        match filled.bytes() {
            None => self.nobody_there(),
            Some(bytes) if !bytes.is_empty() => self.push(bytes),
            Some(_) => ahead.end(),
        }
        if self.hung_up || !self.flood.is_on() {
            ahead.end();
        }
        ahead.give_back(filled);
        self.ahead = Some(ahead);
    }

    fn nobody_there(&mut self) {
        self.hung_up = true;
        let again = Instant::now() + bounds::HUNG_UP_LOOK;
        self.look_again_at = self.code.is_none().then_some(again);
    }

    fn push(&mut self, bytes: &[u8]) {
        self.since_exit += bytes.len();
        let mut state = self.terminal.state();
        state.push(bytes);
        state.active_unix_millis = clock::unix_millis();
        let unannounced = state.unannounced();
        drop(state);
        if self.flood.goes_on(bytes.len(), unannounced) {
            let at = Instant::now() + bounds::FLOOD_WAIT;
            self.flood.announce_at.get_or_insert(at);
        } else {
            self.announce();
        }
    }

    fn announce(&mut self) {
        self.flood.announce_at = None;
        self.terminal.state().announce();
        self.terminal.news.notify_waiters();
    }

    /// The session's leader is gone, and the kernel hangs up on the rest: what is left can be read, but
    /// hardly anything will come.
    fn exited(&mut self, code: i32) {
        self.code = Some(code);
        (self.since_exit, self.dry, self.look_again_at) = (0, false, None);
        self.ends_at = Some(Instant::now() + bounds::PIPE_AFTER_EXIT);
        if let Some(ahead) = &mut self.ahead {
            ahead.end();
        }
        self.terminal.input().close();
        self.terminal.room.notify_waiters();
        let mut state = self.terminal.state();
        state.exited = true;
        if let Some(at) = state.kill_at.take() {
            tokio::spawn(session::kill_rest(self.terminal.pid, at));
        }
    }

    /// All that was written is read, unless somebody who is left behind keeps writing.
    fn finished(&self, now: Instant) -> bool {
        let enough = self.dry || self.since_exit > bounds::TERMINAL_AFTER_EXIT;
        let read = self.code.is_some() && self.ahead.is_none();
        read && (self.hung_up || self.patience_over(now) && enough)
    }

    fn patience_over(&self, now: Instant) -> bool {
        self.ends_at.is_some_and(|at| at <= now)
    }

    fn finish(mut self) {
        self.announce();
        *self.terminal.master.lock().unwrap() = None;
        let mut state = self.terminal.state();
        state.exit = Some(Exit {
            code: self.code.unwrap_or(0),
            timed_out: self.timed_out,
            truncated: false,
            stdout_bytes: state.end(),
            stderr_bytes: 0,
            duration_micros: self.terminal.started.elapsed().as_micros() as u64,
        });
        state.shrink();
        drop(state);
        self.terminal.news.notify_waiters();
    }
}

/// Ends with the terminal.
async fn write_input(terminal: Arc<Terminal>, master: Arc<Master>) {
    loop {
        let typed = terminal.typed.notified();
        let next = terminal.input().next();
        let Some(data) = next else {
            typed.await;
            continue;
        };
        let count = match data.is_empty() {
            true => 0,
            false => match master.write(&data).await {
                Ok(count) => count,
                Err(_) => {
                    terminal.input().close();
                    terminal.room.notify_waiters();
                    return;
                }
            },
        };
        terminal.input().wrote(count);
        terminal.state().active_unix_millis = clock::unix_millis();
        terminal.room.notify_waiters();
        terminal.news.notify_waiters();
    }
}
