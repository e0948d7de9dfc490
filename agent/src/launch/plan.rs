//! From what the relay asked for to a plan that the kernel understands, or a clear refusal.
use super::spawn::{Failed, Identity, Plan, Step};
use super::users::User;
use super::{capabilities, trusted};
use crate::bounds;
use crate::config::Config;
use crate::relay::wire::{self, Failure, Run, failure::Kind, run};
use crate::terminal::shell;
use std::collections::BTreeMap;
use std::ffi::CString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

const FALLBACK_PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const FALLBACK_SHELL: &str = "/bin/sh";
const DEFAULT_TERM: &str = "xterm-256color";
/// Folders of PATH that are searched.
const LONGEST_PATH: usize = 64;

pub fn plan(run: &Run, config: &Config) -> Result<Plan, Failure> {
    let cwd = match &*run.cwd {
        "" => config.cwd.clone(),
        relative if !relative.starts_with('/') => format!("{}/{relative}", config.cwd),
        absolute => absolute.to_owned(),
    };
    let user = user(&run.user, config)?;
    let mut env = environment(run, config, user.as_ref())?;
    if let Some(terminal) = &run.terminal {
        terminal_environment(terminal, &mut env)?;
    }
    let (path, words) = match &run.command {
        None if run.terminal.is_some() => login_shell(run, user.as_ref(), &mut env)?,
        _ if !run.trusted_executables.is_empty() => {
            let path = trusted::find(&run.trusted_executables, user.as_ref())?;
            let mut words = words(run)?;
            // Interpreters find their libraries by it.
            words[0].clone_from(&path);
            (path, words)
        }
        _ => {
            let words = words(run)?;
            (executable(&words[0], env.get("PATH"), &cwd)?, words)
        }
    };
    let switches = config.guards.switch_user;
    let becomes_root = match &user {
        Some(user) if switches => user.uid == 0,
        _ => unsafe { libc::geteuid() == 0 },
    };
    Ok(Plan {
        path: text(path)?,
        argv: words.into_iter().map(text).collect::<Result<_, _>>()?,
        env: env
            .into_iter()
            .map(|(name, value)| text(format!("{name}={value}")))
            .collect::<Result<_, _>>()?,
        cwd: text(cwd)?,
        terminal: run.terminal.is_some(),
        identity: user.filter(|_| switches).map(|user| Identity {
            uid: user.uid,
            gid: user.gid,
            groups: user.groups,
        }),
        capabilities: config.guards.drop_capabilities.then_some(if becomes_root {
            capabilities::ROOT
        } else {
            0
        }),
    })
}

/// What a list of commands shows.
pub fn describe(run: &Run) -> String {
    let mut line = match &run.command {
        Some(run::Command::ShellLine(line)) => line.clone(),
        Some(run::Command::Argv(argv)) => argv.words.join(" "),
        None => String::new(),
    };
    wire::cut(&mut line, bounds::COMMAND_TEXT);
    line
}

/// Why a plan did not become a process, in words.
pub fn explain(plan: &Plan, failed: &Failed) -> Failure {
    let path = plan.path.to_string_lossy();
    let reason = std::io::Error::from_raw_os_error(failed.errno);
    Failure::cannot_start(match (failed.step, failed.errno) {
        (Step::Execute, libc::ENOENT) if Path::new(&*path).exists() => {
            format!("the interpreter of {path} is missing")
        }
        (Step::Execute, libc::ENOENT | libc::ENOTDIR) => format!("no such file: {path}"),
        (Step::Execute, libc::EACCES | libc::ENOEXEC) => format!("not executable: {path}"),
        (Step::Execute, libc::E2BIG) => "arguments and environment are too long".into(),
        (Step::Folder, libc::ENOENT | libc::ENOTDIR) => {
            format!("no such folder: {}", plan.cwd.to_string_lossy())
        }
        (Step::Folder, _) => format!("cannot enter {}: {reason}", plan.cwd.to_string_lossy()),
        (Step::Clone, libc::EAGAIN) => "the sandbox has too many processes".into(),
        (Step::Clone, libc::ENOMEM) => "the sandbox is out of memory".into(),
        (Step::Identity, libc::EINVAL) => "no such user: the sandbox does not map this id".into(),
        (Step::Killed, _) => format!("killed before it could start: {path}"),
        (Step::Terminal, _) => format!("no terminal for {path}: {reason}"),
        (step, _) => format!("cannot start {path}: {step:?}: {reason}"),
    })
}

