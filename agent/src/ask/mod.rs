//! `bivouac-ask`: asks a person for permission, from inside the sandbox. Whatever goes wrong is a no.
mod arguments;
mod hook;
pub mod speech;

use arguments::{Arguments, Mode};
use speech::{Answer, Question};
use std::process::ExitCode;

/// The name that the agent's binary goes by when it asks.
pub const NAME: &str = "bivouac-ask";
/// Where the agent listens, unless its configuration says otherwise. No variable changes it: a program's
/// own settings could then lead its hooks to somebody who always says yes.
pub const SOCKET: &str = "bivouac-ask";

const MISUSED: u8 = 2;

pub fn ask(words: &[&str]) -> ExitCode {
    match Arguments::parse(words) {
        Ok(Arguments {
            mode: Mode::Help, ..
        }) => {
            print!("{}", arguments::HELP);
            ExitCode::SUCCESS
        }
        Ok(Arguments {
            mode: Mode::Hook(program),
            socket,
            timeout,
            ..
        }) => hook::answer(program, &socket, timeout),
        Ok(Arguments {
            mode: Mode::Plain { question, json },
            socket,
            ..
        }) => plain(&question, &socket, json),
        Err(problem) => {
            eprintln!("{NAME}: {problem}\nTry {NAME} --help.");
            ExitCode::from(MISUSED)
        }
    }
}

fn plain(question: &Question, socket: &str, json: bool) -> ExitCode {
    let answer = question.ask_at(socket).unwrap_or_else(Answer::no);
    if json {
        println!("{}", answer.to_json());
    } else if !answer.granted {
        eprintln!("{NAME}: denied: {}", answer.reason);
    }
    match answer.granted {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
