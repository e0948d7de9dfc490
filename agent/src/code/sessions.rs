//! The sessions of one sandbox, bounded in number and in idleness.
use super::fault::{Outcome, fault, invalid, no_session};
use super::language::Language;
use super::session::Session;
use crate::bounds;
use crate::command::commands::Commands;
use crate::config::Config;
use crate::relay::wire::{CodeSession, RunCode, code_failure::Kind, cut};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

pub struct Sessions {
    config: Arc<Config>,
    commands: Arc<Commands>,
    table: Mutex<Table>,
}

struct Table {
    /// In the order in which they were made.
    sessions: Vec<Arc<Session>>,
    limit: usize,
    idle: Duration,
    /// Somebody looks for sessions that are idle.
    watched: bool,
}

/// Where code is to run.
pub enum Wanted {
    /// The language's default session, which is made when it is not there.
    Default(Language),
    Session(String, Option<Language>),
}

impl Wanted {
    pub fn of(run: &RunCode) -> Outcome<Wanted> {
        let language = match &*run.language {
            "" => None,
            name => Some(language(name)?),
        };
        match (&*run.session_id, language) {
            ("", None) => Err(invalid("Neither a language nor a session is given.")),
            ("", Some(language)) => Ok(Wanted::Default(language)),
            (id, language) => Ok(Wanted::Session(id.into(), language)),
        }
    }
}

fn language(name: &str) -> Outcome<Language> {
    Language::of(name).ok_or_else(|| {
        if name == "go" {
            let remedy = "No interpreter of Go is run here; write a file and run it by the command `go run`.";
            return fault(Kind::NoSuchLanguage, remedy);
        }
        let mut shown = name.to_owned();
        cut(&mut shown, bounds::ID);
        invalid(format!("There is no language {shown}."))
    })
}

fn default_id(language: Language) -> String {
    format!("default-{}", language.name())
}

impl Sessions {
    pub fn new(config: Arc<Config>, commands: Arc<Commands>) -> Sessions {
        Sessions {
            config,
            commands,
            table: Mutex::new(Table {
                sessions: Vec::new(),
                limit: bounds::CODE_SESSIONS,
                idle: bounds::LONGEST_TIMER,
                watched: false,
            }),
        }
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap()
    }

    pub fn limit(&self, limit: usize, idle: Duration) {
        let mut table = self.table();
        table.limit = limit;
        if !idle.is_zero() {
            table.idle = idle;
        }
    }

    pub fn list(&self) -> Vec<CodeSession> {
        let sessions = self.table().sessions.clone();
        sessions.iter().map(|session| session.info()).collect()
    }

    pub fn find(&self, id: &str) -> Outcome<Arc<Session>> {
        let table = self.table();
        let found = table.sessions.iter().find(|session| session.id == id);
        found.cloned().ok_or_else(|| no_session(id))
    }

    pub fn wanted(self: &Arc<Self>, wanted: Wanted) -> Outcome<Arc<Session>> {
        match wanted {
            Wanted::Default(language) => match self.find(&default_id(language)) {
                Ok(session) => Ok(session),
                Err(_) => self.add(default_id(language), language, String::new()),
            },
            Wanted::Session(id, asked) => {
                let session = match (self.find(&id), default_of(&id)) {
                    (Ok(session), _) => session,
                    (Err(_), Some(language)) => self.add(id, language, String::new())?,
                    (Err(refusal), None) => return Err(refusal),
                };
                match asked {
                    Some(asked) if asked != session.language => Err(invalid(format!(
                        "Session {} is one of {}, not of {}.",
                        session.id,
                        session.language.name(),
                        asked.name()
                    ))),
                    _ => Ok(session),
                }
            }
        }
    }

    pub fn create(self: &Arc<Self>, name: &str, cwd: String) -> Outcome<Arc<Session>> {
        self.add(new_id(), language(name)?, cwd)
    }

    fn add(self: &Arc<Self>, id: String, language: Language, cwd: String) -> Outcome<Arc<Session>> {
        let cwd = match &*cwd {
            "" => self.config.cwd.clone(),
            relative if !relative.starts_with('/') => format!("{}/{relative}", self.config.cwd),
            _ => cwd,
        };
        let (commands, config) = (self.commands.clone(), self.config.clone());
        let session = Arc::new(Session::new(id, language, cwd, commands, config));
        let mut table = self.table();
        if table.sessions.len() >= table.limit {
            table.drop_idle();
        }
        if table.sessions.len() >= table.limit {
            return Err(fault(
                Kind::TooMany,
                format!(
                    "The sandbox has {} sessions, which is the limit; delete one first.",
                    table.limit
                ),
            ));
        }
        table.sessions.push(session.clone());
        if !table.watched {
            table.watched = true;
            tokio::spawn(watch(self.clone()));
        }
        Ok(session)
    }

    pub fn remove(&self, id: &str) {
        self.table().sessions.retain(|session| session.id != id);
    }

    pub fn kill_all(&self) {
        for session in &self.table().sessions {
            session.kill();
        }
    }
}

impl Table {
    /// Ends what was idle for too long. Gives how long the others may still be.
    fn drop_idle(&mut self) -> Option<Duration> {
        let idle = self.idle;
        self.sessions.retain(|session| {
            let old = session
                .idle()
                .is_some_and(|for_so_long| for_so_long >= idle);
            if old {
                session.kill();
            }
            !old
        });
        let left = |session: &Arc<Session>| idle.saturating_sub(session.idle().unwrap_or_default());
        self.sessions.iter().map(left).min()
    }
}

/// As long as there are sessions.
async fn watch(sessions: Arc<Sessions>) {
    loop {
        let next = {
            let mut table = sessions.table();
            let next = table.drop_idle();
            table.watched = next.is_some();
            next
        };
        match next {
            Some(next) => tokio::time::sleep(next.clamp(SHORTEST_LOOK, LONGEST_LOOK)).await,
            None => return,
        }
    }
}

/// The time that sessions may be idle can change between two looks.
const SHORTEST_LOOK: Duration = Duration::from_millis(100);
const LONGEST_LOOK: Duration = Duration::from_secs(10);

fn default_of(id: &str) -> Option<Language> {
    Language::of(id.strip_prefix("default-")?)
}

fn new_id() -> String {
    let mut bytes = [0u8; 8];
    unsafe { libc::getrandom(bytes.as_mut_ptr().cast(), bytes.len(), 0) };
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("session-{digits}")
}
