//! One session: an interpreter that keeps its variables, and a fresh one when that is gone.
use super::fault::{Outcome, fault};
use super::kernel::Kernel;
use super::language::Language;
use super::results::Results;
use super::run::{Running, explain};
use super::talk::Talk;
use crate::bounds;
use crate::clock::unix_millis;
use crate::command::commands::Commands;
use crate::command::kill_group;
use crate::command::state::STREAMS;
use crate::config::Config;
use crate::relay::wire::code_session::State;
use crate::relay::wire::{
    CodeDone, CodeOutput, CodeSession, CodeStarted, RunCode, code_failure::Kind, code_up::Message,
};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

pub struct Session {
    pub id: String,
    pub language: Language,
    pub cwd: String,
    commands: Arc<Commands>,
    config: Arc<Config>,
    facts: Mutex<Facts>,
    /// Held by the one that runs code; the others wait in order.
    kernel: tokio::sync::Mutex<Option<Kernel>>,
}

struct Facts {
    state: State,
    /// 0: there is no interpreter.
    pid: libc::pid_t,
    execution_count: u64,
    created_unix_millis: i64,
    used_unix_millis: i64,
    used: Instant,
    /// Runs that are under way or wait.
    runs: usize,
    /// How the last interpreter ended, when nobody has been told of it.
    ended: Option<i32>,
}

impl Session {
    pub fn new(
        id: String,
        language: Language,
        cwd: String,
        commands: Arc<Commands>,
        config: Arc<Config>,
    ) -> Session {
        let now = unix_millis();
        Session {
            id,
            language,
            cwd,
            commands,
            config,
            facts: Mutex::new(Facts {
                state: State::Starting,
                pid: 0,
                execution_count: 0,
                created_unix_millis: now,
                used_unix_millis: now,
                used: Instant::now(),
                runs: 0,
                ended: None,
            }),
            kernel: tokio::sync::Mutex::new(None),
        }
    }

    fn facts(&self) -> MutexGuard<'_, Facts> {
        self.facts.lock().unwrap()
    }

    pub fn info(&self) -> CodeSession {
        self.look();
        let facts = self.facts();
        CodeSession {
            id: self.id.clone(),
            language: self.language.name().into(),
            cwd: self.cwd.clone(),
            state: facts.state.into(),
            execution_count: facts.execution_count,
            created_unix_millis: facts.created_unix_millis,
            used_unix_millis: facts.used_unix_millis,
        }
    }

    /// Notices an interpreter that died while nothing ran.
    fn look(&self) {
        if let Ok(mut kernel) = self.kernel.try_lock() {
            self.bury(&mut kernel);
        }
    }

    fn bury(&self, kernel: &mut Option<Kernel>) {
        if let Some(code) = kernel.as_mut().and_then(Kernel::ended) {
            *kernel = None;
            let mut facts = self.facts();
            facts.state = State::Dead;
            facts.pid = 0;
            facts.ended = Some(code);
        }
    }

    /// How long nothing has run; none while something does.
    pub fn idle(&self) -> Option<Duration> {
        let facts = self.facts();
        (facts.runs == 0).then(|| facts.used.elapsed())
    }

    /// Starts the interpreter, unless there is one.
    pub async fn ready(&self) -> Outcome<()> {
        let mut kernel = self.kernel.lock().await;
        self.start(&mut kernel).await
    }

    async fn start(&self, kernel: &mut Option<Kernel>) -> Outcome<()> {
        self.bury(kernel);
        if kernel.is_none() {
            self.facts().state = State::Starting;
            let started =
                Kernel::start(&self.commands, &self.config, self.language, &self.cwd).await;
            let mut facts = self.facts();
            facts.used = Instant::now();
            match started {
                Ok(started) => {
                    facts.pid = started.pid;
                    facts.state = State::Idle;
                    *kernel = Some(started);
                }
                Err(refusal) => {
                    facts.state = State::Dead;
                    return Err(refusal);
                }
            }
        }
        Ok(())
    }

    /// Runs code when its turn comes. Says all but the end, which is given.
    pub async fn run(&self, order: &RunCode, results: &Results, talk: &Talk) -> Outcome<CodeDone> {
        let _place = self.take_place()?;
        let mut kernel = tokio::select! {
            kernel = self.kernel.lock() => kernel,
            () = talk.left.heard() => return Ok(CodeDone::default()),
        };
        self.start(&mut kernel).await?;
        let started = Message::Started(CodeStarted {
            execution_id: order.execution_id.clone(),
            session_id: self.id.clone(),
        });
        if !talk.say(started).await {
            return Ok(CodeDone::default());
        }
        let ended = self.facts().ended.take();
        if let Some(code) = ended {
            self.tell_of_end(code, talk).await;
        }
        let there = kernel.as_mut().expect("it was started");
        self.facts().state = State::Busy;
        let running = Running::new(there, self.language, order, results, talk);
        let ended = running.run().await;
        if ended.lost {
            *kernel = None;
        }
        let mut facts = self.facts();
        facts.execution_count += 1;
        let done = ended.done(facts.execution_count);
        if ended.lost {
            facts.state = State::Dead;
            facts.pid = 0;
            facts.execution_count = 0;
        } else {
            facts.state = State::Idle;
        }
        Ok(done)
    }

    /// An interpreter that died between two runs was nobody's business then.
    async fn tell_of_end(&self, code: i32, talk: &Talk) {
        let text = format!("{} This run has a fresh one.\n", explain(code));
        talk.say(Message::Output(CodeOutput {
            stream: STREAMS[1].into(),
            data: text.into_bytes().into(),
        }))
        .await;
    }

    fn take_place(&self) -> Outcome<Place<'_>> {
        let mut facts = self.facts();
        if facts.runs > bounds::CODE_WAITING {
            return Err(fault(
                Kind::TooMany,
                format!(
                    "{} runs wait for session {} already.",
                    bounds::CODE_WAITING,
                    self.id
                ),
            ));
        }
        facts.runs += 1;
        Ok(Place(self))
    }

    /// Stops what runs; where nothing does, nothing happens.
    pub fn interrupt(&self) {
        let facts = self.facts();
        if facts.state == State::Busy && facts.pid > 0 {
            kill_group(facts.pid, libc::SIGINT);
        }
    }

    /// Ends the interpreter; what runs on it ends, too.
    pub fn kill(&self) {
        let facts = self.facts();
        if facts.pid > 0 {
            kill_group(facts.pid, libc::SIGKILL);
        }
    }

    /// A fresh interpreter, whatever the old one does.
    pub async fn restart(&self) -> Outcome<()> {
        self.kill();
        let mut kernel = self.kernel.lock().await;
        if let Some(mut old) = kernel.take() {
            old.kill();
            let end = super::kernel::wait(&mut old.exit);
            let _ = tokio::time::timeout(bounds::KERNEL_END, end).await;
        }
        {
            let mut facts = self.facts();
            facts.pid = 0;
            facts.ended = None;
            facts.execution_count = 0;
        }
        self.start(&mut kernel).await
    }
}

/// Of a run, under way or waiting.
struct Place<'a>(&'a Session);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut facts = self.0.facts();
        facts.runs -= 1;
        facts.used = Instant::now();
        facts.used_unix_millis = unix_millis();
    }
}
