//! A trivial relay that speaks the real wire, and a real agent that dials it.
#![allow(dead_code, reason = "each test file uses its own part of this")]
pub mod bubble;
pub mod pod;
pub mod reader;
pub mod relay;
pub mod sealed;
pub mod tls;
pub mod typist;
pub mod wire {
    #![allow(clippy::all)]
    include!(concat!(env!("OUT_DIR"), "/relay/bivouac.agent.v1.rs"));
}

pub use reader::{Outcome, Reader};
pub use relay::Relay;
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
#[allow(unused_imports, reason = "only the terminals' tests type")]
pub use typist::{
    Typist, line_in_terminal, numbers, terminal, terminal_of, wait_for_standstill, written,
};
use wire::{Argv, Run, run};

/// The binary under test: the one just built, or the one that BIVOUAC_AGENT_UNDER_TEST names.
pub fn agent_binary() -> PathBuf {
    let named = std::env::var_os("BIVOUAC_AGENT_UNDER_TEST");
    named.map_or(env!("CARGO_BIN_EXE_bivouac-agent").into(), PathBuf::from)
}

pub const WORKLOAD: u32 = 1000;

pub fn is_root() -> bool {
    unsafe { libc::geteuid() == 0 }
}

/// An agent as an ordinary process, with its relay and its folders.
pub struct Sandbox {
    pub relay: Relay,
    pub agent: Child,
    pub folder: tempfile::TempDir,
}

impl Sandbox {
    pub fn start() -> Sandbox {
        Sandbox::with(json!({}))
    }

    /// With `changes` laid over the usual configuration.
    pub fn with(changes: Value) -> Sandbox {
        Sandbox::started(changes, None)
    }

    /// As an ordinary user without any capability, as where the server itself is one.
    pub fn ordinary(changes: Value) -> Sandbox {
        Sandbox::started(changes, Some(WORKLOAD))
    }

    fn started(changes: Value, uid: Option<u32>) -> Sandbox {
        let folder = tempfile::tempdir().unwrap();
        open_to_all(folder.path());
        let workspace = folder.path().join("workspace");
        let sockets = folder.path().join("relay");
        for made in [&workspace, &sockets] {
            std::fs::create_dir(made).unwrap();
        }
        std::fs::write(folder.path().join("token"), "secret\n").unwrap();
        let mut config = json!({
            "sandboxId": "sbx-test",
            "tokenFile": folder.path().join("token"),
            "relay": {"socketFolder": sockets},
            "cwd": workspace,
            "env": {"PATH": "/usr/bin:/bin", "BASE": "base"},
            "logFile": folder.path().join("agent.jsonl"),
            "egressPort": 0,
        });
        if is_root() {
            std::os::unix::fs::chown(&workspace, Some(WORKLOAD), Some(WORKLOAD)).unwrap();
        }
        if uid.is_some() {
            config["logFile"] = json!(workspace.join("agent.jsonl"));
        } else if is_root() {
            config["workload"] = json!({
                "uid": WORKLOAD, "gid": WORKLOAD, "user": "sandbox", "home": workspace, "shell": null
            });
        }
        for (key, value) in changes.as_object().unwrap() {
            config[key] = value.clone();
        }
        let file = folder.path().join("agent.json");
        std::fs::write(&file, config.to_string()).unwrap();
        let relay = Relay::start(&sockets.join("relay.sock"));
        let mut command = Command::new(agent_binary());
        command.args(["serve", "--config"]).arg(&file);
        if let Some(uid) = uid {
            let all = std::fs::Permissions::from_mode(0o666);
            std::fs::set_permissions(sockets.join("relay.sock"), all).unwrap();
            command.uid(uid).gid(uid);
        }
        let agent = command.stdin(Stdio::null()).spawn().unwrap();
        relay.wait_for_agent();
        Sandbox {
            relay,
            agent,
            folder,
        }
    }

    pub fn workspace(&self) -> PathBuf {
        self.folder.path().join("workspace")
    }

    pub fn socket(&self) -> PathBuf {
        self.folder.path().join("relay/relay.sock")
    }

    pub fn run(&self, run: Run) -> Reader {
        self.relay.run(run)
    }

    pub fn shell(&self, line: &str) -> Outcome {
        self.run(shell(line)).finish()
    }

    /// Field of the agent's own /proc/status, in kB where it is a size.
    pub fn status(&self, field: &str) -> String {
        let text = std::fs::read_to_string(format!("/proc/{}/status", self.agent.id())).unwrap();
        let line = text.lines().find(|line| line.starts_with(field)).unwrap();
        line.split_ascii_whitespace().nth(1).unwrap().to_owned()
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        unsafe { libc::kill(self.agent.id() as i32, libc::SIGTERM) };
        let _ = self.agent.wait();
    }
}

pub fn open_to_all(path: &Path) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// A foreground shell line with a name of its own.
pub fn shell(line: &str) -> Run {
    Run {
        command_id: new_id("cmd"),
        reader_id: new_id("reader"),
        command: Some(run::Command::ShellLine(line.into())),
        linger_millis: 30_000,
        ..Run::default()
    }
}

pub fn argv(words: &[&str]) -> Run {
    Run {
        command: Some(run::Command::Argv(Argv {
            words: words.iter().map(|word| (*word).to_owned()).collect(),
        })),
        ..shell("")
    }
}

pub fn new_id(kind: &str) -> String {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(1);
    format!("{kind}-{}", NEXT.fetch_add(1, Ordering::Relaxed))
}

pub fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(15), "never: {what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

pub fn alive(pid: i32) -> bool {
    match std::fs::read_to_string(format!("/proc/{pid}/stat")) {
        Ok(stat) => !stat.rsplit_once(')').unwrap().1.starts_with(" Z"),
        Err(_) => false,
    }
}
