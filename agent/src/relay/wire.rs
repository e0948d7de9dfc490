//! The vocabulary of proto/agent.proto, with short ways to say its common sentences.
#![allow(clippy::all)]
tonic::include_proto!("bivouac.agent.v1");

use crate::bounds;

impl Failure {
    pub fn new(kind: failure::Kind, message: impl Into<String>) -> Failure {
        let mut message = message.into();
        cut(&mut message, bounds::FAILURE_TEXT);
        Failure {
            kind: kind.into(),
            message,
        }
    }

    pub fn cannot_start(message: impl Into<String>) -> Failure {
        Failure::new(failure::Kind::CannotStart, message)
    }

    pub fn invalid(message: impl Into<String>) -> Failure {
        Failure::new(failure::Kind::Invalid, message)
    }

    pub fn no_such_command(id: &str) -> Failure {
        Failure::new(
            failure::Kind::NoSuchCommand,
            format!("no such command: {id}"),
        )
    }
}

impl From<process_up::Message> for ProcessUp {
    fn from(message: process_up::Message) -> ProcessUp {
        ProcessUp {
            message: Some(message),
        }
    }
}

impl From<agent_message::Message> for AgentMessage {
    fn from(message: agent_message::Message) -> AgentMessage {
        AgentMessage {
            message: Some(message),
        }
    }
}

/// Shortens to at most `bytes`, on a character's boundary.
pub fn cut(text: &mut String, bytes: usize) {
    text.truncate(text.floor_char_boundary(bytes));
}