fn words(run: &Run) -> Result<Vec<String>, Failure> {
    match &run.command {
        Some(run::Command::ShellLine(line)) => Ok(vec!["sh".into(), "-c".into(), line.clone()]),
        Some(run::Command::Argv(argv)) if argv.words.first().is_some_and(|w| !w.is_empty()) => {
            Ok(argv.words.clone())
        }
        _ => Err(Failure::invalid("no command given")),
    }
}

fn user(asked: &str, config: &Config) -> Result<Option<User>, Failure> {
    match (&config.workload, asked) {
        (None, "") => Ok(None),
        (None, _) => Err(Failure::new(
            Kind::Unsupported,
            "this sandbox has one user only",
        )),
        (Some(workload), "") => Ok(Some(User::ordinary(workload))),
        (Some(workload), name) if name == workload.user => Ok(Some(User::ordinary(workload))),
        (Some(_), asked) => User::find(asked, Path::new("/etc"))
            .map(Some)
            .ok_or_else(|| Failure::cannot_start(format!("no such user: {asked}"))),
    }
}

fn environment(
    run: &Run,
    config: &Config,
    user: Option<&User>,
) -> Result<BTreeMap<String, String>, Failure> {
    let mut env = config.environment();
    env.entry("PATH".into()).or_insert(FALLBACK_PATH.into());
    if let Some(user) = user {
        env.insert("HOME".into(), user.home.clone());
        env.insert("USER".into(), user.name.clone());
        env.insert("LOGNAME".into(), user.name.clone());
        let shell = user.shell.as_deref().unwrap_or(FALLBACK_SHELL);
        env.insert("SHELL".into(), shell.into());
    }
    for (name, value) in &run.env {
        if name.is_empty() || name.contains('=') {
            return Err(Failure::invalid(format!("not a variable's name: {name:?}")));
        }
        env.insert(name.clone(), value.clone());
    }
    Ok(env)
}

/// What programs expect to find out about the terminal they run in.
fn terminal_environment(
    terminal: &wire::Terminal,
    env: &mut BTreeMap<String, String>,
) -> Result<(), Failure> {
    let term = match &*terminal.term {
        "" => DEFAULT_TERM,
        term => term,
    };
    let is_name = |c: char| c.is_ascii_graphic() && c != '/';
    if term.len() > bounds::TERM || !term.chars().all(is_name) {
        return Err(Failure::invalid("not a terminal's name in TERM"));
    }
    env.insert("TERM".into(), term.into());
    // The size is the terminal's own, and changes.
    env.remove("COLUMNS");
    env.remove("LINES");
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"];
    if !locale.iter().any(|name| env.contains_key(*name)) {
        env.insert("LANG".into(), "C.UTF-8".into());
    }
    Ok(())
}

fn login_shell(
    run: &Run,
    user: Option<&User>,
    env: &mut BTreeMap<String, String>,
) -> Result<(String, Vec<String>), Failure> {
    let asked = run.env.get("SHELL").map(String::as_str);
    let own = match user {
        Some(user) => user.shell.as_deref(),
        None => env.get("SHELL").map(String::as_str),
    };
    let path = env.get("PATH").map_or("", String::as_str);
    let shell = shell::find(asked.or(own), path)
        .ok_or_else(|| Failure::cannot_start("there is no shell in this sandbox"))?;
    env.insert("SHELL".into(), shell.clone());
    let name = shell::login_name(&shell);
    Ok((shell, vec![name]))
}

/// A word with a slash is a path, from the working folder; any other is looked for in PATH.
fn executable(word: &str, path: Option<&String>, cwd: &str) -> Result<String, Failure> {
    if word.contains('/') {
        return Ok(word.to_owned());
    }
    let mut found = None;
    let folders = path.map_or("", String::as_str).split(':');
    for folder in folders.take(LONGEST_PATH) {
        let candidate: PathBuf = [cwd, folder, word].iter().collect();
        let Ok(metadata) = candidate.metadata() else {
            continue;
        };
        if metadata.is_file() {
            let candidate = candidate.to_string_lossy().into_owned();
            if metadata.permissions().mode() & 0o111 != 0 {
                return Ok(candidate);
            }
            found.get_or_insert(candidate);
        }
    }
    Err(Failure::cannot_start(match found {
        Some(plain) => format!("not executable: {plain}"),
        None => format!("no such file: {word}"),
    }))
}

fn text(text: String) -> Result<CString, Failure> {
    CString::new(text).map_err(|_| Failure::invalid("a zero byte where none may be"))
}
