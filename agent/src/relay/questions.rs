//! What programs of the sandbox want to be allowed: taken in at a socket, carried to the relay, answered
//! there. Reaching the socket proves nothing about who asks, and nothing said at it is an answer.
use super::wire::{
    PermissionAnswered, PermissionAsked, PermissionWithdrawn, agent_message::Message,
};
use crate::ask::speech::{Answer, Question};
use crate::bounds;
use crate::command::commands::Commands;
use std::collections::{BTreeMap, VecDeque};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener as BlockingListener};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::{Notify, Semaphore, oneshot};

#[derive(Default)]
pub struct Questions {
    table: Mutex<Table>,
    /// Told when there is something to be sent.
    news: Notify,
}

struct Table {
    next: u64,
    /// Questions that may be asked now; more come with time.
    budget: f64,
    budget_at: Instant,
    open: BTreeMap<String, Open>,
    withdrawn: VecDeque<String>,
}

impl Default for Table {
    fn default() -> Table {
        Table {
            next: 0,
            budget: bounds::QUESTIONS as f64,
            budget_at: Instant::now(),
            open: BTreeMap::new(),
            withdrawn: VecDeque::new(),
        }
    }
}

struct Open {
    asked: PermissionAsked,
    sent: bool,
    answer: oneshot::Sender<Answer>,
}

impl Questions {
    /// Listens for as long as the sandbox lives. `boot_id` tells this agent's questions from an earlier one's.
    pub fn listen(
        self: &Arc<Self>,
        name: &str,
        boot_id: String,
        commands: Arc<Commands>,
    ) -> std::io::Result<()> {
        let listener = BlockingListener::bind_addr(&SocketAddr::from_abstract_name(name)?)?;
        listener.set_nonblocking(true)?;
        let listener = UnixListener::from_std(listener)?;
        let questions = self.clone();
        tokio::spawn(async move {
            let places = Arc::new(Semaphore::new(bounds::QUESTIONS));
            loop {
                let Ok((mut stream, _)) = listener.accept().await else {
                    // Out of descriptors, say; it passes.
                    tokio::time::sleep(bounds::QUESTION_READ).await;
                    continue;
                };
                let Ok(place) = places.clone().try_acquire_owned() else {
                    let full = Answer::no("too many questions wait for an answer already");
                    let _ = stream.try_write((full.to_json() + "\n").as_bytes());
                    continue;
                };
                let (questions, boot_id, commands) =
                    (questions.clone(), boot_id.clone(), commands.clone());
                tokio::spawn(async move {
                    let answer = questions.serve(&mut stream, &boot_id, &commands).await;
                    if let Some(answer) = answer {
                        let said = answer.to_json() + "\n";
                        let writing = stream.write_all(said.as_bytes());
                        let _ = tokio::time::timeout(bounds::QUESTION_READ, writing).await;
                    }
                    drop(place);
                });
            }
        });
        Ok(())
    }

    /// None when the program is gone.
    async fn serve(
        &self,
        stream: &mut UnixStream,
        boot_id: &str,
        commands: &Commands,
    ) -> Option<Answer> {
        let asker = stream.peer_cred().ok().and_then(|peer| peer.pid());
        let reading = read_question(stream);
        let question = match tokio::time::timeout(bounds::QUESTION_READ, reading).await {
            Ok(Ok(question)) => question,
            Ok(Err(problem)) => return Some(Answer::no(problem)),
            Err(_) => return Some(Answer::no("the question did not come in time")),
        };
        if !self.within_budget() {
            return Some(Answer::no("too many questions in a short time"));
        }
        let command_id = asker.and_then(|pid| commands.command_of(pid));
        let wait = Duration::from_secs(question.timeout_seconds.into());
        let (id, mut answered) = self.open(question, boot_id, command_id);
        let answer = tokio::select! {
            answer = &mut answered => answer.ok(),
            () = tokio::time::sleep(wait + bounds::QUESTION_GRACE) => {
                Some(Answer::no("nobody answered in time"))
            }
            () = gone(stream) => None,
        };
        self.close(&id);
        answer
    }

