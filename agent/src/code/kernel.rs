//! One interpreter: its process, the socket on which it hears what to run, and the pipes of what it prints.
use super::fault::{Outcome, cannot_start, fault, invalid};
use super::language::Language;
use crate::bounds;
use crate::command::commands::Commands;
use crate::command::kill_group;
use crate::command::pipes;
use crate::config::Config;
use crate::launch::spawn::spawn;
use crate::launch::{explain, plan};
use crate::relay::wire::{Argv, Failure, Run, code_failure::Kind, run};
use serde::Deserialize;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::UnixStream;
use tokio::net::unix::pipe::Receiver;
use tokio::sync::oneshot;

pub struct Kernel {
    pub pid: libc::pid_t,
    pub control: Control,
    pub output: [Receiver; 2],
    pub exit: oneshot::Receiver<i32>,
}

/// The socket, with what came on it.
pub struct Control {
    socket: UnixStream,
    /// What it said that is no whole line yet.
    heard: Vec<u8>,
    /// Bytes of `heard` that are known to hold no end of a line.
    looked_at: usize,
}

/// What an interpreter says.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Said {
    Ready,
    /// It has not what it needs.
    Missing {
        what: String,
    },
    Result {
        result: serde_json::Value,
    },
    Error {
        name: String,
        value: String,
        traceback: String,
    },
    Done {
        #[serde(default)]
        ok: Option<bool>,
        /// A shell's.
        #[serde(default)]
        status: Option<i32>,
    },
}

pub enum Heard {
    Said(Box<Said>),
    /// More is to come.
    Part,
    /// It will say nothing more, or nothing that makes sense.
    End,
}

impl Kernel {
    /// Returns when it is ready to run code.
    pub async fn start(
        commands: &Commands,
        config: &Config,
        language: Language,
        cwd: &str,
    ) -> Outcome<Kernel> {
        let mut kernel = Kernel::begin(commands, config, language, cwd)?;
        let ready = tokio::time::timeout(bounds::KERNEL_START, kernel.ready());
        let refusal = match ready.await {
            Ok(Ok(())) => return Ok(kernel),
            Ok(Err(refusal)) => refusal,
            Err(_) => NotReady::Because("it was not ready in time".into()),
        };
        let words = kernel.waiting_output();
        kernel.kill();
        let refusal = match refusal {
            NotReady::Missing(what) => return Err(missing(language, &what)),
            NotReady::Because(why) => why,
        };
        let words = String::from_utf8_lossy(&words);
        Err(cannot_start(Failure::cannot_start(format!(
            "{refusal} {}",
            words.trim()
        ))))
    }

    fn begin(
        commands: &Commands,
        config: &Config,
        language: Language,
        cwd: &str,
    ) -> Outcome<Kernel> {
        let program = language.program();
        let run = Run {
            command: Some(run::Command::Argv(Argv {
                words: program.words.iter().map(|word| (*word).into()).collect(),
            })),
            cwd: cwd.into(),
            ..Run::default()
        };
        let plan = plan(&run, config).map_err(|failure| {
            if failure.message == format!("no such file: {}", program.words[0]) {
                missing(language, program.words[0])
            } else {
                cannot_start(failure)
            }
        })?;
        let made = || -> io::Result<_> {
            let (ours, theirs) = std::os::unix::net::UnixStream::pair()?;
            ours.set_nonblocking(true)?;
            let socket = UnixStream::from_std(ours)?;
            let text = memory_file(program.text)?;
            let (out, out_child) = pipes::pipe()?;
            let (err, err_child) = pipes::pipe()?;
            for pipe in [&out, &err] {
                unsafe { libc::fcntl(pipe.as_raw_fd(), libc::F_SETPIPE_SZ, bounds::LARGE_PIPE) };
            }
            let output = [pipes::receiver(out)?, pipes::receiver(err)?];
            let passed = (passable(theirs.as_raw_fd())?, passable(text.as_raw_fd())?);
            Ok((socket, output, out_child, err_child, passed))
        };
        let (socket, output, out_child, err_child, (theirs, text)) =
            made().map_err(|error| cannot_start(Failure::cannot_start(error.to_string())))?;
        let descriptors = [
            // Without input: descriptor 0 is the agent's own, and that is /dev/null.
            if program.on_stdin {
                theirs.as_raw_fd()
            } else {
                0
            },
            out_child.as_raw_fd(),
            err_child.as_raw_fd(),
            theirs.as_raw_fd(),
            text.as_raw_fd(),
        ];
        let pid =
            spawn(&plan, &descriptors).map_err(|failed| cannot_start(explain(&plan, &failed)))?;
        let exit = commands.reaper.expect(pid);
        commands.started.notify_one();
        Ok(Kernel {
            pid,
            control: Control {
                socket,
                heard: Vec::new(),
                looked_at: 0,
            },
            output,
            exit,
        })
    }

    async fn ready(&mut self) -> Result<(), NotReady> {
        loop {
            tokio::select! {
                heard = self.control.hear() => match heard {
                    Heard::Said(said) => match *said {
                        Said::Ready => return Ok(()),
                        Said::Missing { what } => return Err(NotReady::Missing(what)),
                        _ => return Err(NotReady::because("it spoke before it was ready")),
                    },
                    Heard::Part => {}
                    Heard::End => return Err(NotReady::because("it ended at once")),
                },
                code = wait(&mut self.exit) => {
                    return Err(NotReady::Because(format!("it ended at once, with {code}")));
                }
            }
        }
    }

