//! All commands of the sandbox: those that run, and those that finished a short while ago.
use super::process::{Place, Process};
use super::{Command, Input, life, pipes, reader};
use crate::config::Config;
use crate::launch::reaper::Reaper;
use crate::log::Log;
use crate::relay::wire::{Attach, CommandInfo, Failure, Kill, Run, failure::Kind};
use crate::sealed::Vault;
use crate::{bounds, launch, terminal};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tokio::net::unix::pipe::Sender;
use tokio::sync::{Notify, mpsc};

pub struct Commands {
    config: Arc<Config>,
    pub reaper: Reaper,
    pub log: Log,
    vault: Arc<Vault>,
    table: Mutex<Table>,
    /// Told of every command and terminal that was started.
    pub started: Notify,
}

#[derive(Default)]
struct Table {
    by_id: HashMap<String, Process>,
    running: usize,
    /// Oldest first.
    finished: Vec<(Instant, Process)>,
}

impl Table {
    fn insert(&mut self, process: Process) {
        self.running += 1;
        self.by_id.insert(process.id().to_owned(), process);
    }
}

impl Commands {
    pub fn new(config: Arc<Config>, log: Log) -> Commands {
        Commands {
            vault: Arc::default(),
            config,
            reaper: Reaper::default(),
            log,
            table: Mutex::default(),
            started: Notify::new(),
        }
    }

    /// Starts a command or a terminal and takes its first reader's place.
    pub fn run(self: &Arc<Self>, run: &Run) -> Result<Place, Failure> {
        self.must_be_open()?;
        match run.terminal {
            Some(_) => self.run_terminal(run).map(Place::Terminal),
            None => self.run_command(run).map(Place::Command),
        }
    }

    /// Refuses whatever the relay wants run in a sandbox that its owner has closed to it.
    pub fn must_be_open(&self) -> Result<(), Failure> {
        if self.vault.is_locked() {
            return Err(Failure::invalid(
                "the owner of a sealed terminal has closed this sandbox to the relay",
            ));
        }
        Ok(())
    }

    pub fn run_command(self: &Arc<Self>, run: &Run) -> Result<reader::Place, Failure> {
        let mut table = self.table_with_room(&run.command_id)?;
        let plan = launch::plan(run, &self.config)?;
        let (started, pipes) = pipes::start(&plan, run.stdin)?;
        let exit = self.reaper.expect(started);
        let (stdin, writer) = match pipes.stdin {
            Some(pipe) => {
                let (sender, receiver) = mpsc::channel(1);
                let writer = tokio::spawn(write_stdin(pipe, receiver));
                (Some(sender), Some(writer))
            }
            None => (None, None),
        };
        let command = Arc::new(Command::new(run, started, stdin, &self.config.limits));
        let place = reader::Place::take(&command, [Some(0), Some(0)])?;
        table.insert(Process::Command(command.clone()));
        drop(table);
        self.started.notify_one();
        let timeout = Duration::from_millis(run.timeout_millis).min(bounds::LONGEST_TIMER);
        let commands = self.clone();
        tokio::spawn(async move {
            life::live(command.clone(), pipes.output, exit, timeout).await;
            if let Some(writer) = writer {
                writer.abort();
            }
            commands.finish(Process::Command(command));
        });
        Ok(place)
    }

    fn run_terminal(self: &Arc<Self>, run: &Run) -> Result<terminal::AnyPlace, Failure> {
        let mut table = self.table_with_room(&run.command_id)?;
        let plan = launch::plan(run, &self.config)?;
        let started =
            terminal::start(run, &plan, &self.config.limits, (&self.reaper, &self.vault))?;
        if let Some(fingerprint) = started.terminal.host_fingerprint() {
            self.log
                .agent(&format!("a sealed terminal; the host key is {fingerprint}"));
        }
        let process = Process::Terminal(started.terminal.clone());
        table.insert(process.clone());
        drop(table);
        self.started.notify_one();
        let (place, life) = started.live();
        let commands = self.clone();
        tokio::spawn(async move {
            life.await;
            commands.finish(process);
        });
        Ok(place)
    }

