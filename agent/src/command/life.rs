//! A command from its start to its exit: reads its pipes, keeps its timers, learns its end.
use super::{Command, kill_group};
use crate::bounds;
use crate::relay::wire::Exit;
use std::cell::RefCell;
use std::os::fd::AsRawFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tokio::net::unix::pipe::Receiver;
use tokio::sync::oneshot;

thread_local! {
    /// One for all commands: nothing is awaited while it is in use.
    static SCRATCH: RefCell<Vec<u8>> = RefCell::new(vec![0; bounds::OUTPUT_MESSAGE]);
}

struct Pipe {
    receiver: Option<Receiver>,
    read: u64,
    /// Bytes that lay in the pipe when the process exited: they are its own, whoever else writes.
    owed: usize,
    grown: bool,
}

struct Life {
    command: Arc<Command>,
    pipes: [Pipe; 2],
    code: Option<i32>,
    timeout_at: Option<Instant>,
    timed_out: bool,
    lingered: bool,
    pipes_end_at: Option<Instant>,
}

/// Returns when the command has finished, its exit set and its readers told.
pub async fn live(
    command: Arc<Command>,
    pipes: [Receiver; 2],
    mut exit: oneshot::Receiver<i32>,
    timeout: Duration,
) {
    let mut life = Life {
        timeout_at: (!timeout.is_zero()).then(|| command.started + timeout),
        command: command.clone(),
        pipes: pipes.map(|receiver| Pipe {
            receiver: Some(receiver),
            read: 0,
            owed: 0,
            grown: false,
        }),
        code: None,
        timed_out: false,
        lingered: false,
        pipes_end_at: None,
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
        let [out, err] = &life.pipes;
        tokio::select! {
            code = &mut exit, if waiting => life.exited(code.unwrap_or(-libc::SIGKILL)),
            () = readable(out), if room[0] > 0 && out.receiver.is_some() => life.read(0, room[0]),
            () = readable(err), if room[1] > 0 && err.receiver.is_some() => life.read(1, room[1]),
            () = command.attention.notified() => {}
            () = sleep_until(wake) => {}
        }
    }
    life.finish();
}

async fn readable(pipe: &Pipe) {
    if let Some(receiver) = &pipe.receiver {
        let _ = receiver.readable().await;
    }
}

async fn sleep_until(wake: Option<Instant>) {
    match wake {
        Some(at) => tokio::time::sleep_until(at.into()).await,
        None => std::future::pending().await,
    }
}

impl Life {
    fn room(&self, now: Instant) -> [usize; 2] {
        let state = self.command.state();
        [state.room(0, now), state.room(1, now)]
    }

    /// Does what has come due.
    fn tick(&mut self, now: Instant) {
        if self.code.is_some() {
            return;
        }
        if self.timeout_at.is_some_and(|at| at <= now) {
            self.timeout_at = None;
            self.timed_out = true;
            self.command.signal(libc::SIGTERM, Some(bounds::STOP_GRACE));
        }
        if self.linger_ends().is_some_and(|at| at <= now) && !self.lingered {
            self.lingered = true;
            self.command
                .signal(libc::SIGTERM, Some(bounds::LINGER_GRACE));
        }
        let mut state = self.command.state();
        if state.kill_at.is_some_and(|at| at <= now) {
            state.kill_at = None;
            kill_group(self.command.pid, libc::SIGKILL);
        }
    }

    /// When a foreground command that nobody reads has to go.
    fn linger_ends(&self) -> Option<Instant> {
        let state = self.command.state();
        let abandoned = !self.command.background && state.readers.is_empty();
        abandoned.then(|| state.without_readers_since + self.command.linger)
    }

    fn next_wake(&self, now: Instant) -> Option<Instant> {
        let linger = self.linger_ends().filter(|_| !self.lingered);
        let state = self.command.state();
        let hold = state.hold_ends().filter(|at| *at > now);
        let mut times = vec![linger, hold];
        match self.code {
            None => times.extend([self.timeout_at, state.kill_at]),
            Some(_) => times.push(self.pipes_end_at.filter(|at| *at > now)),
        }
        times.into_iter().flatten().min()
    }

