//! Tells the relay when programs of the sandbox begin and cease to listen.
use super::listening::{sockets_by_port, with_programs};
use super::wire::{PortsListening, agent_message::Message};
use crate::bounds;
use crate::command::commands::Commands;
use std::time::Duration;
use tokio::time::Instant;

/// Looks at the kernel's tables for as long as there are processes: often after a command was started, seldom
/// later. The kernel does not tell of sockets that begin to listen in a namespace without its privileges.
pub struct PortWatch {
    /// What the relay was told last.
    told: Vec<u16>,
    /// A relay that was told of a port may know it still.
    tell_anyway: bool,
    look_at: Instant,
    often_until: Instant,
}

impl Default for PortWatch {
    fn default() -> PortWatch {
        let now = Instant::now();
        PortWatch {
            told: Vec::new(),
            tell_anyway: false,
            look_at: now,
            often_until: now,
        }
    }
}

impl PortWatch {
    /// A relay that knows nothing yet, or what it was told before.
    pub fn reconnected(&mut self) {
        self.tell_anyway = !self.told.is_empty();
        self.look_at = Instant::now();
    }

    /// Waits for the next change. Nothing is lost when the future is dropped before it is ready.
    pub async fn next(&mut self, commands: &Commands) -> Message {
        loop {
            tokio::select! {
                () = tokio::time::sleep_until(self.look_at) => {}
                () = commands.started.notified() => {
                    let now = Instant::now();
                    self.often_until = now + bounds::PORTS_EXPECTED;
                    self.look_at = self.look_at.min(now + bounds::PORTS_LOOK_OFTEN);
                    continue;
                }
            }
            let sockets = sockets_by_port();
            self.look_at = Instant::now() + self.pause();
            if self.tell_anyway || !self.told.iter().eq(sockets.keys()) {
                self.tell_anyway = false;
                self.told = sockets.keys().copied().collect();
                let ports = with_programs(sockets);
                return Message::PortsListening(PortsListening { ports });
            }
        }
    }

    fn pause(&self) -> Duration {
        if !has_children() {
            bounds::LONGEST_TIMER
        } else if Instant::now() < self.often_until {
            bounds::PORTS_LOOK_OFTEN
        } else {
            bounds::PORTS_LOOK
        }
    }
}

/// Every process of the sandbox is a child of the agent, or will be when its parent ends.
fn has_children() -> bool {
    let options = libc::WNOHANG | libc::WNOWAIT | libc::WEXITED | libc::__WALL;
    let mut info = unsafe { std::mem::zeroed() };
    unsafe { libc::waitid(libc::P_ALL, 0, &mut info, options) == 0 }
}
