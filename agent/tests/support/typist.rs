//! Somebody at a terminal: types, and reads until something is there.
use super::wire::*;
use super::{Outcome, Reader, Relay, Sandbox, argv, new_id, wait_until};
use std::time::Duration;

/// The sandbox's shell in a terminal of 80 columns and 24 rows.
pub fn terminal() -> Run {
    Run {
        command_id: new_id("pty"),
        reader_id: new_id("reader"),
        terminal: Some(Terminal {
            columns: 80,
            rows: 24,
            hold_millis: 60_000,
            input_source: "typist".into(),
            ..Terminal::default()
        }),
        ..Run::default()
    }
}

pub fn terminal_of(words: &[&str]) -> Run {
    Run {
        command: argv(words).command,
        ..terminal()
    }
}

/// A shell line in a terminal.
pub fn line_in_terminal(line: &str) -> Run {
    terminal_of(&["sh", "-c", line])
}

/// What a terminal shows of `seq 1 LAST`.
pub fn numbers(last: usize) -> Vec<u8> {
    (1..=last)
        .flat_map(|n| format!("{n}\r\n").into_bytes())
        .collect()
}

/// How much the terminal has shown so far.
pub fn written(sandbox: &Sandbox, id: &str) -> u64 {
    let list = sandbox.relay.list();
    list.iter()
        .find(|c| c.command_id == id)
        .unwrap()
        .stdout_bytes
}

/// Waits until the terminal is read no further.
pub fn wait_for_standstill(sandbox: &Sandbox, id: &str) -> u64 {
    let mut before = 0;
    wait_until("the terminal stands still", || {
        let seen = std::mem::replace(&mut before, written(sandbox, id));
        std::thread::sleep(Duration::from_millis(200));
        before == seen && seen > 0
    });
    before
}

pub struct Typist {
    pub reader: Reader,
    pub source: String,
    pub sequence: u64,
    /// Everything that came, and the output's offset after it.
    pub outcome: Outcome,
    pub offset: u64,
    looked: usize,
}

impl Typist {
    pub fn new(reader: Reader) -> Typist {
        let (sequence, offset) = (reader.opened.input_sequence, 0);
        Typist {
            reader,
            source: "typist".into(),
            sequence,
            outcome: Outcome::default(),
            offset,
            looked: 0,
        }
    }

    /// Comes back where `offset` says.
    pub fn back(relay: &Relay, id: &str, offset: u64) -> Typist {
        let reader = relay.attach_as(Attach {
            command_id: id.into(),
            stdout: true,
            stdout_offset: offset,
            driver: true,
            input_source: "typist".into(),
            ..Attach::default()
        });
        let mut typist = Typist::new(reader);
        typist.offset = offset;
        typist
    }

    pub fn id(&self) -> String {
        self.reader.opened.command_id.clone()
    }

    pub fn types(&mut self, text: &str) {
        self.sequence += 1;
        self.sends(self.sequence, text);
    }

    pub fn sends(&self, sequence: u64, text: &str) {
        self.reader
            .send(process_down::Message::Input(TerminalInput {
                sequence,
                data: text.as_bytes().to_vec().into(),
            }));
    }

    pub fn resizes(&self, columns: u32, rows: u32) {
        let size = Resize { columns, rows };
        self.reader.send(process_down::Message::Resize(size));
    }

    pub fn hears(&mut self) -> Option<()> {
        let message = self.reader.next()?;
        match &message {
            process_up::Message::Output(output) => {
                assert_eq!(output.offset, self.offset, "output is without a seam");
                self.offset += output.data.len() as u64;
            }
            process_up::Message::Gap(gap) => self.offset = gap.to,
            process_up::Message::Screen(screen) => self.offset = screen.offset,
            _ => {}
        }
        self.outcome.take(message);
        Some(())
    }

    /// Reads until the text has come, after what was waited for last.
    pub fn until(&mut self, text: &str) -> String {
        let mut searched = self.looked;
        loop {
            let found = memchr::memmem::find(&self.outcome.stdout[searched..], text.as_bytes());
            if let Some(at) = found {
                let end = searched + at + text.len();
                let new = &self.outcome.stdout[self.looked..end];
                let seen = String::from_utf8_lossy(new).into_owned();
                self.looked = end;
                return seen;
            }
            searched = self
                .looked
                .max((self.outcome.stdout.len() + 1).saturating_sub(text.len()));
            if self.hears().is_none() {
                panic!("ended without {text:?}");
            }
        }
    }

    /// A long flood need not be kept.
    pub fn forgets_all(&mut self) {
        self.outcome.stdout.drain(..self.looked);
        self.looked = 0;
    }

    pub fn until_that(&mut self, holds: impl Fn(&Outcome) -> bool) {
        while !holds(&self.outcome) {
            self.hears().expect("ended early");
        }
    }

    pub fn finish(mut self) -> Outcome {
        while self.hears().is_some() {}
        std::mem::take(&mut self.outcome)
    }
}

/// A failed test shows what was on the terminal.
impl Drop for Typist {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let out = &self.outcome.stdout;
            let end = String::from_utf8_lossy(&out[out.len().saturating_sub(1000)..]);
            println!("the terminal's last words: {end:?}");
        }
    }
}
