//! The agent inside each sandbox (`serve`), and what holds a sandbox up from outside (`supervise`).
mod ask;
mod bounds;
mod clock;
mod code;
mod command;
mod config;
mod file;
mod launch;
mod log;
mod nfs;
mod pod;
mod relay;
mod sealed;
mod serve;
mod signals;
mod supervise;
mod terminal;
mod usage;
mod view;

use std::path::Path;
use std::process::ExitCode;

const HELP: &str = "\
bivouac-agent runs commands inside a Bivouac sandbox.

  bivouac-agent serve --config FILE     inside: dial the relay and run what it asks for
  bivouac-agent pod                     inside: the same as the first process of a Pod, told by BIVOUAC_AGENT
  bivouac-agent install FOLDER          inside: put the agent there, for a container whose image has none
  bivouac-agent usage FOLDER            inside: print what the sandbox uses
  bivouac-agent reach ADDRESS SECONDS   inside: fail unless a TCP connection comes about
  bivouac-agent supervise --spec FILE   outside: start a sandbox with bubblewrap and wait for its end
  bivouac-agent mapped -- COMMAND       outside: run a command as root over one's subordinate ids
  bivouac-agent nfs --config FILE       outside: serve workspaces by NFS until standard input ends
  bivouac-agent ask ...                 inside: ask a person for permission; the same as bivouac-ask
  bivouac-agent --version | --help
";

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().map(|argument| argument.to_string_lossy().into_owned());
    let name = arguments.next().unwrap_or_default();
    let arguments: Vec<String> = arguments.collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if Path::new(&name)
        .file_name()
        .is_some_and(|name| name == ask::NAME)
    {
        return ask::ask(&words);
    }
    if let ["ask", ref rest @ ..] = words[..] {
        return ask::ask(rest);
    }
    let done = match words[..] {
        ["--version"] => {
            println!("bivouac-agent {}", env!("CARGO_PKG_VERSION"));
            Ok(())
        }
        ["--help"] => {
            print!("{HELP}");
            Ok(())
        }
        ["serve", "--config", file] => serve::serve(Path::new(file)),
        ["pod"] => pod::pod(),
        ["install", folder] => pod::install(folder),
        ["usage", folder] => {
            pod::usage::print(folder);
            Ok(())
        }
        ["reach", address, seconds] => pod::reach::reach(address, seconds),
        ["supervise", "--spec", file] => supervise::supervise(Path::new(file)),
        ["nfs", "--config", file] => nfs::nfs(Path::new(file)),
        ["mapped", "--", ref command @ ..] if !command.is_empty() => {
            match supervise::mapped::run(command) {
                Ok(0) => Ok(()),
                Ok(code) => return ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX)),
                Err(message) => Err(message),
            }
        }
        _ => {
            eprintln!(
                "bivouac-agent: usage: serve --config FILE | pod | usage FOLDER | reach ADDRESS SECONDS | supervise --spec FILE | nfs --config FILE | --version | --help"
            );
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("bivouac-agent: {message}");
            ExitCode::FAILURE
        }
    }
}
