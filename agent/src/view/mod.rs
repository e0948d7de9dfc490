//! A Pod's folder as one session may see it: each resource by its own nearest ACL, at each access anew.
//!
//! A process of its own serves it, beside the supervisor and in the sandbox's control group. It has the ids of the
//! Pod's owner and no capabilities, so that it can do nothing in the Pod that its server could not.
mod backing;
mod contents;
mod fuse;
mod handles;
mod names;
mod nodes;
mod pod;
mod rights;
mod shown;
mod watch;

use crate::launch::capabilities;
use backing::Backing;
use fuser::{Config, MountOption, Session, SessionACL};
use nix::fcntl::OFlag;
use nix::sys::stat::Mode;
use pod::Pod;
use shown::View;
use std::path::Path;
use std::sync::Arc;
use watch::Table;

const THREADS: usize = 2;
const LARGEST_FILE: u64 = 16 << 30;
/// For folders that are walked, the device, the table.
const OWN_DESCRIPTORS: u64 = 64;

pub struct Order<'a> {
    /// The Pod's, on the host.
    pub folder: &'a Path,
    /// Where the table is.
    pub rights: &'a Path,
    pub mount: &'a Path,
    /// Whom files seem to belong to.
    pub uid: u32,
}

/// Mounts it and gives up all powers. What is returned serves until the last mount of it is gone.
pub fn prepare(order: &Order) -> Result<impl FnOnce() + use<>, String> {
    let failed = |what: &str, e: &dyn std::fmt::Display| format!("cannot {what}: {e}");
    let (backing, owner) = Backing::open(order.folder)
        .map_err(|e| failed(&format!("open {}", order.folder.display()), &e))?;
    let flags = OFlag::O_PATH | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
    let folder = nix::fcntl::open(order.rights, flags, Mode::empty())
        .map_err(|e| failed(&format!("open {}", order.rights.display()), &e))?;
    let mut table = Table::new(folder);
    let rights = table.look().unwrap_or_default();
    let pod = Arc::new(Pod::new(backing, rights));
    let view = View {
        pod: pod.clone(),
        uid: order.uid,
        gid: order.uid,
    };
    let mut config = Config::default();
    config.mount_options = vec![
        MountOption::FSName("pod".into()),
        MountOption::NoSuid,
        MountOption::NoDev,
    ];
    config.acl = SessionACL::All;
    config.n_threads = Some(THREADS);
    let session = Session::new(view, order.mount, &config)
        .map_err(|e| failed("mount the view of the Pod", &e))?;
    give_up_powers(owner.st_uid, owner.st_gid)?;
    let kernel = session.notifier();
    Ok(move || {
        std::thread::spawn(move || watch::watch(table, &pod, &kernel));
        let _ = session.run();
    })
}

fn give_up_powers(uid: u32, gid: u32) -> Result<(), String> {
    limit(libc::RLIMIT_NOFILE, handles::MOST as u64 + OWN_DESCRIPTORS)?;
    limit(libc::RLIMIT_FSIZE, LARGEST_FILE)?;
    limit(libc::RLIMIT_CORE, 0)?;
    let done = unsafe {
        // A file that grows too large is an error for whoever writes it, not our end.
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
        libc::umask(0);
        libc::setgroups(0, std::ptr::null()) == 0
            && libc::setresgid(gid, gid, gid) == 0
            && libc::setresuid(uid, uid, uid) == 0
            && capabilities::limit(0)
            && libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
            && libc::prctl(libc::PR_SET_DUMPABLE, 0, 0, 0, 0) == 0
    };
    if done {
        Ok(())
    } else {
        let reason = std::io::Error::last_os_error();
        Err(format!("cannot give up the powers of root: {reason}"))
    }
}

fn limit(what: libc::__rlimit_resource_t, most: u64) -> Result<(), String> {
    let limit = libc::rlimit {
        rlim_cur: most,
        rlim_max: most,
    };
    match unsafe { libc::setrlimit(what, &limit) } {
        0 => Ok(()),
        _ => Err(format!(
            "cannot limit the view: {}",
            std::io::Error::last_os_error()
        )),
    }
}
