//! A process with a terminal of its own, which lives on while nobody looks at it.
//!
//! Its output goes into one ring, in a long flood by way of a thread (`read_ahead`); each reader draws from there at its own pace (`state`, `reader`). Those
//! who drive hold a full ring back; those who only look never do. What is typed is written once and in
//! order (`input`). A picture of the screen is kept for those who come later (`screen`). Readers of a sealed
//! terminal come through a channel that the relay cannot read (`sealed`, `sealed_reader`).
mod drawing;
mod flood;
mod input;
mod life;
mod modes;
mod pty;
mod read_ahead;
mod reader;
mod recorder;
mod scan;
mod screen;
mod sealed;
mod sealed_reader;
mod session;
pub mod shell;
mod state;

use crate::command::state::Next;
use crate::config::Limits;
use crate::launch::reaper::Reaper;
use crate::launch::spawn::{Plan, spawn};
use crate::relay::wire::{Attach, CommandInfo, Failure, Run, TerminalInput, run};
use crate::sealed::{Door, Vault};
use crate::{bounds, clock, launch};
use input::Input;
use pty::{Master, Size, Watch};
pub use reader::{Place, serve};
pub use recorder::{Recorder, serve as serve_recording};
pub use sealed_reader::{SealedPlace, serve as serve_sealed};
use state::{State, View};
use std::os::fd::AsRawFd;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, oneshot};

pub struct Terminal {
    pub id: String,
    text: String,
    pub pid: libc::pid_t,
    started: Instant,
    started_unix_millis: i64,
    timeout: Duration,
    /// How long a full ring waits for a driver that left.
    hold: Duration,
    /// What runs is a shell that waits for commands; what it starts is work.
    is_shell: bool,
    /// None: anybody whom the relay lets in may look.
    door: Option<Door>,
    state: Mutex<State>,
    input: Mutex<Input>,
    /// Gone when the terminal has ended.
    master: Mutex<Option<Arc<Master>>>,
    /// Told when there is something new for readers.
    news: Notify,
    /// Told when the terminal's own task has something to look at.
    attention: Notify,
    /// Told when there is input to write, and when there is room for more.
    typed: Notify,
    room: Notify,
}

/// A terminal that was just started, and what its own task needs.
pub struct Started {
    pub terminal: Arc<Terminal>,
    pub place: AnyPlace,
    master: Arc<Master>,
    watch: Watch,
    exit: oneshot::Receiver<i32>,
}

/// A reader's place at a terminal, sealed or not.
pub enum AnyPlace {
    Clear(Place),
    Sealed(SealedPlace),
    Recording(Box<Recorder>),
}

/// Starts the process. Its first reader drives.
pub fn start(
    run: &Run,
    plan: &Plan,
    limits: &Limits,
    (reaper, vault): (&Reaper, &Arc<Vault>),
) -> Result<Started, Failure> {
    let asked = run.terminal.clone().unwrap_or_default();
    let size = Size::new(asked.columns, asked.rows)?;
    check_source(&asked.input_source)?;
    let door = match &asked.sealed {
        Some(terms) => Some(Door::new(vault, &terms.owner_key)?),
        None => None,
    };
    let none = |e| Failure::cannot_start(format!("no terminal for the command: {e}"));
    let (master, slave) = pty::open(size, plan.identity.as_ref()).map_err(none)?;
    let master = Arc::new(master);
    let watch = Watch::new(&master).map_err(none)?;
    let pid = spawn(plan, &[slave.as_raw_fd(); 3]).map_err(|f| launch::explain(plan, &f))?;
    let exit = reaper.expect(pid);
    let terminal = Arc::new(Terminal {
        id: run.command_id.clone(),
        text: match &run.command {
            Some(_) => launch::describe(run),
            None => plan.path.to_string_lossy().into_owned(),
        },
        pid,
        started: Instant::now(),
        started_unix_millis: clock::unix_millis(),
        timeout: Duration::from_millis(run.timeout_millis).min(bounds::LONGEST_TIMER),
        hold: Duration::from_millis(asked.hold_millis).min(bounds::LONGEST_TIMER),
        is_shell: match &run.command {
            None => true,
            Some(run::Command::Argv(argv)) => shell::is_interactive(&argv.words),
            Some(run::Command::ShellLine(_)) => false,
        },
        door,
        state: Mutex::new(State::new(limits.ring_bytes, size)),
        input: Mutex::default(),
        master: Mutex::new(Some(master.clone())),
        news: Notify::new(),
        attention: Notify::new(),
        typed: Notify::new(),
        room: Notify::new(),
    });
    let view = View {
        cursor: Some(0),
        driver: true,
        screen: false,
        source: asked.input_source,
    };
    let first = Place::take(&terminal, view)?;
    let place = match &terminal.door {
        // The ring waits for the owner as for a driver who has just left.
        Some(_) => AnyPlace::Sealed(SealedPlace::new(&terminal, true)),
        None => AnyPlace::Clear(first),
    };
    Ok(Started {
        terminal,
        place,
        master,
        watch,
        exit,
    })
}

