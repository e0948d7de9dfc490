//! All processes of a terminal's session: its shell, and every job that the shell has started.
//!
//! A shell with job control gives each job a group of its own, so a signal to one group would miss most.
use crate::bounds;
use std::time::Instant;

/// What a terminal that is closed sends, and TERM with it. A stopped job must run to notice.
const END: [i32; 3] = [libc::SIGTERM, libc::SIGHUP, libc::SIGCONT];

/// Sends the signal to every process of the session. An interactive shell ignores TERM and ends by HUP.
pub fn signal(session: libc::pid_t, signal: i32) {
    let signals = match signal {
        libc::SIGTERM => &END[..],
        _ => &[signal][..],
    };
    for process in members(session) {
        for signal in signals {
            unsafe { libc::kill(process, *signal) };
        }
    }
}

/// Kills until nobody is left: a process may have forked while it was looked for.
pub fn kill(session: libc::pid_t) {
    for _ in 0..bounds::SESSION_KILLS {
        let members = members(session);
        if members.is_empty() {
            return;
        }
        for process in members {
            unsafe { libc::kill(process, libc::SIGKILL) };
        }
    }
}

/// Members that outlived the leader still have to go. They are looked at often, since the session's
/// number means somebody else once it is empty.
pub async fn kill_rest(session: libc::pid_t, at: Instant) {
    while !members(session).is_empty() {
        if Instant::now() >= at {
            return kill(session);
        }
        tokio::time::sleep(bounds::SESSION_LOOK).await;
    }
}

fn members(session: libc::pid_t) -> Vec<libc::pid_t> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    processes
        .filter(|process| session_of(*process) == Some(session))
        .collect()
}

/// None also for one that is dead and waits to be buried.
fn session_of(process: libc::pid_t) -> Option<libc::pid_t> {
    let stat = std::fs::read(format!("/proc/{process}/stat")).ok()?;
    // The name before the last parenthesis is the workload's to choose; the rest are words of ASCII.
    let name_end = stat.iter().rposition(|byte| *byte == b')')?;
    let rest = std::str::from_utf8(&stat[name_end + 1..]).ok()?;
    let mut fields = rest.split_ascii_whitespace();
    let state = fields.next()?;
    let session = fields.nth(2)?.parse().ok()?;
    (state != "Z").then_some(session)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_found_in_its_own_session() {
        let own = std::process::id() as libc::pid_t;
        let session = unsafe { libc::getsid(0) };
        assert!(members(session).contains(&own));
        assert!(!members(libc::pid_t::MAX).contains(&own));
    }
}
