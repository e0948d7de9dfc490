//! Code that is run in interpreters of the sandbox, which keep their variables from one run to the next.
//!
//! A session (`session.rs`) is one interpreter (`kernel.rs`): a program of ours (`kernels/`) that the language itself runs.
//! It hears on a socket what to run and says there how it went; what the code prints comes by pipes (`run.rs`).
mod fault;
pub mod jupyter;
mod kernel;
mod language;
mod results;
mod run;
mod session;
mod sessions;
mod talk;

use crate::bounds;
use crate::command::commands::Commands;
use crate::config::Config;
use crate::relay::wire::code_service_client::CodeServiceClient;
use crate::relay::wire::{
    CodeDone, CodeOpened, CodeOrder, CodeSessions, FetchCodeResult, RunCode, code_down,
    code_failure::Kind, code_order::Operation, code_up::Message,
};
use fault::{Outcome, fault, invalid};
use futures_util::stream;
use results::Results;
use sessions::{Sessions, Wanted};
use std::sync::Arc;
use std::time::Duration;
use talk::{Left, Talk, up};
use tokio::sync::mpsc;
use tonic::transport::Channel;

pub struct Code {
    commands: Arc<Commands>,
    sessions: Arc<Sessions>,
    results: Results,
}

impl Code {
    pub fn new(config: Arc<Config>, commands: Arc<Commands>) -> Code {
        Code {
            commands: commands.clone(),
            sessions: Arc::new(Sessions::new(config, commands)),
            results: Results::default(),
        }
    }

    /// The sandbox ends.
    pub fn kill_all(&self) {
        self.sessions.kill_all();
    }

    /// Returns when the operation is over, and nobody waits for it.
    pub async fn serve(self: Arc<Self>, mut client: CodeServiceClient<Channel>, order: CodeOrder) {
        let (sender, said) = mpsc::channel(bounds::CODE_MESSAGES);
        let left = Arc::new(Left::default());
        let talk = Talk {
            up: sender,
            left: left.clone(),
        };
        let first = up(Message::Opened(CodeOpened {
            call_id: order.call_id.clone(),
        }));
        tokio::spawn(self.operate(order, talk));
        let messages = stream::unfold((Some(first), said), |(first, mut said)| async {
            match first {
                Some(first) => Some((first, (None, said))),
                None => Some((said.recv().await?, (None, said))),
            }
        });
        if let Ok(answer) = client.operate(messages).await {
            let mut answer = answer.into_inner();
            while let Ok(Some(message)) = answer.message().await {
                if let Some(code_down::Message::Stop(true)) = message.message {
                    left.leave();
                }
            }
        }
        left.leave();
    }

    async fn operate(self: Arc<Self>, order: CodeOrder, talk: Talk) {
        let last = match self.answer(order, &talk).await {
            Ok(done) => Message::Done(done),
            Err(failure) => Message::Failure(failure),
        };
        talk.say(last).await;
    }

    async fn answer(&self, order: CodeOrder, talk: &Talk) -> Outcome<CodeDone> {
        self.commands
            .must_be_open()
            .map_err(|closed| invalid(closed.message))?;
        let limit = (order.sessions as usize).clamp(1, bounds::CODE_SESSIONS);
        let idle = Duration::from_millis(order.idle_millis).min(bounds::LONGEST_TIMER);
        self.sessions.limit(limit, idle);
        match order.operation {
            Some(Operation::Run(run)) => self.run(&run, talk).await,
            Some(Operation::Create(create)) => {
                let session = self.sessions.create(&create.language, create.cwd)?;
                if let Err(refusal) = session.ready().await {
                    self.sessions.remove(&session.id);
                    return Err(refusal);
                }
                Ok(of(&session))
            }
            Some(Operation::List(_)) => {
                let sessions = self.sessions.list();
                talk.say(Message::Sessions(CodeSessions { sessions })).await;
                Ok(CodeDone::default())
            }
            Some(Operation::End(end)) => {
                self.sessions.find(&end.session_id)?.kill();
                self.sessions.remove(&end.session_id);
                Ok(CodeDone::default())
            }
            Some(Operation::Interrupt(interrupt)) => {
                let session = self.sessions.find(&interrupt.session_id)?;
                session.interrupt();
                Ok(of(&session))
            }
            Some(Operation::Restart(restart)) => {
                let session = self.sessions.find(&restart.session_id)?;
                session.restart().await?;
                Ok(of(&session))
            }
            Some(Operation::Fetch(fetch)) => self.fetch(&fetch, talk).await,
            None => Err(invalid("This agent does not know the operation.")),
        }
    }

    async fn run(&self, run: &RunCode, talk: &Talk) -> Outcome<CodeDone> {
        kernel::check(run)?;
        let wanted = Wanted::of(run)?;
        let session = self.sessions.wanted(wanted)?;
        session.run(run, &self.results, talk).await
    }

    async fn fetch(&self, fetch: &FetchCodeResult, talk: &Talk) -> Outcome<CodeDone> {
        let missing = |what: String| fault(Kind::NoSuchResult, what);
        let id = fetch.result_id.chars().take(bounds::ID).collect::<String>();
        let form = self.results.form(&fetch.result_id, &fetch.r#type);
        let form = form.ok_or_else(|| missing(format!("There is no result {id}, or no more.")))?;
        let data = form.ok_or_else(|| missing(format!("Result {id} has no such form.")))?;
        for piece in data.chunks(bounds::RESULT_PIECE) {
            if !talk.say(Message::Data(piece.to_vec().into())).await {
                break;
            }
        }
        Ok(CodeDone::default())
    }
}

fn of(session: &session::Session) -> CodeDone {
    CodeDone {
        session: Some(session.info()),
        ..CodeDone::default()
    }
}
