//! The only place that waits for children: ours, and the orphans that come to us.
use std::collections::HashMap;
use std::sync::Mutex;
use tokio::sync::oneshot;

/// Gives each exit to whoever started the process, and buries the rest.
#[derive(Default)]
pub struct Reaper {
    waiting: Mutex<HashMap<libc::pid_t, oneshot::Sender<i32>>>,
}

impl Reaper {
    /// Must follow the start with no await in between, so that the exit cannot come first.
    pub fn expect(&self, pid: libc::pid_t) -> oneshot::Receiver<i32> {
        let (sender, receiver) = oneshot::channel();
        self.waiting.lock().unwrap().insert(pid, sender);
        receiver
    }

    /// Reaps all that have exited. True while there are children left.
    pub fn reap(&self) -> bool {
        loop {
            let mut status = 0;
            match unsafe { libc::waitpid(-1, &mut status, libc::WNOHANG | libc::__WALL) } {
                0 => return true,
                pid if pid > 0 => {
                    if let Some(owner) = self.waiting.lock().unwrap().remove(&pid) {
                        let _ = owner.send(exit_code(status));
                    }
                }
                _ => return false,
            }
        }
    }
}

/// By signal n: -n.
pub fn exit_code(status: i32) -> i32 {
    if libc::WIFSIGNALED(status) {
        -libc::WTERMSIG(status)
    } else {
        libc::WEXITSTATUS(status)
    }
}
