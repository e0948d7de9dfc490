//! Everything in the NFS server that has a size or a wait, and its bound.
use std::time::Duration;

/// One call with all its data; a longer one closes the connection.
pub const RECORD: usize = 2 * 1024 * 1024;
pub const FRAGMENTS: usize = 64;
/// Data of one READ or WRITE, and of one answer to READDIR.
pub const TRANSFER: u32 = 1024 * 1024;
pub const NAME: usize = 255;
/// A symbolic link's target, and a path to mount.
pub const PATH: usize = 1024;
/// A handle of NFS version 3.
pub const HANDLE: usize = 64;
pub const CONNECTIONS: usize = 128;
/// Calls of one connection that wait for the disk beside the one that is being read.
pub const WAITING_CALLS: usize = 8;
/// A client that is silent so long connects again when it needs to: the kernel's own leaves after five minutes.
pub const IDLE_CONNECTION: Duration = Duration::from_secs(600);
/// A client that does not take its answers.
pub const STALLED_ANSWER: Duration = Duration::from_secs(60);
pub const STACK: usize = 256 * 1024;
/// Files held open between calls.
pub const DESCRIPTORS: usize = 1024;
pub const IDLE_DESCRIPTOR: Duration = Duration::from_secs(5);
/// Exports at the same time; each holds one descriptor.
pub const EXPORTS: usize = 8192;
/// Files of an export whose file system gives no handles.
pub const TABLE: usize = 262_144;
/// Folders between a file and its export.
pub const DEPTH: usize = 1024;
/// How long the removal of an export waits for calls that are under way.
pub const LAST_CALLS: Duration = Duration::from_secs(5);
pub const CONTROL_LINE: u64 = 64 * 1024;
pub const CONTROL_CONNECTIONS: usize = 8;
/// Ports that are tried when the wished one is taken.
pub const PORTS_TRIED: u16 = 100;
