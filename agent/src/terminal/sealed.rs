//! One who comes to a sealed terminal: shakes hands, proves a key, and from then on looks and types through
//! a channel that the relay cannot read.
use super::Terminal;
use super::reader::Place as Seat;
use super::state::View;
use crate::bounds;
use crate::command::state::Next;
use crate::relay::wire::{Failure, Sealed, TerminalInput, process_up::Message};
use crate::sealed::{Channel, Door, Frame, Handshake, Heard, Key, Role, Standing};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};

/// What both directions of one stream share.
pub struct Talk {
    pub terminal: Arc<Terminal>,
    /// What the relay allows at most; the owner may allow less.
    may_drive: bool,
    inner: Mutex<Inner>,
}

struct Inner {
    stage: Stage,
    /// Sealed already, in order.
    answers: VecDeque<Sealed>,
    /// How the stream ends when the answers are sent.
    end: Option<Message>,
}

enum Stage {
    /// Nobody has said anything.
    Silent,
    /// Hands are shaken. Only who has the key can say the next word, so until then nothing is believed.
    Shaken {
        channel: Box<Channel>,
        key: Key,
    },
    Open(Box<Open>),
    Over,
}

struct Open {
    channel: Channel,
    key: Key,
    role: Role,
    source: String,
    seat: Seat,
}

impl Talk {
    pub fn new(terminal: &Arc<Terminal>, may_drive: bool) -> Talk {
        Talk {
            terminal: terminal.clone(),
            may_drive,
            inner: Mutex::new(Inner {
                stage: Stage::Silent,
                answers: VecDeque::new(),
                end: None,
            }),
        }
    }

    fn door(&self) -> &Door {
        self.terminal.door()
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap()
    }

    /// What the stream carries next.
    pub fn next(&self) -> Next {
        let mut inner = self.inner();
        if let Stage::Open(open) = &inner.stage
            && inner.answers.is_empty()
            && inner.end.is_none()
        {
            let standing = self.door().keys().standing(&open.key);
            match standing {
                Standing::Owner | Standing::Admitted(_) => self.draw(&mut inner),
                Standing::Free | Standing::Stranger => {
                    inner.refuse("The owner no longer lets this key in.");
                }
            }
        }
        let Inner { answers, end, .. } = &mut *inner;
        if let Some(answer) = answers.pop_front() {
            return Next::Send(Message::Sealed(answer).into());
        }
        match end.take() {
            Some(last) => {
                inner.stage = Stage::Over;
                Next::Last(last.into())
            }
            None if matches!(inner.stage, Stage::Over) => Next::Leave,
            None => Next::Wait,
        }
    }

    /// Seals what the terminal has for this reader.
    fn draw(&self, inner: &mut Inner) {
        let Stage::Open(open) = &mut inner.stage else {
            return;
        };
        match self.terminal.next(open.seat.key()) {
            Next::Send(message) => inner.say_all(message.message),
            Next::Last(message) => {
                inner.say_all(message.message.clone());
                inner.end = message.message;
            }
            Next::Leave => inner.stage = Stage::Over,
            Next::Wait => {}
        }
    }

    /// Takes one message of the client; the stream ends with what cannot be.
    pub fn hear(&self, message: &Sealed) -> Result<(), Failure> {
        let mut inner = self.inner();
        if inner.end.is_some() {
            return Ok(());
        }
        if inner.answers.len() >= bounds::SEALED_ANSWERS {
            return Err(Failure::invalid("this client does not take its answers"));
        }
        let heard = match &mut inner.stage {
            Stage::Silent => self.shake(&mut inner, message),
            Stage::Shaken { channel, .. } => {
                let plain = channel.open(message);
                plain.map(|plain| self.begin(&mut inner, plain))
            }
            Stage::Open(open) => {
                let plain = open.channel.open(message);
                plain.map(|plain| self.obey(&mut inner, plain))
            }
            Stage::Over => Ok(()),
        };
        heard.map_err(Failure::invalid)
    }