impl Started {
    /// The terminal's own task: returns when it has ended and its readers are told.
    pub fn live(self) -> (AnyPlace, impl Future<Output = ()>) {
        let life = life::live(self.terminal, (self.master, self.watch), self.exit);
        (self.place, life)
    }
}

impl Terminal {
    pub fn attach(self: &Arc<Self>, attach: &Attach) -> Result<AnyPlace, Failure> {
        check_source(&attach.input_source)?;
        if self.door.is_some() && attach.recording {
            let recorder = Recorder::new(self, attach.stdout_offset)?;
            return Ok(AnyPlace::Recording(Box::new(recorder)));
        }
        if self.door.is_some() {
            return Ok(AnyPlace::Sealed(SealedPlace::new(self, attach.driver)));
        }
        if attach.stdout && !attach.screen && attach.stdout_offset > self.state().end() {
            return Err(Failure::invalid("the offset lies past the output's end"));
        }
        let view = View {
            cursor: attach.stdout.then_some(attach.stdout_offset),
            driver: attach.driver,
            screen: attach.screen,
            source: attach.input_source.clone(),
        };
        Place::take(self, view).map(AnyPlace::Clear)
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// None for one that is not sealed.
    pub fn host_fingerprint(&self) -> Option<String> {
        self.door.as_ref().map(|door| door.host.fingerprint())
    }

    /// Of a sealed terminal.
    fn door(&self) -> &Door {
        self.door.as_ref().expect("only sealed terminals are asked")
    }

    fn input(&self) -> MutexGuard<'_, Input> {
        self.input.lock().unwrap()
    }

    fn master(&self) -> Option<Arc<Master>> {
        self.master.lock().unwrap().clone()
    }

    fn next(&self, key: u64) -> Next {
        let input = self.input();
        let next = self.state().next(key, |source| input.written(source));
        if matches!(next, Next::Send(_)) {
            self.attention.notify_one();
        }
        next
    }

    fn take_input(&self, source: &str, input: TerminalInput) -> Result<(), Failure> {
        self.input().take(source, input)?;
        self.typed.notify_one();
        Ok(())
    }

    fn resize(&self, columns: u32, rows: u32) -> Result<(), Failure> {
        let size = Size::new(columns, rows)?;
        let Some(master) = self.master() else {
            return Ok(());
        };
        let mut state = self.state();
        if state.size != size {
            master
                .resize(size)
                .map_err(|e| Failure::invalid(format!("the terminal keeps its size: {e}")))?;
            state.resize(size);
            drop(state);
            self.news.notify_waiters();
        }
        Ok(())
    }

    /// As a key like Ctrl-C does: only who has the foreground is meant.
    fn signal_foreground(&self, signal: i32) -> Result<(), Failure> {
        crate::command::commands::check_signal(signal)?;
        if let Some(group) = self.master().and_then(|master| master.foreground()) {
            unsafe { libc::kill(-group, signal) };
        }
        Ok(())
    }

    /// Sends a signal to all that runs in this terminal. KILL follows after the grace.
    pub fn signal(&self, signal: i32, grace: Option<Duration>) {
        let mut state = self.state();
        if state.exited {
            return;
        }
        session::signal(self.pid, signal);
        if let Some(grace) = grace {
            let at = Instant::now() + grace.min(bounds::LONGEST_TIMER);
            state.kill_at = Some(state.kill_at.map_or(at, |earlier| earlier.min(at)));
            drop(state);
            self.attention.notify_one();
        }
    }

    pub fn info(&self) -> CommandInfo {
        let foreground = self.master().and_then(|master| master.foreground());
        let state = self.state();
        let running = state.exit.is_none();
        CommandInfo {
            command_id: self.id.clone(),
            command: self.text.clone(),
            pid: self.pid,
            background: true,
            started_unix_millis: self.started_unix_millis,
            running,
            exit_code: state.exit.as_ref().map_or(0, |exit| exit.code),
            stdout_bytes: state.end(),
            stderr_bytes: 0,
            terminal: true,
            foreground_busy: running && !(self.is_shell && foreground == Some(self.pid)),
            active_unix_millis: state.active_unix_millis,
            unattended: !state.has_driver(),
        }
    }
}

fn check_source(source: &str) -> Result<(), Failure> {
    match source.len() <= bounds::INPUT_SOURCE {
        true => Ok(()),
        false => Err(Failure::invalid("an input source of more than 64 bytes")),
    }
}
