//! What the table of commands holds: a process with pipes, or one with a terminal.
use super::{Command, reader};
use crate::relay::wire::agent_service_client::AgentServiceClient;
use crate::relay::wire::{Attach, CommandInfo, Failure};
use crate::terminal::{self, AnyPlace, Terminal};
use std::sync::Arc;
use std::time::Duration;
use tonic::transport::Channel;

#[derive(Clone)]
pub enum Process {
    Command(Arc<Command>),
    Terminal(Arc<Terminal>),
}

/// A reader's place at either.
pub enum Place {
    Command(reader::Place),
    Terminal(terminal::AnyPlace),
}

impl Place {
    pub async fn serve(self, client: AgentServiceClient<Channel>, reader_id: String) {
        match self {
            Place::Command(place) => reader::serve(client, reader_id, place).await,
            Place::Terminal(AnyPlace::Clear(place)) => {
                terminal::serve(client, reader_id, place).await;
            }
            Place::Terminal(AnyPlace::Sealed(place)) => {
                terminal::serve_sealed(client, reader_id, place).await;
            }
            Place::Terminal(AnyPlace::Recording(place)) => {
                terminal::serve_recording(client, reader_id, *place).await;
            }
        }
    }
}

impl Process {
    pub fn id(&self) -> &str {
        match self {
            Process::Command(command) => &command.id,
            Process::Terminal(terminal) => &terminal.id,
        }
    }

    pub fn pid(&self) -> libc::pid_t {
        match self {
            Process::Command(command) => command.pid,
            Process::Terminal(terminal) => terminal.pid,
        }
    }

    pub fn attach(&self, attach: &Attach) -> Result<Place, Failure> {
        match self {
            Process::Command(command) => command.attach(attach).map(Place::Command),
            Process::Terminal(terminal) => terminal.attach(attach).map(Place::Terminal),
        }
    }

    pub fn exited(&self) -> bool {
        match self {
            Process::Command(command) => command.state().exited,
            Process::Terminal(terminal) => terminal.state().exited,
        }
    }

    /// To a command's group, or to all that runs in a terminal. KILL follows after the grace.
    pub fn signal(&self, signal: i32, grace: Option<Duration>) {
        match self {
            Process::Command(command) => command.signal(signal, grace),
            Process::Terminal(terminal) => terminal.signal(signal, grace),
        }
    }

    pub fn info(&self) -> CommandInfo {
        match self {
            Process::Command(command) => command.info(),
            Process::Terminal(terminal) => terminal.info(),
        }
    }

    pub fn kept_bytes(&self) -> usize {
        match self {
            Process::Command(command) => command.state().kept_bytes(),
            Process::Terminal(terminal) => terminal.state().kept_bytes(),
        }
    }

    /// Forgets its output unless somebody still reads. False: it is still read.
    pub fn release(&self) -> bool {
        match self {
            Process::Command(command) => {
                let mut state = command.state();
                let unread = state.readers.is_empty();
                if unread {
                    state.release();
                }
                unread
            }
            Process::Terminal(terminal) => {
                let mut state = terminal.state();
                let unread = state.readers() == 0;
                if unread {
                    state.release();
                }
                unread
            }
        }
    }
}