    fn shake(&self, inner: &mut Inner, message: &Sealed) -> Result<(), String> {
        let handshake = Handshake::read(&self.door().host, &self.terminal.id, message)?;
        let key = handshake.client;
        let standing = self.door().keys().standing(&key);
        let owner = self.door().keys().owner().map(|owner| owner.text());
        let told = json!({"standing": standing.word(), "owner": owner}).to_string();
        let (answer, channel) = handshake.answer(told.as_bytes())?;
        inner.answers.push_back(answer);
        let channel = Box::new(channel);
        inner.stage = Stage::Shaken { channel, key };
        if standing == Standing::Stranger {
            inner.end = Some(not_let_in());
        }
        Ok(())
    }

    /// The first word after the handshake proves the key, and says how the client wants to look.
    fn begin(&self, inner: &mut Inner, plain: Vec<u8>) {
        let Stage::Shaken { channel, key } = std::mem::replace(&mut inner.stage, Stage::Over)
        else {
            return;
        };
        // Whoever may only look does not come to own what nobody owns yet.
        let standing = match self.may_drive {
            true => self.door().keys().prove(key),
            false => self.door().keys().standing(&key),
        };
        match self.seat(plain, key, standing) {
            Ok((role, source, seat, attached)) => {
                inner.stage = Stage::Open(Box::new(Open {
                    channel: *channel,
                    key,
                    role,
                    source,
                    seat,
                }));
                inner.say(attached);
            }
            Err(why) => {
                let mut channel = channel;
                inner.answers.push_back(channel.seal(&why.0));
                inner.end = Some(not_let_in());
            }
        }
    }

    fn seat(
        &self,
        plain: Vec<u8>,
        key: Key,
        standing: Standing,
    ) -> Result<(Role, String, Seat, Frame), Frame> {
        let most = match standing {
            Standing::Owner => Role::Driver,
            Standing::Admitted(role) => role,
            Standing::Free => {
                return Err(Frame::forbidden(
                    "Nobody owns this terminal yet; a viewer may look when its owner has come.",
                ));
            }
            Standing::Stranger => {
                return Err(Frame::forbidden("This key does not open the terminal."));
            }
        };
        let begin = Begin::read(plain).map_err(|why| Frame::invalid(&why))?;
        let drives = self.may_drive && most == Role::Driver && begin.role == Role::Driver;
        let role = if drives { Role::Driver } else { Role::Viewer };
        let source = format!("{}:{}", key.short(), begin.source);
        let view = View {
            cursor: Some(begin.from.unwrap_or(0)),
            driver: drives,
            screen: begin.from.is_none(),
            source: source.clone(),
        };
        if begin.from > Some(self.terminal.state().end()) {
            return Err(Frame::invalid("the offset lies past the output's end"));
        }
        let seat = Seat::take(&self.terminal, view).map_err(|f| Frame::invalid(&f.message))?;
        let opened = seat.facts();
        let mut attached = json!({
            "type": "attached", "terminal": self.terminal.id, "role": role.word(),
            "owner": standing == Standing::Owner, "source": begin.source,
            "cols": opened.columns, "rows": opened.rows, "applied": opened.input_sequence,
        });
        if let Some(from) = begin.from {
            attached["from"] = json!(from);
        }
        Ok((role, source, seat, Frame::control(attached)))
    }

    fn obey(&self, inner: &mut Inner, plain: Vec<u8>) {
        let Stage::Open(open) = &inner.stage else {
            return;
        };
        let drives = open.role == Role::Driver;
        let done = match Heard::read(plain) {
            Ok(Heard::Control(message)) => Ok(Some(self.control(open.key, &message))),
            Ok(_) if !drives => Err(Frame::forbidden("A viewer only looks.")),
            Ok(Heard::Input { sequence, data }) => {
                let data = data.into();
                let input = TerminalInput { sequence, data };
                answer(self.terminal.take_input(&open.source, input))
            }
            Ok(Heard::Resize { columns, rows }) => answer(self.terminal.resize(columns, rows)),
            Ok(Heard::Signal(signal)) => answer(self.terminal.signal_foreground(signal)),
            Err(why) => Err(Frame::invalid(&why)),
        };
        if let Some(frame) = done.unwrap_or_else(Some) {
            inner.say(frame);
        }
    }

