//! The template's own command: started at boot in the background, or when a sandbox that was started ahead has an
//! owner. Its output goes into the log.
use super::commands::Commands;
use super::reader::Place;
use super::state::STREAMS;
use crate::config::Config;
use crate::log::Lines;
use crate::relay::wire::{Argv, Run, process_up::Message, run};
use std::sync::Arc;

const ID: &str = "start";

pub fn start(commands: &Arc<Commands>, config: &Config) {
    let Some(words) = config.start_command.clone() else {
        return;
    };
    let run = Run {
        command_id: ID.into(),
        command: Some(run::Command::Argv(Argv { words })),
        background: true,
        ..Run::default()
    };
    match commands.run_command(&run) {
        Ok(place) => {
            tokio::spawn(follow(commands.clone(), place));
        }
        Err(failure) => {
            let message = format!("the start command did not start: {}", failure.message);
            commands.log.agent(&message);
        }
    }
}

async fn follow(commands: Arc<Commands>, place: Place) {
    let mut lines = [Lines::default(), Lines::default()];
    while let Some((message, _)) = place.next().await {
        match message.message {
            Some(Message::Output(output)) => {
                let index = usize::from(output.stream == STREAMS[1] as i32);
                lines[index].push(&output.data, |line| commands.log.line(NAMES[index], line));
            }
            Some(Message::Exit(exit)) => {
                for (index, lines) in lines.iter_mut().enumerate() {
                    lines.finish(|line| commands.log.line(NAMES[index], line));
                }
                let message = format!("the start command ended with {}", exit.code);
                return commands.log.agent(&message);
            }
            _ => {}
        }
    }
}

const NAMES: [&str; 2] = ["stdout", "stderr"];
