//! A terminal from its start to its exit: reads it, writes what is typed, keeps its timers, learns its end.
use super::pty::Master;
use super::{Terminal, session};
use crate::wire::Exit;
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
}

/// Tells a flood, whose pieces are joined, from a few bytes that somebody waits for.
struct Flood {
    on: bool,
    since: Instant,
    bytes: usize,
    announce_at: Option<Instant>,
}

/// Returns when the terminal has ended, its exit set and its readers told.
pub async fn live(terminal: Arc<Terminal>, master: Arc<Master>, mut exit: oneshot::Receiver<i32>) {
    let writer = tokio::spawn(write_input(terminal.clone(), master.clone()));
    let timeout = Some(terminal.timeout).filter(|timeout| !timeout.is_zero());
    let mut life = Life {
        timeout_at: timeout.map(|timeout| terminal.started + timeout),
        terminal: terminal.clone(),
        master: master.clone(),
        code: None,
        timed_out: false,
        hung_up: false,
        look_again_at: None,
        ends_at: None,
        since_exit: 0,
        dry: false,
        flood: Flood {
            on: false,
            since: terminal.started,
            bytes: 0,
            announce_at: None,
        },
    };
    loop {
        let now = Instant::now();
        life.tick(now);
        if life.finished(now) {
            break;
        }
        let room = terminal.state().room(now);
        let wake = life.next_wake(now);
        let waiting = life.code.is_none();
        tokio::select! {
            code = &mut exit, if waiting => life.exited(code.unwrap_or(-libc::SIGKILL)),
            () = master.readable(), if room > 0 && !life.hung_up => life.read(room),
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

impl Life {
    /// Does what has come due.
    fn tick(&mut self, now: Instant) {
        if self.flood.announce_at.is_some_and(|at| at <= now) {
            self.announce();
        }
        if self.look_again_at.is_some_and(|at| at <= now) {
            (self.look_again_at, self.hung_up) = (None, false);
        }
        if self.code.is_some() {
            if self.ends_at.is_some_and(|at| at <= now) && !self.hung_up {
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
            ends[0],
            ends[1],
        ];
        times.into_iter().flatten().min()
    }

    fn read(&mut self, room: usize) {
        SCRATCH.with_borrow_mut(|scratch| {
            let most = room.min(scratch.len());
            match self.master.read(&mut scratch[..most]) {
                None => {
                    self.hung_up = true;
                    let again = Instant::now() + bounds::HUNG_UP_LOOK;
                    self.look_again_at = self.code.is_none().then_some(again);
                }
                Some(0) => self.dry = true,
                Some(count) => {
                    self.since_exit += count;
                    let mut state = self.terminal.state();
                    state.push(&scratch[..count]);
                    state.active_unix_millis = clock::unix_millis();
                    let unannounced = state.unannounced();
                    drop(state);
                    if self.flood.goes_on(count, unannounced) {
                        let at = Instant::now() + bounds::FLOOD_WAIT;
                        self.flood.announce_at.get_or_insert(at);
                    } else {
                        self.announce();
                    }
                }
            }
        });
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
        let patience_over = self.ends_at.is_some_and(|at| at <= now);
        let enough = self.dry || self.since_exit > bounds::TERMINAL_AFTER_EXIT;
        self.code.is_some() && (self.hung_up || patience_over && enough)
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

impl Flood {
    /// Whether this piece should wait for more.
    fn goes_on(&mut self, count: usize, unannounced: u64) -> bool {
        let now = Instant::now();
        let elapsed = now - self.since;
        if elapsed > bounds::FLOOD_TIME {
            self.on = self.bytes >= bounds::FLOOD_BYTES && elapsed < 2 * bounds::FLOOD_TIME;
            (self.since, self.bytes) = (now, 0);
        }
        self.bytes += count;
        self.on |= self.bytes >= bounds::FLOOD_BYTES;
        self.on && unannounced < bounds::FLOOD_MESSAGE
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