    /// What lies in its pipes right now, of which nobody waits for.
    pub fn waiting_output(&self) -> Vec<u8> {
        let mut all = Vec::new();
        for pipe in &self.output {
            let mut piece = vec![0; waiting_bytes(pipe)];
            let read = read_now(pipe, &mut piece);
            all.extend_from_slice(&piece[..read]);
        }
        all
    }

    /// As Ctrl-C does: to all that it has started, too.
    pub fn interrupt(&self) {
        kill_group(self.pid, libc::SIGINT);
    }

    /// Its end is heard later.
    pub fn kill(&self) {
        kill_group(self.pid, libc::SIGKILL);
    }

    /// How it ended, if it has.
    pub fn ended(&mut self) -> Option<i32> {
        use oneshot::error::TryRecvError;
        match self.exit.try_recv() {
            Ok(code) => Some(code),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Closed) => Some(-libc::SIGKILL),
        }
    }
}

impl Control {
    /// Gives the order to run something. What it does not take fits nowhere else, so this waits.
    pub async fn tell(&mut self, order: &[u8]) -> io::Result<()> {
        self.socket.write_all(order).await
    }

    /// Returns when there is something to hear. Nothing is lost when this is given up.
    pub async fn speaks(&self) {
        let rest = &self.heard[self.looked_at..];
        if memchr::memchr(b'\n', rest).is_none() {
            let _ = self.socket.readable().await;
        }
    }

    /// What it says next. Nothing is lost when this is given up.
    pub async fn hear(&mut self) -> Heard {
        if let Some(said) = self.line() {
            return said;
        }
        if self.socket.readable().await.is_err() {
            return Heard::End;
        }
        self.heard.reserve(bounds::RESULT_PIECE);
        match self.socket.try_read_buf(&mut self.heard) {
            Ok(0) => Heard::End,
            Ok(_) => self.line().unwrap_or(Heard::Part),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Heard::Part,
            Err(_) => Heard::End,
        }
    }

    fn line(&mut self) -> Option<Heard> {
        let end = memchr::memchr(b'\n', &self.heard[self.looked_at..]);
        let Some(end) = end.map(|end| end + self.looked_at) else {
            self.looked_at = self.heard.len();
            let endless = self.heard.len() > bounds::KERNEL_MESSAGE;
            return endless.then_some(Heard::End);
        };
        let said = serde_json::from_slice(&self.heard[..end]);
        self.heard.drain(..=end);
        self.looked_at = 0;
        if self.heard.is_empty() {
            self.heard = Vec::new();
        }
        Some(said.map_or(Heard::End, |said| Heard::Said(Box::new(said))))
    }
}

enum NotReady {
    /// It has not what it needs.
    Missing(String),
    Because(String),
}

impl NotReady {
    fn because(why: &str) -> NotReady {
        NotReady::Because(why.into())
    }
}

fn missing(language: Language, what: &str) -> crate::relay::wire::CodeFailure {
    fault(
        Kind::NoSuchLanguage,
        format!(
            "This sandbox has no {what}, which {} needs; the template code-interpreter has it.",
            language.name()
        ),
    )
}

pub async fn wait(exit: &mut oneshot::Receiver<i32>) -> i32 {
    exit.await.unwrap_or(-libc::SIGKILL)
}

pub fn waiting_bytes(pipe: &Receiver) -> usize {
    let mut count: libc::c_int = 0;
    unsafe { libc::ioctl(pipe.as_raw_fd(), libc::FIONREAD, &mut count) };
    count as usize
}

/// What lies in the pipe, whether or not the event loop has heard of it yet.
pub fn read_now(pipe: &Receiver, to: &mut [u8]) -> usize {
    let read = unsafe { libc::read(pipe.as_raw_fd(), to.as_mut_ptr().cast(), to.len()) };
    usize::try_from(read).unwrap_or(0)
}

/// The program's text as a file that has no name anywhere.
fn memory_file(text: &str) -> io::Result<OwnedFd> {
    let fd = unsafe { libc::memfd_create(c"kernel".as_ptr(), libc::MFD_CLOEXEC) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    let mut file = std::fs::File::from(unsafe { OwnedFd::from_raw_fd(fd) });
    file.write_all(text.as_bytes())?;
    std::io::Seek::rewind(&mut file)?;
    Ok(file.into())
}

/// With a number that none of the process's own descriptors has.
fn passable(fd: RawFd) -> io::Result<OwnedFd> {
    let copy = unsafe { libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, bounds::PASSED_DESCRIPTOR) };
    if copy < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(unsafe { OwnedFd::from_raw_fd(copy) })
}

/// Refuses what an interpreter cannot be told.
pub fn check(run: &crate::relay::wire::RunCode) -> Outcome<()> {
    if run.code.len() > bounds::CODE {
        return Err(invalid(format!(
            "The code is longer than {} bytes.",
            bounds::CODE
        )));
    }
    if run.code.contains('\0') || run.env.values().any(|value| value.contains('\0')) {
        return Err(invalid("There is a zero byte where none may be."));
    }
    if run.env.len() > bounds::CODE_VARIABLES {
        return Err(invalid("There are too many variables."));
    }
    let is_name = |name: &str| {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        !name.is_empty()
            && name.chars().all(word)
            && !name.starts_with(|c: char| c.is_ascii_digit())
    };
    match run.env.keys().find(|name| !is_name(name)) {
        Some(odd) => Err(invalid(format!("Not a variable's name: {odd:?}."))),
        None => Ok(()),
    }
}

/// How long a wait may be at all.
pub fn bounded(millis: u64) -> Option<Duration> {
    (millis > 0).then(|| Duration::from_millis(millis).min(bounds::LONGEST_TIMER))
}
