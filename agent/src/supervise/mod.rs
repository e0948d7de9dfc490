//! `bivouac-agent supervise`: starts one sandbox with bubblewrap and waits for its end.
//!
//! It outlives whoever started it. The caller's process returns as soon as bubblewrap has been
//! executed; what stays is a small process with a lock on its folder, by which a restarted server
//! sees that the sandbox is held up.
mod arguments;
mod files;
mod forward;
pub mod mapped;
mod mounts;
mod namespace;
mod pod;
mod spec;
mod wait;

use files::Folder;
use forward::Forwarder;
use nix::sys::wait::waitpid;
use nix::unistd::{ForkResult, fork, setsid};
use pod::PodView;
use spec::Spec;
use std::io::{PipeWriter, Read, Write, pipe};
use std::path::Path;

const STARTED: &str = "started";

pub fn supervise(spec: &Path) -> Result<(), String> {
    let spec = Spec::read(spec)?;
    let (mut answer, report) = pipe().map_err(|e| format!("cannot make a pipe: {e}"))?;
    // Twice: the supervisor leads no session, so it can never get a terminal.
    match unsafe { fork() }.map_err(|e| format!("cannot fork: {e}"))? {
        ForkResult::Parent { child } => {
            drop(report);
            // The one in between exits at once; not every first process of a machine buries orphans.
            let _ = waitpid(child, None);
            let mut text = String::new();
            let _ = answer.read_to_string(&mut text);
            match &*text {
                STARTED => Ok(()),
                "" => Err("the supervisor died before the sandbox started".into()),
                problem => Err(problem.to_owned()),
            }
        }
        ForkResult::Child => {
            drop(answer);
            let _ = setsid();
            if let Ok(ForkResult::Child) = unsafe { fork() } {
                hold_up(&spec, report);
            }
            std::process::exit(0)
        }
    }
}

fn hold_up(spec: &Spec, mut report: PipeWriter) {
    let started = files::leave_the_caller().and_then(|()| start(spec));
    let (folder, sandbox, pod, forwarder) = match started {
        Ok(started) => started,
        Err(problem) => {
            let _ = report.write_all(problem.replace('\n', " ").as_bytes());
            std::process::exit(1);
        }
    };
    let _ = report.write_all(STARTED.as_bytes());
    drop(report);
    let agent = sandbox.agent();
    if let Some(pid) = agent {
        folder.write_init(pid);
    }
    if let Some(pod) = &pod {
        pod.leave_to_sandbox();
    }
    if let Some(forwarder) = forwarder
        && let Err(error) = forwarder.start()
    {
        folder.note(&format!("no relay can be reached: {error}"));
    }
    crate::launch::harden::trim_memory();
    let ended = wait::for_the_end(sandbox.bwrap, agent, pod.map(|pod| pod.process), || {
        folder.note("the view of the Pod has ended, and the sandbox with it")
    });
    folder.write_exit(ended);
}

type Started = (
    Folder,
    namespace::Sandbox,
    Option<PodView>,
    Option<Forwarder>,
);

fn start(spec: &Spec) -> Result<Started, String> {
    let folder = Folder::lock(&spec.folder)?;
    wait::block_signals();
    let forwarder = forward::listen(spec)?;
    let pod = pod::show(spec)?;
    let sandbox = namespace::start(spec, &folder)?;
    Ok((folder, sandbox, pod, forwarder))
}
