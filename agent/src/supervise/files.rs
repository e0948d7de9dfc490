//! The supervisor's folder: how a server that was not there at the start finds the sandbox again.
use crate::clock;
use crate::launch::harden;
use nix::fcntl::{FcntlArg, fcntl};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Locked as long as the supervisor lives; the kernel lets go when it dies, however it dies.
pub struct Folder {
    path: PathBuf,
    _lock: File,
}

/// How the sandbox ended. By signal n the code is -n.
pub struct Ended {
    pub code: i32,
    pub signal: Option<i32>,
}

/// Neither the caller's descriptors nor its folder are kept busy.
pub fn leave_the_caller() -> Result<(), String> {
    harden::stdio_to_null(false).map_err(|e| format!("cannot open /dev/null: {e}"))?;
    std::env::set_current_dir("/").map_err(|e| format!("cannot enter /: {e}"))
}

impl Folder {
    pub fn lock(path: &Path) -> Result<Folder, String> {
        let failed = |e: std::io::Error| format!("{}: {e}", path.display());
        let lock = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path.join("supervisor.lock"))
            .map_err(failed)?;
        let whole = libc::flock {
            l_type: libc::F_WRLCK as i16,
            l_whence: libc::SEEK_SET as i16,
            l_start: 0,
            l_len: 0,
            l_pid: 0,
        };
        fcntl(&lock, FcntlArg::F_SETLK(&whole))
            .map_err(|_| format!("{}: another supervisor holds this sandbox", path.display()))?;
        let folder = Folder {
            path: path.to_owned(),
            _lock: lock,
        };
        for stale in ["exit.json", "init.pid"] {
            let _ = std::fs::remove_file(path.join(stale));
        }
        folder
            .write("supervisor.pid", &std::process::id().to_string())
            .map_err(failed)?;
        Ok(folder)
    }

    /// What bubblewrap says when it cannot make the sandbox.
    pub fn start_log(&self) -> PathBuf {
        self.path.join("start.log")
    }

    /// For whoever asks how it ended.
    pub fn note(&self, text: &str) {
        let log = OpenOptions::new().append(true).open(self.start_log());
        let _ = log.and_then(|mut log| writeln!(log, "{text}"));
    }

    /// The agent's id on the host with its start time, which no later process of that id shares.
    pub fn write_init(&self, pid: libc::pid_t) {
        if let Some(start) = start_time(pid) {
            let _ = self.write("init.pid", &format!("{pid} {start}"));
        }
    }

    pub fn write_exit(&self, ended: Ended) {
        let said = std::fs::read_to_string(self.start_log()).unwrap_or_default();
        let message = said.lines().next_back().unwrap_or_default();
        let text = serde_json::json!({
            "code": ended.code, "signal": ended.signal, "time": clock::now(), "message": message
        });
        let _ = self.write("exit.json", &text.to_string());
    }

    /// Whole or not at all, for a reader at any moment.
    fn write(&self, name: &str, text: &str) -> std::io::Result<()> {
        let part = self.path.join(format!("{name}.part"));
        std::fs::write(&part, text)?;
        std::fs::rename(part, self.path.join(name))
    }
}

/// Field 22 of stat; the name in brackets before it may hold anything.
fn start_time(pid: libc::pid_t) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let after_name = stat.rsplit_once(')')?.1;
    after_name.split_ascii_whitespace().nth(19)?.parse().ok()
}