    fn control(&self, key: Key, message: &Value) -> Frame {
        let kind = message["type"].as_str().unwrap_or_default();
        if kind == "ping" {
            return Frame::control(json!({"type": "pong"}));
        }
        let done = self.own(key, kind, message);
        // Whoever was dismissed is told by its own stream.
        self.terminal.news.notify_waiters();
        let told = match done {
            Ok(()) => json!({"type": "done", "what": kind, "id": message["id"]}),
            Err(why) => {
                json!({"type": "refused", "what": kind, "id": message["id"], "message": why})
            }
        };
        Frame::control(told)
    }

    /// What only the owner may do.
    fn own(&self, key: Key, kind: &str, message: &Value) -> Result<(), String> {
        if !self.may_drive {
            return Err("A viewer only looks: the owner must come as a driver.".into());
        }
        let mut keys = self.door().keys();
        if keys.standing(&key) != Standing::Owner {
            return Err("Only the owner may do this.".into());
        }
        let named = || Key::parse(message["key"].as_str().unwrap_or_default());
        match kind {
            "admit" => {
                let role = Role::parse(message["role"].as_str().unwrap_or("viewer"))?;
                keys.admit(named()?, role)
            }
            "dismiss" => {
                keys.dismiss(&named()?);
                Ok(())
            }
            "lock" => {
                self.door().vault.lock();
                Ok(())
            }
            _ => Err("There is no control message of this type.".into()),
        }
    }

    /// The relay's word that the terminal may be left; the client's own is to close.
    pub fn leave(&self) {
        self.inner().stage = Stage::Over;
        self.terminal.news.notify_waiters();
    }

    /// Ends the stream with this, once what was said before is sent.
    pub fn fail(&self, failure: Failure) {
        self.inner().end.get_or_insert(Message::Failure(failure));
        self.terminal.news.notify_waiters();
    }
}

impl Inner {
    fn say(&mut self, frame: Frame) {
        if let Stage::Open(open) = &mut self.stage {
            self.answers.push_back(open.channel.seal(&frame.0));
        }
    }

    fn say_all(&mut self, message: Option<Message>) {
        for frame in message.iter().flat_map(Frame::of) {
            self.say(frame);
        }
    }

    fn refuse(&mut self, why: &str) {
        self.say(Frame::forbidden(why));
        self.end = Some(not_let_in());
    }
}

fn answer(done: Result<(), Failure>) -> Result<Option<Frame>, Frame> {
    done.map(|()| None)
        .map_err(|failure| Frame::invalid(&failure.message))
}

fn not_let_in() -> Message {
    Message::Failure(Failure::invalid("this key does not open the terminal"))
}

/// How a client wants to look.
struct Begin {
    role: Role,
    source: String,
    /// None: the screen as it is.
    from: Option<u64>,
}

impl Begin {
    fn read(plain: Vec<u8>) -> Result<Begin, String> {
        let Heard::Control(message) = Heard::read(plain)? else {
            return Err("begin comes first".into());
        };
        if message["type"] != "begin" {
            return Err("begin comes first".into());
        }
        let source = message["source"].as_str().unwrap_or("client");
        if source.is_empty() || source.len() > bounds::SEALED_SOURCE {
            return Err("source must have 1 to 48 bytes".into());
        }
        let from = match &message["from"] {
            Value::Null => None,
            from => Some(from.as_u64().ok_or("from must be an offset")?),
        };
        Ok(Begin {
            role: Role::parse(message["role"].as_str().unwrap_or("driver"))?,
            source: source.into(),
            from,
        })
    }
}
