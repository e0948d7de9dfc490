//! A sandbox made by the real supervisor with the real bubblewrap.
use super::{Relay, agent_binary, alive, open_to_all, wait_until};
use serde_json::{Value, json};
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::PathBuf;
use std::process::{Command, Output};

pub const UID_BASE: u32 = 1_000_000;

pub struct Bubble {
    pub relay: Relay,
    pub folder: tempfile::TempDir,
}

/// Why these tests cannot run here, if they cannot.
pub fn missing() -> Option<&'static str> {
    if !super::is_root() {
        Some("only root can give a sandbox a range of ids")
    } else if !PathBuf::from("/usr/bin/bwrap").exists() {
        Some("bubblewrap is not installed")
    } else {
        None
    }
}

impl Bubble {
    pub fn start(changes: Value) -> Bubble {
        let bubble = Bubble::prepare(changes);
        let output = bubble.supervise();
        assert!(output.status.success(), "{output:?}");
        if !bubble.relay.has_agent_soon() {
            let log = bubble.folder.path().join("run/log/agent.jsonl");
            panic!(
                "{} {:?}",
                bubble.read("start.log"),
                std::fs::read_to_string(log)
            );
        }
        bubble
    }

    /// All but the start.
    pub fn prepare(changes: Value) -> Bubble {
        let folder = tempfile::tempdir().unwrap();
        open_to_all(folder.path());
        let path = |name: &str| folder.path().join(name);
        for name in ["run", "run/relay", "run/log", "workspace"] {
            std::fs::create_dir(path(name)).unwrap();
        }
        std::fs::copy(agent_binary(), path("bivouac-agent")).unwrap();
        std::fs::write(path("run/token"), "secret").unwrap();
        std::fs::write(
            path("passwd"),
            "root:x:0:0::/root:/bin/sh\nsandbox:x:1000:1000::/workspace:/bin/sh\n",
        )
        .unwrap();
        let config = json!({
            "sandboxId": "sbx-bubble",
            "tokenFile": "/run/bivouac/token",
            "relay": {"socketFolder": "/run/bivouac/relay"},
            "workload": {"uid": 1000, "gid": 1000, "user": "sandbox", "home": "/workspace", "shell": null},
            "env": {"PATH": "/usr/bin:/bin"},
            "logFile": "/run/bivouac/log/agent.jsonl",
        });
        std::fs::write(path("run/agent.json"), config.to_string()).unwrap();
        std::fs::set_permissions(path("run/token"), std::fs::Permissions::from_mode(0o600))
            .unwrap();
        for name in ["run/token", "run/log"] {
            chown(path(name), Some(UID_BASE), Some(UID_BASE)).unwrap();
        }
        chown(
            path("workspace"),
            Some(UID_BASE + 1000),
            Some(UID_BASE + 1000),
        )
        .unwrap();
        let relay = Relay::start(&path("run/relay/relay.sock"));
        let all = std::fs::Permissions::from_mode(0o666);
        std::fs::set_permissions(path("run/relay/relay.sock"), all).unwrap();
        let mut spec = json!({
            "sandboxId": "sbx-bubble",
            "folder": folder.path(),
            "agent": path("bivouac-agent"),
            "uidBase": UID_BASE,
            "uidCount": 65536,
            "hostname": "bubble",
            "root": {"host": true},
            "binds": [
                {"source": path("run"), "target": "/run/bivouac"},
                {"source": path("workspace"), "target": "/workspace"},
                {"source": path("passwd"), "target": "/etc/passwd", "readOnly": true},
            ],
        });
        for (key, value) in changes.as_object().unwrap() {
            spec[key] = value.clone();
        }
        std::fs::write(path("spec.json"), spec.to_string()).unwrap();
        Bubble { relay, folder }
    }

    pub fn supervise(&self) -> Output {
        let spec = self.folder.path().join("spec.json");
        Command::new(agent_binary())
            .args(["supervise", "--spec"])
            .arg(spec)
            .output()
            .unwrap()
    }

    pub fn supervisor(&self) -> i32 {
        self.read("supervisor.pid").parse().unwrap()
    }

    /// The agent's id on the host.
    pub fn init(&self) -> i32 {
        let path = self.folder.path().join("init.pid");
        wait_until("init.pid is written", || path.exists());
        self.read("init.pid")
            .split(' ')
            .next()
            .unwrap()
            .parse()
            .unwrap()
    }

    pub fn exit(&self) -> Value {
        let path = self.folder.path().join("exit.json");
        wait_until("exit.json is written", || path.exists());
        serde_json::from_str(&self.read("exit.json")).unwrap()
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(name)).unwrap()
    }
}

impl Drop for Bubble {
    fn drop(&mut self) {
        let Ok(text) = std::fs::read_to_string(self.folder.path().join("init.pid")) else {
            return;
        };
        let pid: i32 = text.split(' ').next().unwrap().parse().unwrap();
        unsafe { libc::kill(pid, libc::SIGKILL) };
        wait_until("the sandbox is gone", || !alive(pid));
    }
}
