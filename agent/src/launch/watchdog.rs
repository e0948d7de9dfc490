//! Keeps the agent from waiting for ever for a child between clone and exec.
//!
//! The agent sleeps until its child has executed (vfork). In the moment after the child has become the
//! workload's user, the workload may send it SIGSTOP; then neither would ever go on. This thread
//! continues such a child, and in the end kills it. It sleeps for good while nothing is started.
use crate::bounds;
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering::SeqCst};
use std::time::Instant;

/// The child being started, or 0. The kernel itself writes it (CLONE_PARENT_SETTID).
static CHILD: AtomicI32 = AtomicI32::new(0);
/// Rises at the beginning and at the end of each start: odd while one is under way.
static STARTS: AtomicU32 = AtomicU32::new(0);
static ASLEEP: AtomicU32 = AtomicU32::new(0);

/// Where clone writes the child's id.
pub fn child() -> *mut libc::pid_t {
    CHILD.as_ptr()
}

pub fn begin() {
    STARTS.fetch_add(1, SeqCst);
    if ASLEEP.swap(0, SeqCst) == 1 {
        futex(libc::FUTEX_WAKE, 1);
    }
}

pub fn end() {
    CHILD.store(0, SeqCst);
    STARTS.fetch_add(1, SeqCst);
}

pub fn start() -> std::io::Result<()> {
    let builder = std::thread::Builder::new()
        .name("watchdog".into())
        .stack_size(16 * 1024);
    builder.spawn(watch).map(drop)
}

fn watch() {
    loop {
        let seen = STARTS.load(SeqCst);
        std::thread::sleep(bounds::SPAWN_STUCK);
        if STARTS.load(SeqCst) == seen {
            if seen % 2 == 1 {
                free(seen);
            } else {
                sleep_until_a_start(seen);
            }
        }
    }
}

fn free(stuck: u32) {
    let since = Instant::now();
    while STARTS.load(SeqCst) == stuck {
        let child = CHILD.load(SeqCst);
        let lost = since.elapsed() > bounds::SPAWN_LOST;
        if child > 0 {
            unsafe { libc::kill(child, if lost { libc::SIGKILL } else { libc::SIGCONT }) };
        }
        std::thread::sleep(bounds::SPAWN_STUCK);
    }
}

fn sleep_until_a_start(seen: u32) {
    ASLEEP.store(1, SeqCst);
    // A start between the two lines above has cleared the word already, or is seen here.
    while ASLEEP.load(SeqCst) == 1 && STARTS.load(SeqCst) == seen {
        futex(libc::FUTEX_WAIT, 1);
    }
    ASLEEP.store(0, SeqCst);
}

fn futex(operation: libc::c_int, value: u32) {
    let operation = operation | libc::FUTEX_PRIVATE_FLAG;
    unsafe {
        libc::syscall(
            libc::SYS_futex,
            ASLEEP.as_ptr(),
            operation,
            value,
            std::ptr::null::<libc::timespec>(),
        )
    };
}
