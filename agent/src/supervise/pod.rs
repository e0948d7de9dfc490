//! The process that shows a Pod to the sandbox, and the mounts of the supervisor's own in which it does.
use super::namespace::{check, join};
use super::spec::{Root, Spec};
use crate::view;
use nix::unistd::{ForkResult, fork};
use std::ffi::CString;
use std::io::{PipeWriter, Read, Write, pipe};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

const READY: &str = "ready";

/// What a program of the host needs to start at all, and bubblewrap to make a sandbox.
const HOST: [&str; 11] = [
    "/bin", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/proc", "/sbin", "/sys", "/usr",
];

pub struct PodView {
    pub process: libc::pid_t,
    /// Ours, with the mount and the table.
    folder: PathBuf,
    pod: PathBuf,
}

/// Before bubblewrap, whose sandbox gets it by ordinary binds.
pub fn show(spec: &Spec) -> Result<Option<PodView>, String> {
    let Some(view) = &spec.view else {
        return Ok(None);
    };
    let folder = spec.folder.join("view");
    let mount = folder.join("mount");
    mounts_of_our_own(spec)?;
    let failed = |e: std::io::Error| format!("cannot show the Pod: {e}");
    let (mut answer, report) = pipe().map_err(failed)?;
    let supervisor = std::process::id();
    match unsafe { fork() }.map_err(|e| format!("cannot fork: {e}"))? {
        ForkResult::Child => {
            drop(answer);
            let order = view::Order {
                folder: &view.folder,
                rights: &folder,
                mount: &mount,
                uid: view.uid,
            };
            serve(&order, &spec.cgroups, supervisor, report);
            std::process::exit(0)
        }
        ForkResult::Parent { child } => {
            drop(report);
            let mut text = String::new();
            let _ = answer.read_to_string(&mut text);
            match &*text {
                READY => Ok(Some(PodView {
                    process: child.as_raw(),
                    folder,
                    pod: view.folder.clone(),
                })),
                "" => Err("the view of the Pod died before it was ready".into()),
                problem => Err(problem.to_owned()),
            }
        }
    }
}

fn serve(order: &view::Order, cgroups: &[PathBuf], supervisor: u32, report: PipeWriter) {
    // Nothing of the supervisor's: its caller waits until all have closed their end.
    let mut report = leave_all_but(report);
    let prepared = join(cgroups).and_then(|()| view::prepare(order));
    let serve = match prepared {
        Ok(serve) => serve,
        Err(problem) => {
            let _ = report.write_all(problem.as_bytes());
            return;
        }
    };
    // After the change of ids, which takes it back.
    unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0) };
    if unsafe { libc::getppid() } as u32 != supervisor {
        return;
    }
    let _ = report.write_all(READY.as_bytes());
    drop(report);
    serve();
}

fn leave_all_but(report: PipeWriter) -> PipeWriter {
    let kept = report.as_raw_fd() as u32;
    unsafe {
        if kept > 3 {
            libc::syscall(libc::SYS_close_range, 3, kept - 1, 0);
        }
        libc::syscall(libc::SYS_close_range, kept + 1, u32::MAX, 0);
    }
    report
}

/// A copy of the host's mounts, in which the view is mounted: it ends with us, and nobody else comes across it.
/// Other sandboxes' disks must not be in it, or they would stay busy as long as we live.
fn mounts_of_our_own(spec: &Spec) -> Result<(), String> {
    unsafe {
        check("have mounts of our own", libc::unshare(libc::CLONE_NEWNS))?;
        let flags = libc::MS_REC | libc::MS_SLAVE;
        let none = std::ptr::null();
        let done = libc::mount(none, c"/".as_ptr(), none, flags, std::ptr::null());
        check("keep mounts to ourselves", done)?;
    }
    let mut needed: Vec<&Path> = HOST.iter().map(Path::new).collect();
    needed.extend([&*spec.folder, &*spec.bwrap, &*spec.agent]);
    needed.extend(spec.binds.iter().map(|bind| &*bind.source));
    needed.extend(spec.cgroups.iter().map(|cgroup| &**cgroup));
    needed.extend(spec.view.iter().map(|view| &*view.folder));
    if let Root::Tree { tree } = &spec.root {
        needed.push(tree);
    }
    keep_mounts(|place| {
        let is_needed = |path: &&Path| path.starts_with(place) || place.starts_with(path);
        needed.iter().any(is_needed)
    })
}

fn keep_mounts(is_needed: impl Fn(&Path) -> bool) -> Result<(), String> {
    let table = std::fs::read("/proc/self/mountinfo").map_err(|e| format!("mountinfo: {e}"))?;
    let lines = table.split(|byte| *byte == b'\n');
    let mut places: Vec<PathBuf> = lines.filter_map(place).collect();
    // Those on top of others first.
    places.reverse();
    for place in places {
        if !is_needed(&place) {
            detach(&place);
        }
    }
    Ok(())
}

/// The fifth field, in which odd characters are written as octal numbers.
fn place(line: &[u8]) -> Option<PathBuf> {
    let field = line.split(|byte| *byte == b' ').nth(4)?;
    let mut path = Vec::new();
    let mut rest = field;
    while let Some((&byte, after)) = rest.split_first() {
        let octal = after.get(..3).filter(|_| byte == b'\\');
        let value = octal
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 8).ok());
        path.push(value.unwrap_or(byte));
        rest = if value.is_some() { &after[3..] } else { after };
    }
    Some(PathBuf::from(std::ffi::OsStr::from_bytes(&path)))
}

fn detach(place: &Path) {
    if let Ok(path) = CString::new(place.as_os_str().as_bytes()) {
        // One that is gone already, with the one that it was on, is no harm.
        unsafe { libc::umount2(path.as_ptr(), libc::MNT_DETACH) };
    }
}

impl PodView {
    /// From now on only the sandbox has it, and it ends with the sandbox. Nor are the sandbox's disk and whatever
    /// else it was made of kept busy by us; what is left leads to our own folder and to the Pod's.
    pub fn leave_to_sandbox(&self) {
        detach(&self.folder.join("mount"));
        let _ = keep_mounts(|place| {
            self.folder.starts_with(place)
                || self.pod.starts_with(place)
                || place.starts_with(&self.pod)
                || place == Path::new("/proc")
                // For the names of relays that connections are forwarded to.
                || place.starts_with("/etc")
        });
    }
}

#[cfg(test)]
mod tests {
    use super::place;
    use std::path::Path;

    #[test]
    fn odd_places_are_read_as_they_are() {
        let line = b"36 35 98:0 / /mnt/a\\040b\\134c rw,noatime master:1 - ext4 /dev/root rw";
        assert_eq!(place(line).unwrap(), Path::new("/mnt/a b\\c"));
        assert_eq!(place(b""), None);
    }
}