    fn table_with_room(&self, id: &str) -> Result<MutexGuard<'_, Table>, Failure> {
        if id.is_empty() || id.len() > bounds::ID {
            return Err(Failure::invalid("a command needs an id of 1 to 128 bytes"));
        }
        let table = self.table.lock().unwrap();
        if table.by_id.contains_key(id) {
            return Err(Failure::invalid("there is a command with this id already"));
        }
        if table.running >= self.config.limits.commands {
            let message = format!("{} commands run already", table.running);
            return Err(Failure::new(Kind::TooManyCommands, message));
        }
        Ok(table)
    }

    pub fn attach(&self, attach: &Attach) -> Result<Place, Failure> {
        self.find(&attach.command_id)?.attach(attach)
    }

    pub fn kill(&self, kill: &Kill) -> Result<(), Failure> {
        check_signal(kill.signal)?;
        let process = self.find(&kill.command_id)?;
        if process.exited() {
            return Err(Failure::new(
                Kind::NoSuchCommand,
                format!("the command has finished: {}", process.id()),
            ));
        }
        let grace = Duration::from_millis(kill.kill_after_millis);
        process.signal(kill.signal, (!grace.is_zero()).then_some(grace));
        Ok(())
    }

    pub fn list(&self) -> Vec<CommandInfo> {
        self.forget_old();
        let processes: Vec<_> = self.table.lock().unwrap().by_id.values().cloned().collect();
        let mut list: Vec<_> = processes.iter().map(Process::info).collect();
        list.sort_by_key(|info| info.started_unix_millis);
        list
    }

    /// The command that a process belongs to: that of its nearest ancestor that was started as one, or of
    /// its session when it was left behind.
    pub fn command_of(&self, process: libc::pid_t) -> Option<String> {
        let table = self.table.lock().unwrap();
        let started_as = |pid: libc::pid_t| {
            let mut processes = table.by_id.values();
            let found = processes.find(|candidate| candidate.pid() == pid && !candidate.exited());
            found.map(|command| command.id().to_owned())
        };
        let ancestors = std::iter::successors(Some(process), |child| parent_of(*child));
        let mut lineage = ancestors.take(bounds::ANCESTORS);
        lineage
            .find_map(started_as)
            .or_else(|| started_as(unsafe { libc::getsid(process) }))
    }

    pub fn is_running(&self, id: &str) -> bool {
        let table = self.table.lock().unwrap();
        table.by_id.get(id).is_some_and(|process| !process.exited())
    }

    /// The sandbox ends: every group gets the signal.
    pub fn signal_all(&self, signal: i32) {
        for process in self.table.lock().unwrap().by_id.values() {
            process.signal(signal, None);
        }
    }

    fn find(&self, id: &str) -> Result<Process, Failure> {
        self.forget_old();
        let table = self.table.lock().unwrap();
        let found = table.by_id.get(id).cloned();
        let mut shown = id.to_owned();
        crate::relay::wire::cut(&mut shown, bounds::ID);
        found.ok_or_else(|| Failure::no_such_command(&shown))
    }

    fn finish(&self, process: Process) {
        let mut table = self.table.lock().unwrap();
        table.running -= 1;
        table.finished.push((Instant::now(), process));
        drop(table);
        self.forget_old();
    }

    /// Keeps the finished within their bounds of number, age and bytes.
    fn forget_old(&self) {
        let limits = &self.config.limits;
        let mut table = self.table.lock().unwrap();
        let excess = table.finished.len().saturating_sub(limits.finished_kept);
        let aged = table
            .finished
            .partition_point(|(at, _)| at.elapsed() > limits.finished_for());
        let gone: Vec<_> = table.finished.drain(..excess.max(aged)).collect();
        for (_, process) in gone {
            table.by_id.remove(process.id());
        }
        let mut kept = 0;
        for (_, process) in table.finished.iter().rev() {
            let bytes = process.kept_bytes();
            // A reader that is still at it has its bytes until it is through, within its own bounds.
            if kept + bytes <= bounds::FINISHED_OUTPUT || !process.release() {
                kept += bytes;
            }
        }
    }
}

fn parent_of(process: libc::pid_t) -> Option<libc::pid_t> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name may hold anything; what follows its last bracket is the state and then the parent.
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_ascii_whitespace().nth(1)?.parse().ok()
}

pub fn check_signal(signal: i32) -> Result<(), Failure> {
    match (1..=libc::SIGRTMAX()).contains(&signal) {
        true => Ok(()),
        false => Err(Failure::invalid(format!("no such signal: {signal}"))),
    }
}

/// Ends with the input, or when the process closes its side.
async fn write_stdin(pipe: Sender, mut input: mpsc::Receiver<Input>) {
    while let Some(Input::Bytes(bytes)) = input.recv().await {
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            if pipe.writable().await.is_err() {
                return;
            }
            match pipe.try_write(rest) {
                Ok(written) => rest = &rest[written..],
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
                Err(_) => return,
            }
        }
    }
}
