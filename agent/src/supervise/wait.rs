//! The supervisor's long sleep: until the sandbox ends, or somebody asks it to.
use super::files::Ended;
use crate::launch::reaper::exit_code;
use std::mem::zeroed;

/// Bubblewrap reports the agent's end by signal n as 128 + n; the agent itself never exits that high.
const SIGNAL_BASE: i32 = 128;

fn handled() -> libc::sigset_t {
    unsafe {
        let mut set = zeroed();
        libc::sigemptyset(&mut set);
        libc::sigaddset(&mut set, libc::SIGCHLD);
        libc::sigaddset(&mut set, libc::SIGTERM);
        set
    }
}

/// From here on they wait until they are asked for.
pub fn block_signals() {
    unsafe { libc::sigprocmask(libc::SIG_BLOCK, &handled(), std::ptr::null_mut()) };
}

pub fn unblock_signals() {
    unsafe { libc::sigprocmask(libc::SIG_UNBLOCK, &handled(), std::ptr::null_mut()) };
}

/// Should bubblewrap be killed, its agent comes to us as our own child, and we go on waiting for it. A view that
/// ends takes the sandbox along, and the other way round; `view_ended` hears of the first.
pub fn for_the_end(
    bwrap: libc::pid_t,
    agent: Option<libc::pid_t>,
    view: Option<libc::pid_t>,
    view_ended: impl Fn(),
) -> Ended {
    unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) };
    let mut over = false;
    let mut ended = Ended {
        code: 0,
        signal: None,
    };
    loop {
        let mut status = 0;
        match unsafe { libc::waitpid(-1, &mut status, libc::WNOHANG) } {
            0 => {
                let signal = unsafe { libc::sigwaitinfo(&handled(), std::ptr::null_mut()) };
                if signal == libc::SIGTERM && !over {
                    // The id is the agent's as long as bubblewrap, its parent, has not been reaped.
                    unsafe { libc::kill(agent.unwrap_or(bwrap), libc::SIGTERM) };
                }
            }
            pid if pid == bwrap || Some(pid) == agent => {
                ended = interpret(exit_code(status));
                over = !agent.is_some_and(is_our_child);
                if let Some(view) = view.filter(|view| over && is_our_child(*view)) {
                    unsafe { libc::kill(view, libc::SIGKILL) };
                }
            }
            pid if Some(pid) == view && !over => {
                view_ended();
                unsafe { libc::kill(agent.unwrap_or(bwrap), libc::SIGKILL) };
            }
            pid if pid > 0 => {}
            _ => return ended,
        }
    }
}

/// Also one that has ended and was not waited for yet.
fn is_our_child(pid: libc::pid_t) -> bool {
    let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
    unsafe { libc::waitid(libc::P_PID, pid as libc::id_t, &mut zeroed(), options) == 0 }
}

fn interpret(code: i32) -> Ended {
    let signal = match code {
        negative if negative < 0 => Some(-negative),
        high if high > SIGNAL_BASE => Some(high - SIGNAL_BASE),
        _ => None,
    };
    Ended {
        code: signal.map_or(code, |signal| -signal),
        signal,
    }
}

#[cfg(test)]
mod tests {
    use super::interpret;

    #[test]
    fn a_signal_is_a_signal_however_it_is_told() {
        for (code, expected) in [
            (0, (0, None)),
            (1, (1, None)),
            (137, (-9, Some(9))),
            (-9, (-9, Some(9))),
        ] {
            let ended = interpret(code);
            assert_eq!((ended.code, ended.signal), expected);
        }
    }
}
