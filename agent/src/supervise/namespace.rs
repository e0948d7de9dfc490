//! The user namespace with a range of ids, and bubblewrap inside it.
//!
//! Bubblewrap alone maps a single id. So the child makes the namespace, its parent, which has the right to,
//! writes the maps, and bubblewrap is executed as root of that namespace.
use super::arguments::arguments;
use super::files::Folder;
use super::mounts;
use super::spec::Spec;
use super::wait;
use nix::unistd::{ForkResult, Pid, fork};
use std::ffi::CString;
use std::fs::File;
use std::io::{PipeReader, PipeWriter, Read, Write, pipe};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

pub struct Sandbox {
    pub bwrap: libc::pid_t,
    info: PipeReader,
}

/// Who fills the namespace's maps.
enum Maps {
    /// As root: the range asked for.
    Range { base: u32, count: u32 },
    /// As an ordinary user, from its subordinate ids: itself as root, then the range.
    Subordinate(Subordinate),
    /// Bubblewrap itself, with a single id.
    Single,
    /// Nobody: there is no namespace.
    None,
}

pub struct Subordinate {
    uids: (u32, u32),
    gids: (u32, u32),
}

pub fn start(spec: &Spec, folder: &Folder) -> Result<Sandbox, String> {
    let maps = choose(spec);
    let failed = |e: std::io::Error| format!("cannot prepare the sandbox: {e}");
    let (mut ready, mut child_ready) = pipe().map_err(failed)?;
    let (mut child_go, mut go) = pipe().map_err(failed)?;
    let (mut executed, child_executed) = pipe().map_err(failed)?;
    let (info, child_info) = pipe().map_err(failed)?;
    let log = File::create(folder.start_log()).map_err(failed)?;
    let words = arguments(spec, matches!(maps, Maps::Single), child_info.as_raw_fd());
    let own_namespace = matches!(maps, Maps::Range { .. } | Maps::Subordinate(_));
    match unsafe { fork() }.map_err(|e| format!("cannot fork: {e}"))? {
        ForkResult::Child => {
            let mut child_executed = child_executed;
            let become_bwrap = || -> Result<(), String> {
                join(&spec.cgroups)?;
                // Without its own root a sandbox is to see what lies open then.
                if let Some(disk) = spec.own_disk.as_ref().filter(|_| spec.guards.own_root) {
                    mounts::leave_other_disks(disk)?;
                }
                if own_namespace {
                    check("make a user namespace", unsafe {
                        libc::unshare(libc::CLONE_NEWUSER)
                    })?;
                }
                let _ = child_ready.write_all(b".");
                // Without an answer the parent has given up.
                child_go.read_exact(&mut [0]).map_err(|e| e.to_string())?;
                if own_namespace {
                    become_root()?;
                }
                inherit(&child_info, &log)?;
                wait::unblock_signals();
                execute(spec, words)
            };
            if let Err(problem) = become_bwrap() {
                let _ = child_executed.write_all(problem.as_bytes());
            }
            std::process::exit(127)
        }
        ForkResult::Parent { child } => {
            drop((child_ready, child_go, child_executed, child_info));
            let prepared = ready
                .read_exact(&mut [0])
                .map_err(|_| String::new())
                .and_then(|()| write_maps(&maps, child));
            if prepared.is_ok() {
                let _ = go.write_all(b".");
            }
            drop(go);
            let mut problem = String::new();
            let _ = executed.read_to_string(&mut problem);
            match prepared {
                Err(reason) if !reason.is_empty() => Err(reason),
                _ if !problem.is_empty() => Err(problem),
                _ => Ok(Sandbox {
                    bwrap: child.as_raw(),
                    info,
                }),
            }
        }
    }
}

impl Sandbox {
    /// The agent's id, as bubblewrap tells it; None when bubblewrap has failed.
    pub fn agent(&self) -> Option<libc::pid_t> {
        let mut text = Vec::new();
        let mut part = [0; 512];
        while !text.contains(&b'}') {
            match (&self.info).read(&mut part) {
                Ok(count) if count > 0 => text.extend_from_slice(&part[..count]),
                _ => return None,
            }
        }
        let info: serde_json::Value = serde_json::from_slice(&text).ok()?;
        info["child-pid"].as_i64().map(|pid| pid as libc::pid_t)
    }
}

fn choose(spec: &Spec) -> Maps {
    match spec.uid_base {
        Some(base) if spec.guards.user_range => Maps::Range {
            base,
            count: spec.uid_count,
        },
        Some(_) => Maps::None,
        None => subordinate().map_or(Maps::Single, Maps::Subordinate),
    }
}