    fn within_budget(&self) -> bool {
        let mut table = self.table.lock().unwrap();
        let grown = table.budget_at.elapsed().as_secs_f64() * bounds::QUESTIONS_PER_SECOND;
        table.budget = (table.budget + grown).min(bounds::QUESTIONS as f64);
        table.budget_at = Instant::now();
        let within = table.budget >= 1.0;
        if within {
            table.budget -= 1.0;
        }
        within
    }

    fn open(
        &self,
        question: Question,
        boot_id: &str,
        command_id: Option<String>,
    ) -> (String, oneshot::Receiver<Answer>) {
        let (answer, answered) = oneshot::channel();
        let mut table = self.table.lock().unwrap();
        table.next += 1;
        let id = format!("{boot_id}-{}", table.next);
        let asked = PermissionAsked {
            question_id: id.clone(),
            source: question.source,
            action: question.action,
            resource: question.resource,
            description: question.description,
            cwd: question.cwd,
            input: question.input.into_bytes().into(),
            timeout_seconds: question.timeout_seconds,
            command_id: command_id.unwrap_or_default(),
        };
        let open = Open {
            asked,
            sent: false,
            answer,
        };
        table.open.insert(id.clone(), open);
        drop(table);
        self.news.notify_one();
        (id, answered)
    }

    /// Nobody waits any more; the relay is told, unless it was the one that answered.
    fn close(&self, id: &str) {
        let mut table = self.table.lock().unwrap();
        if table.open.remove(id).is_some_and(|open| open.sent)
            && table.withdrawn.len() < bounds::WITHDRAWN
        {
            table.withdrawn.push_back(id.to_owned());
            drop(table);
            self.news.notify_one();
        }
    }

    /// The relay has answered.
    pub fn answered(&self, answer: PermissionAnswered) {
        let open = self.table.lock().unwrap().open.remove(&answer.question_id);
        if let Some(open) = open {
            let _ = open.answer.send(Answer {
                granted: answer.granted,
                reason: answer.reason,
                request_id: answer.request_id,
                decided_by: answer.decided_by,
                expires_at_millis: answer.expires_unix_millis,
            });
        }
    }

    /// A new connection: all that is open is asked again.
    pub fn reconnected(&self) {
        let mut table = self.table.lock().unwrap();
        table.open.values_mut().for_each(|open| open.sent = false);
        drop(table);
        self.news.notify_one();
    }

    /// The next message for the relay.
    pub async fn next(&self) -> Message {
        loop {
            if let Some(message) = self.take() {
                return message;
            }
            self.news.notified().await;
        }
    }

    fn take(&self) -> Option<Message> {
        let mut table = self.table.lock().unwrap();
        if let Some(open) = table.open.values_mut().find(|open| !open.sent) {
            open.sent = true;
            return Some(Message::PermissionAsked(open.asked.clone()));
        }
        let question_id = table.withdrawn.pop_front()?;
        Some(Message::PermissionWithdrawn(PermissionWithdrawn {
            question_id,
        }))
    }
}

async fn read_question(stream: &mut UnixStream) -> Result<Question, String> {
    let mut line = Vec::new();
    let mut reader = BufReader::new(stream.take(bounds::QUESTION));
    let read = reader.read_until(b'\n', &mut line).await;
    if read.is_err() || line.last() != Some(&b'\n') {
        return Err("the question was cut off, or is too large".into());
    }
    let mut question: Question =
        serde_json::from_slice(&line).map_err(|e| format!("not a question: {e}"))?;
    question.check()?;
    let longest = bounds::LONGEST_QUESTION.as_secs() as u32;
    question.timeout_seconds = question.timeout_seconds.clamp(1, longest);
    Ok(question)
}

/// Returns when the program has closed its end. It has nothing more to say: what it sends is dropped.
async fn gone(stream: &mut UnixStream) {
    let mut more = [0; 64];
    loop {
        match stream.read(&mut more).await {
            Ok(0) | Err(_) => return,
            // Not at the pace of whoever keeps talking.
            Ok(_) => tokio::time::sleep(bounds::GROUP_LOOK).await,
        }
    }
}
