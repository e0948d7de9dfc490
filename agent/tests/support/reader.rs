//! The relay's end of one process stream, and what came through it.
use super::relay::WAIT;
use super::wire::*;
use tokio::sync::mpsc;
use tonic::{Status, Streaming};

/// The relay's end of one process stream.
pub struct Reader {
    pub opened: ProcessOpened,
    pub up: Streaming<ProcessUp>,
    pub down: Option<mpsc::Sender<Result<ProcessDown, Status>>>,
    pub handle: tokio::runtime::Handle,
}

#[derive(Debug, Default)]
pub struct Outcome {
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub gaps: Vec<Gap>,
    pub exit: Option<Exit>,
    pub failure: Option<Failure>,
    pub screens: Vec<Screen>,
    pub applied: u64,
    pub sizes: Vec<(u32, u32)>,
    pub sealed: Vec<Sealed>,
    pub recording: Vec<RecordingPart>,
}

impl Outcome {
    pub fn out(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    pub fn err(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }

    pub fn code(&self) -> i32 {
        self.exit
            .as_ref()
            .unwrap_or_else(|| panic!("no exit: {self:?}"))
            .code
    }
}

impl Reader {
    pub fn next(&mut self) -> Option<process_up::Message> {
        let next = async {
            tokio::time::timeout(WAIT, self.up.message())
                .await
                .expect("silent")
        };
        self.handle
            .block_on(next)
            .ok()
            .flatten()
            .and_then(|m| m.message)
    }

    pub fn send(&self, message: process_down::Message) {
        let message = ProcessDown {
            message: Some(message),
        };
        let send = self.down.as_ref().unwrap().send(Ok(message));
        let send = async { tokio::time::timeout(WAIT, send).await.expect("held back") };
        self.handle.block_on(send).unwrap();
    }

    /// Reads until at least `count` bytes of stdout have come.
    pub fn read(&mut self, count: usize) -> Outcome {
        let mut outcome = Outcome::default();
        while outcome.stdout.len() < count {
            let message = self.next().expect("ended early");
            outcome.take(message);
        }
        outcome
    }

    pub fn finish(mut self) -> Outcome {
        let mut outcome = Outcome::default();
        while let Some(message) = self.next() {
            outcome.take(message);
        }
        outcome
    }
}

impl Outcome {
    pub fn take(&mut self, message: process_up::Message) {
        use process_up::Message;
        match message {
            Message::Output(output) if output.stream == Stream::Stdout as i32 => {
                assert!(output.data.len() <= 64 * 1024);
                self.stdout.extend_from_slice(&output.data);
            }
            Message::Output(output) => self.stderr.extend_from_slice(&output.data),
            Message::Gap(gap) => self.gaps.push(gap),
            Message::Exit(exit) => self.exit = Some(exit),
            Message::Failure(failure) => self.failure = Some(failure),
            Message::Opened(_) => panic!("opened twice"),
            Message::Screen(screen) => self.screens.push(screen),
            Message::InputApplied(applied) => self.applied = applied.sequence,
            Message::Resized(resized) => self.sizes.push((resized.columns, resized.rows)),
            Message::Sealed(sealed) => self.sealed.push(sealed),
            Message::RecordingPart(part) => self.recording.push(part),
        }
    }
}