fn write_maps(maps: &Maps, child: Pid) -> Result<(), String> {
    match maps {
        Maps::Range { base, count } => {
            let line = format!("0 {base} {count}");
            for map in ["gid_map", "uid_map"] {
                let path = format!("/proc/{child}/{map}");
                std::fs::write(&path, &line)
                    .map_err(|e| format!("cannot map ids {base} to {}: {e}", base + count - 1))?;
            }
        }
        Maps::Subordinate(ranges) => map_subordinate(ranges, child)?,
        Maps::Single | Maps::None => {}
    }
    Ok(())
}

/// The user itself as root, then the range.
pub fn map_subordinate(ranges: &Subordinate, child: Pid) -> Result<(), String> {
    run_mapper("newuidmap", child, unsafe { libc::getuid() }, ranges.uids)?;
    run_mapper("newgidmap", child, unsafe { libc::getgid() }, ranges.gids)
}

/// Puts this process under the limits, before bubblewrap unshares its cgroup. A thread that moves itself by the
/// file `tasks` of version 1 needs no lock on the whole system; one that is moved by `cgroup.procs` waits 12 ms
/// for it.
pub fn join(cgroups: &[PathBuf]) -> Result<(), String> {
    for cgroup in cgroups {
        let tasks = cgroup.join("tasks");
        let door = if tasks.exists() {
            tasks
        } else {
            cgroup.join("cgroup.procs")
        };
        std::fs::write(&door, "0").map_err(|e| format!("cannot join {}: {e}", door.display()))?;
    }
    Ok(())
}

fn run_mapper(program: &str, child: Pid, own: u32, range: (u32, u32)) -> Result<(), String> {
    let numbers = [0, own, 1, 1, range.0, range.1].map(|number| number.to_string());
    let status = std::process::Command::new(program)
        .arg(child.to_string())
        .args(numbers)
        .status()
        .map_err(|e| format!("{program}: {e}"))?;
    status
        .success()
        .then_some(())
        .ok_or_else(|| format!("{program} refused"))
}

/// The user's subordinate ids, when there are some and the programs that map them.
pub fn subordinate() -> Option<Subordinate> {
    let installed = |name: &str| {
        ["/usr/bin", "/bin"]
            .iter()
            .any(|folder| std::path::Path::new(folder).join(name).exists())
    };
    if !installed("newuidmap") || !installed("newgidmap") {
        return None;
    }
    let uid = nix::unistd::getuid().to_string();
    let passwd = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let name = passwd
        .lines()
        .find(|line| line.split(':').nth(2) == Some(&uid))
        .and_then(|line| line.split(':').next());
    let range = |file: &str| {
        let text = std::fs::read_to_string(file).ok()?;
        text.lines().find_map(|line| {
            let mut fields = line.split(':');
            let owner = fields.next()?;
            let start = fields.next()?.parse().ok()?;
            let count = fields.next()?.parse().ok()?;
            (owner == uid || Some(owner) == name).then_some((start, count))
        })
    };
    Some(Subordinate {
        uids: range("/etc/subuid")?,
        gids: range("/etc/subgid")?,
    })
}

pub fn become_root() -> Result<(), String> {
    unsafe {
        check(
            "leave the host's groups",
            libc::setgroups(0, std::ptr::null()),
        )?;
        check("become root inside", libc::setresgid(0, 0, 0))?;
        check("become root inside", libc::setresuid(0, 0, 0))
    }
}

/// Bubblewrap keeps the pipe for its report, and a file for its complaints.
fn inherit(info: &PipeWriter, log: &File) -> Result<(), String> {
    unsafe {
        check(
            "pass a pipe on",
            libc::fcntl(info.as_raw_fd(), libc::F_SETFD, 0),
        )?;
        check("open the log", libc::dup2(log.as_raw_fd(), 1))?;
        check("open the log", libc::dup2(log.as_raw_fd(), 2))
    }
}

/// Returns only when it failed.
fn execute(spec: &Spec, words: Vec<std::ffi::OsString>) -> Result<(), String> {
    let bwrap = spec.bwrap.clone().into_os_string();
    let words: Result<Vec<CString>, _> = std::iter::once(bwrap)
        .chain(words)
        .map(|word| CString::new(word.into_vec()))
        .collect();
    let words = words.map_err(|_| "a zero byte where none may be".to_owned())?;
    let Err(reason) = nix::unistd::execve(&words[0], &words, &[] as &[CString]);
    Err(format!(
        "cannot execute {}: {}",
        spec.bwrap.display(),
        reason.desc()
    ))
}

pub fn check(what: &str, result: libc::c_int) -> Result<(), String> {
    match result {
        -1 => Err(format!(
            "cannot {what}: {}",
            std::io::Error::last_os_error()
        )),
        _ => Ok(()),
    }
}
