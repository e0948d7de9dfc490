//! From an order to a process, and the guards around both: the user it runs as, its environment and executable, the
//! capabilities and system calls it keeps, the start itself and the wait for its end.
//!
//! `harden.rs` protects the agent as well, once at its start; `secrets.rs` opens what the relay sealed for a command.
pub mod capabilities;
pub mod harden;
mod plan;
pub mod reaper;
mod seccomp;
pub mod secrets;
pub mod spawn;
mod syscalls;
mod trusted;
pub mod users;
pub mod watchdog;

pub use plan::{describe, explain, plan};
