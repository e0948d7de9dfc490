//! The agent's end of the relay's connection: finding a relay (`dial.rs`, `tls.rs`), obeying its orders (`connection.rs`), and
//! the connections and questions of the sandbox's programs that are carried over it.
//!
//! `wire.rs` is the vocabulary of proto/agent.proto, which the other folders speak too.
pub mod address;
mod carried;
pub mod connection;
pub mod dial;
pub mod egress;
mod listening;
mod port_watch;
pub mod ports;
pub mod questions;
pub mod tls;
pub mod told;
pub mod wire;