    fn exited(&mut self, code: i32) {
        self.code = Some(code);
        self.pipes_end_at = Some(Instant::now() + bounds::PIPE_AFTER_EXIT);
        for pipe in &mut self.pipes {
            pipe.owed = pipe.receiver.as_ref().map_or(0, waiting_bytes);
        }
        let mut state = self.command.state();
        state.exited = true;
        if let Some(at) = state.kill_at.take() {
            tokio::spawn(kill_rest(self.command.pid, at));
        }
    }

    fn finished(&self, now: Instant) -> bool {
        if self.code.is_none() {
            return false;
        }
        let patience_over = self.pipes_end_at.is_some_and(|at| at <= now);
        let nobody_will_read = self.linger_ends().is_some_and(|at| at <= now);
        self.pipes.iter().all(|pipe| {
            pipe.receiver.is_none() || patience_over && (pipe.owed == 0 || nobody_will_read)
        })
    }

    fn read(&mut self, stream: usize, room: usize) {
        let pipe = &mut self.pipes[stream];
        let Some(receiver) = &pipe.receiver else {
            return;
        };
        let ended = SCRATCH.with_borrow_mut(|scratch| {
            let most = room.min(scratch.len());
            match receiver.try_read(&mut scratch[..most]) {
                Ok(0) => true,
                Ok(n) => {
                    pipe.owed = pipe.owed.saturating_sub(n);
                    pipe.read += n as u64;
                    self.command.state().push(stream, &scratch[..n]);
                    self.command.output.notify_waiters();
                    false
                }
                Err(error) => error.kind() != std::io::ErrorKind::WouldBlock,
            }
        });
        if pipe.read > bounds::PIPE_GROWS_AFTER && !pipe.grown {
            pipe.grown = true;
            let descriptor = receiver.as_raw_fd();
            unsafe { libc::fcntl(descriptor, libc::F_SETPIPE_SZ, bounds::LARGE_PIPE) };
        }
        if ended {
            pipe.receiver = None;
        }
    }

    fn finish(self) {
        let mut state = self.command.state();
        state.exit = Some(Exit {
            code: self.code.unwrap_or(0),
            timed_out: self.timed_out,
            truncated: state.truncated,
            stdout_bytes: state.rings[0].end(),
            stderr_bytes: state.rings[1].end(),
            duration_micros: self.command.started.elapsed().as_micros() as u64,
        });
        state.rings.iter_mut().for_each(super::ring::Ring::shrink);
        drop(state);
        self.command.output.notify_waiters();
        for receiver in self.pipes.into_iter().filter_map(|pipe| pipe.receiver) {
            drain(receiver);
        }
    }
}

/// Members of the group that outlived their leader still have to go. The group is looked at often, since
/// its number means somebody else once it is empty.
async fn kill_rest(group: libc::pid_t, at: Instant) {
    while unsafe { libc::kill(-group, 0) } == 0 {
        if Instant::now() >= at {
            return kill_group(group, libc::SIGKILL);
        }
        tokio::time::sleep(bounds::GROUP_LOOK).await;
    }
}

fn waiting_bytes(receiver: &Receiver) -> usize {
    let mut count: libc::c_int = 0;
    unsafe { libc::ioctl(receiver.as_raw_fd(), libc::FIONREAD, &mut count) };
    count as usize
}

/// A child left in the background keeps its output open: closing it would kill the child at its next
/// line, so a bounded number of such pipes is read into nowhere.
fn drain(receiver: Receiver) {
    static DRAINED: AtomicUsize = AtomicUsize::new(0);
    if DRAINED.load(Relaxed) >= bounds::DRAINED_PIPES {
        return;
    }
    DRAINED.fetch_add(1, Relaxed);
    tokio::spawn(async move {
        loop {
            if receiver.readable().await.is_err() {
                break;
            }
            let read = SCRATCH.with_borrow_mut(|scratch| receiver.try_read(scratch));
            match read {
                Ok(0) => break,
                Err(error) if error.kind() != std::io::ErrorKind::WouldBlock => break,
                _ => {}
            }
        }
        DRAINED.fetch_sub(1, Relaxed);
    });
}
