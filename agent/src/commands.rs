//! All commands of the sandbox: those that run, and those that finished a short while ago.
use crate::command::{Command, Input};
use crate::config::Config;
use crate::log::Log;
use crate::reader::Place;
use crate::reaper::Reaper;
use crate::wire::{Attach, CommandInfo, Failure, Kill, Run, failure::Kind};
use crate::{bounds, launch, life, pipes};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::net::unix::pipe::Sender;
use tokio::sync::mpsc;

pub struct Commands {
    config: Arc<Config>,
    pub reaper: Reaper,
    pub log: Log,
    table: Mutex<Table>,
}

#[derive(Default)]
struct Table {
    by_id: HashMap<String, Arc<Command>>,
    running: usize,
    /// Oldest first.
    finished: Vec<(Instant, Arc<Command>)>,
}

impl Commands {
    pub fn new(config: Arc<Config>, log: Log) -> Commands {
        Commands {
            config,
            reaper: Reaper::default(),
            log,
            table: Mutex::default(),
        }
    }

    /// Starts a command and takes its first reader's place.
    pub fn run(self: &Arc<Self>, run: &Run) -> Result<Place, Failure> {
        if run.command_id.is_empty() || run.command_id.len() > bounds::ID {
            return Err(Failure::invalid("a command needs an id of 1 to 128 bytes"));
        }
        let mut table = self.table.lock().unwrap();
        if table.by_id.contains_key(&run.command_id) {
            return Err(Failure::invalid("there is a command with this id already"));
        }
        if table.running >= self.config.limits.commands {
            let message = format!("{} commands run already", table.running);
            return Err(Failure::new(Kind::TooManyCommands, message));
        }
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
        let place = Place::take(&command, [Some(0), Some(0)])?;
        table.running += 1;
        table.by_id.insert(run.command_id.clone(), command.clone());
        drop(table);
        let timeout = Duration::from_millis(run.timeout_millis).min(bounds::LONGEST_TIMER);
        let commands = self.clone();
        tokio::spawn(async move {
            life::live(command.clone(), pipes.output, exit, timeout).await;
            if let Some(writer) = writer {
                writer.abort();
            }
            commands.finish(command);
        });
        Ok(place)
    }

    pub fn attach(&self, attach: &Attach) -> Result<Place, Failure> {
        let command = self.find(&attach.command_id)?;
        let state = command.state();
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
        Place::take(&command, cursors)
    }

    pub fn kill(&self, kill: &Kill) -> Result<(), Failure> {
        if !(1..=libc::SIGRTMAX()).contains(&kill.signal) {
            return Err(Failure::invalid(format!("no such signal: {}", kill.signal)));
        }
        let command = self.find(&kill.command_id)?;
        if command.state().exited {
            return Err(Failure::new(
                Kind::NoSuchCommand,
                format!("the command has finished: {}", command.id),
            ));
        }
        let grace = Duration::from_millis(kill.kill_after_millis);
        command.signal(kill.signal, (!grace.is_zero()).then_some(grace));
        Ok(())
    }

    pub fn list(&self) -> Vec<CommandInfo> {
        self.forget_old();
        let commands: Vec<_> = self.table.lock().unwrap().by_id.values().cloned().collect();
        let mut list: Vec<_> = commands.iter().map(|command| info(command)).collect();
        list.sort_by_key(|info| info.started_unix_millis);
        list
    }

    /// The sandbox ends: every group gets the signal.
    pub fn signal_all(&self, signal: i32) {
        for command in self.table.lock().unwrap().by_id.values() {
            command.signal(signal, None);
        }
    }

    fn find(&self, id: &str) -> Result<Arc<Command>, Failure> {
        self.forget_old();
        let table = self.table.lock().unwrap();
        let found = table.by_id.get(id).cloned();
        let mut shown = id.to_owned();
        crate::wire::cut(&mut shown, bounds::ID);
        found.ok_or_else(|| Failure::no_such_command(&shown))
    }

    fn finish(&self, command: Arc<Command>) {
        let mut table = self.table.lock().unwrap();
        table.running -= 1;
        table.finished.push((Instant::now(), command));
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
        for (_, command) in gone {
            table.by_id.remove(&command.id);
        }
        let mut kept = 0;
        for (_, command) in table.finished.iter().rev() {
            let mut state = command.state();
            kept += state.kept_bytes();
            // A reader that is still at it has its bytes until it is through, within its own bounds.
            if kept > bounds::FINISHED_OUTPUT && state.readers.is_empty() {
                kept -= state.kept_bytes();
                state.release();
            }
        }
    }
}

fn info(command: &Command) -> CommandInfo {
    let state = command.state();
    CommandInfo {
        command_id: command.id.clone(),
        command: command.text.clone(),
        pid: command.pid,
        background: command.background,
        started_unix_millis: command.started_unix_millis,
        running: state.exit.is_none(),
        exit_code: state.exit.as_ref().map_or(0, |exit| exit.code),
        stdout_bytes: state.rings[0].end(),
        stderr_bytes: state.rings[1].end(),
        ..CommandInfo::default()
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
