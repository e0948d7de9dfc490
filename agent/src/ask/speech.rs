//! What is said over the socket between a program that asks and the agent: a line of JSON each way.
use crate::bounds;
use serde::{Deserialize, Serialize};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixStream};
use std::time::Duration;

#[derive(Serialize, Deserialize, Default, Debug)]
#[serde(default, deny_unknown_fields)]
pub struct Question {
    pub source: String,
    pub action: String,
    pub resource: String,
    pub description: String,
    pub cwd: String,
    /// JSON text; empty when there is none.
    pub input: String,
    pub timeout_seconds: u32,
}

#[derive(Serialize, Deserialize, Default, Debug)]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    pub granted: bool,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub request_id: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub decided_by: String,
    /// Milliseconds since 1970; 0 when the answer is for this once.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub expires_at_millis: i64,
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(number: &i64) -> bool {
    *number == 0
}

impl Answer {
    pub fn no(reason: impl Into<String>) -> Answer {
        Answer {
            reason: reason.into(),
            ..Answer::default()
        }
    }

    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("an answer is plain data")
    }
}

impl Question {
    /// Refused when it could not be shown or told apart in full.
    pub fn check(&self) -> Result<(), String> {
        if self.action.trim().is_empty() {
            return Err("an action must be given".into());
        }
        for (what, text, longest) in [
            ("source", &self.source, bounds::QUESTION_NAME),
            ("action", &self.action, bounds::QUESTION_ACTION),
            ("resource", &self.resource, bounds::QUESTION_TEXT),
            ("description", &self.description, bounds::QUESTION_TEXT),
            ("working folder", &self.cwd, bounds::QUESTION_TEXT),
            ("tool's input", &self.input, bounds::QUESTION_INPUT),
        ] {
            if text.len() > longest {
                return Err(format!(
                    "the {what} has {} bytes; at most {longest} can be asked about",
                    text.len()
                ));
            }
        }
        Ok(())
    }

    /// Waits for the answer. Any problem is to be taken as a no.
    pub fn ask_at(&self, socket: &str) -> Result<Answer, String> {
        self.check()?;
        let said = serde_json::to_string(self).expect("a question is plain data") + "\n";
        let wait =
            Duration::from_secs(self.timeout_seconds.into()) + bounds::QUESTION_GRACE.mul_f32(3.0);
        let talk = || -> std::io::Result<String> {
            let address = SocketAddr::from_abstract_name(socket)?;
            let mut stream = UnixStream::connect_addr(&address)?;
            stream.set_read_timeout(Some(wait))?;
            stream.set_write_timeout(Some(bounds::QUESTION_READ))?;
            // The agent may say no before it has heard all.
            let sent = stream.write_all(said.as_bytes());
            let mut answer = String::new();
            BufReader::new(stream.take(bounds::ANSWER)).read_line(&mut answer)?;
            if answer.is_empty() {
                sent?;
            }
            Ok(answer)
        };
        let answer = talk().map_err(|e| format!("the sandbox's agent cannot be asked: {e}"))?;
        serde_json::from_str(&answer).map_err(|_| "the sandbox's agent gave no answer".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_not_be_shown_in_full_is_not_asked() {
        let fits = Question {
            action: "Bash".into(),
            input: "x".repeat(bounds::QUESTION_INPUT),
            ..Question::default()
        };
        assert!(fits.check().is_ok());
        let longer = Question {
            input: "x".repeat(bounds::QUESTION_INPUT + 1),
            ..fits
        };
        assert!(longer.check().unwrap_err().contains("262145 bytes"));
        assert!(Question::default().check().is_err());
    }

    #[test]
    fn nobody_to_ask_is_a_problem_and_no_answer() {
        let question = Question {
            action: "Bash".into(),
            ..Question::default()
        };
        let problem = question.ask_at("bivouac-nobody-listens-here").unwrap_err();
        assert!(problem.contains("cannot be asked"), "{problem}");
    }
}
