//! The flags of `bivouac-ask`.
use super::hook::Program;
use super::speech::Question;
use super::{NAME, SOCKET};
use crate::bounds;

pub const HELP: &str = "\
bivouac-ask asks a person for permission and waits for the answer.

  bivouac-ask --action WHAT [--resource ON] [--description WHY] [--source WHO] [--timeout SECONDS] [--json]
  bivouac-ask --hook claude|codex [--timeout SECONDS]

  --action       what is to be done, such as file_write
  --resource     with what: a path, a command, an address
  --description  why, in a sentence for the person who decides
  --source       the program that asks, as it calls itself; script unless given
  --timeout      how long to wait for an answer, 1 to 3600; 60 unless given
  --json         print the answer as a line of JSON
  --hook         read a program's hook input from stdin and answer in its format

Exit code 0: granted. 1: denied, also when nobody answers in time. 2: not understood.

  bivouac-ask --action deploy --resource production --description 'Release 1.4' && ./deploy
";

const USUAL_TIMEOUT: u32 = 60;
/// Programs wait longer for their hooks than a script's author would.
const HOOK_TIMEOUT: u32 = 300;

pub enum Mode {
    Help,
    Hook(Program),
    Plain { question: Question, json: bool },
}

pub struct Arguments {
    pub mode: Mode,
    pub socket: String,
    pub timeout: u32,
}

impl Arguments {
    pub fn parse(words: &[&str]) -> Result<Arguments, String> {
        let mut question = Question {
            source: "script".into(),
            ..Question::default()
        };
        let (mut json, mut help, mut hook, mut timeout) = (false, false, None, None);
        let mut socket = SOCKET.to_owned();
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            let (flag, inline) = match word.split_once('=') {
                Some((flag, value)) => (flag, Some(value)),
                None => (*word, None),
            };
            let mut value = || {
                inline
                    .or_else(|| rest.next().copied())
                    .map(str::to_owned)
                    .ok_or(format!("{flag} needs a value"))
            };
            match flag {
                "--action" => question.action = value()?,
                "--resource" => question.resource = value()?,
                "--description" => question.description = value()?,
                "--source" => question.source = value()?,
                "--timeout" => timeout = Some(seconds(&value()?)?),
                "--hook" => hook = Some(Program::named(&value()?)?),
                // For tests, where many agents share one network namespace.
                "--socket" => socket = value()?,
                "--json" if inline.is_none() => json = true,
                "--help" | "-h" if inline.is_none() => help = true,
                _ => return Err(format!("there is no {word:?}")),
            }
        }
        let timeout = timeout.unwrap_or(match hook {
            Some(_) => HOOK_TIMEOUT,
            None => USUAL_TIMEOUT,
        });
        let mode = match hook {
            _ if help => Mode::Help,
            Some(_) if json || !question.action.is_empty() => {
                return Err("--hook takes only --timeout".into());
            }
            Some(program) => Mode::Hook(program),
            None => {
                question.timeout_seconds = timeout;
                question.cwd = working_folder();
                question.check()?;
                Mode::Plain { question, json }
            }
        };
        Ok(Arguments {
            mode,
            socket,
            timeout,
        })
    }
}

pub fn working_folder() -> String {
    let folder = std::env::current_dir().unwrap_or_default();
    folder.to_string_lossy().into_owned()
}

fn seconds(text: &str) -> Result<u32, String> {
    let longest = bounds::LONGEST_QUESTION.as_secs() as u32;
    match text.parse() {
        Ok(seconds) if (1..=longest).contains(&seconds) => Ok(seconds),
        _ => Err(format!("{NAME} waits 1 to {longest} seconds, not {text:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(words: &[&str]) -> String {
        Arguments::parse(words).err().expect("a refusal")
    }

    #[test]
    fn flags_may_be_spelled_with_an_equals_sign() {
        let words = [
            "--action=write",
            "--resource",
            "/etc/hosts",
            "--timeout=5",
            "--source=aider",
        ];
        let Ok(Arguments {
            mode: Mode::Plain { question, json },
            ..
        }) = Arguments::parse(&words)
        else {
            panic!("not plain")
        };
        assert_eq!(
            (&*question.action, &*question.resource, json),
            ("write", "/etc/hosts", false)
        );
        assert_eq!((question.timeout_seconds, &*question.source), (5, "aider"));
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        assert!(problem(&[]).contains("action"));
        assert!(problem(&["--action"]).contains("needs a value"));
        assert!(problem(&["--action", "a", "--timeout", "0"]).contains("3600"));
        assert!(problem(&["--action", "a", "--timeout", "3601"]).contains("3600"));
        assert!(problem(&["--action", "a", "more"]).contains("more"));
        assert!(problem(&["--hook", "vim"]).contains("claude"));
        assert!(problem(&["--hook", "codex", "--json"]).contains("--hook"));
    }
}
