//! An operation's thread and its call: what the thread says and hears, at the pace of the other side.
use super::fault::{Fault, Outcome};
use crate::bounds;
use crate::relay::wire::{
    FileDone, FileDown, FileEntries, FileEntry, FileUp, file_down, file_up::Message,
};
use bytes::Bytes;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tokio::sync::mpsc;

pub struct Talk {
    pub up: mpsc::Sender<FileUp>,
    pub down: mpsc::Receiver<FileDown>,
    pub left: Arc<AtomicBool>,
    /// Becomes readable when the other side leaves; only for what waits for the kernel.
    pub wake: Option<Arc<OwnedFd>>,
}

/// What a writer hears.
pub enum Heard {
    Data(Bytes),
    End,
}

impl Talk {
    pub fn say(&self, message: Message) -> Outcome<()> {
        self.go_on()?;
        let message = FileUp {
            message: Some(message),
        };
        self.up.blocking_send(message).map_err(|_| Fault::Left)
    }

    pub fn entry(&self, entry: FileEntry) -> Outcome<()> {
        self.say(Message::Entry(entry))
    }

    pub fn entries(&self, entries: Vec<FileEntry>) -> Outcome<()> {
        self.say(Message::Entries(FileEntries { entries }))
    }

    pub fn data(&self, data: Vec<u8>) -> Outcome<()> {
        self.say(Message::Data(data.into()))
    }

    pub fn done(&self, done: FileDone) -> Outcome<()> {
        self.say(Message::Done(done))
    }

    /// For work that says nothing for a long time.
    pub fn go_on(&self) -> Outcome<()> {
        if self.left.load(Relaxed) {
            Err(Fault::Left)
        } else {
            Ok(())
        }
    }

    /// Sleeps until there is something to read, or the other side leaves; for ever, or a moment.
    pub fn wait(&self, readable: BorrowedFd, for_ever: bool) -> Outcome<()> {
        let poll = |fd: i32| libc::pollfd {
            fd,
            events: libc::POLLIN,
            revents: 0,
        };
        let wake = self.wake.as_ref().map_or(-1, |wake| wake.as_raw_fd());
        let mut descriptors = [poll(readable.as_raw_fd()), poll(wake)];
        let time = if for_ever {
            -1
        } else {
            bounds::WATCH_PAUSE.as_millis() as i32
        };
        unsafe { libc::poll(descriptors.as_mut_ptr(), 2, time) };
        self.go_on()
    }

    /// The next of what is written; a call that breaks off before its end is one that was left.
    pub fn hear(&mut self) -> Outcome<Heard> {
        loop {
            match self.down.blocking_recv().and_then(|down| down.message) {
                Some(file_down::Message::Data(data)) if data.is_empty() => {}
                Some(file_down::Message::Data(data)) => return Ok(Heard::Data(data)),
                Some(file_down::Message::End(true)) => return Ok(Heard::End),
                _ => return Err(Fault::Left),
            }
        }
    }
}
