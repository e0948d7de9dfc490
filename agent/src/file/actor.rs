//! Whose permissions an operation has: the thread that does it becomes that user for the kernel's file checks, for good.
//!
//! Only the ids that files are checked against are changed. With the others a thread would belong to the workload's user, who
//! could then send it signals. Capabilities go as they do for a command, and the thread ends with its operation.
use super::fault::{Fault, Outcome};
use crate::config::Config;
use crate::launch::{capabilities, users::User};
use crate::relay::wire::file_failure::Kind;
use std::path::Path;

#[derive(Clone)]
pub struct Actor {
    /// None: the agent's own ids, where there are no others.
    user: Option<User>,
    capabilities: Option<u64>,
}

impl Actor {
    pub fn find(asked: &str, config: &Config) -> Outcome<Actor> {
        let user = match (&config.workload, asked) {
            (None, "") => None,
            (None, _) => {
                return Err(Fault::new(
                    Kind::Unsupported,
                    "This sandbox has one user only.",
                ));
            }
            (Some(workload), "") => Some(User::ordinary(workload)),
            (Some(workload), name) if name == workload.user => Some(User::ordinary(workload)),
            (Some(_), asked) => Some(
                User::find(asked, Path::new("/etc"))
                    .ok_or_else(|| Fault::invalid(format!("user: there is no {asked} here.")))?,
            ),
        };
        let user = user.filter(|_| config.guards.switch_user);
        let is_root = match &user {
            Some(user) => user.uid == 0,
            None => unsafe { libc::geteuid() == 0 },
        };
        let kept = if is_root { capabilities::ROOT } else { 0 };
        Ok(Actor {
            user,
            capabilities: config.guards.drop_capabilities.then_some(kept),
        })
    }

    pub fn uid(&self) -> u32 {
        match &self.user {
            Some(user) => user.uid,
            None => unsafe { libc::geteuid() },
        }
    }

    /// Changes the calling thread alone: libc's own calls would tell all threads of the agent.
    pub fn act(&self) -> Outcome<()> {
        if let Some(user) = &self.user {
            unsafe {
                if libc::syscall(libc::SYS_setgroups, user.groups.len(), user.groups.as_ptr()) < 0 {
                    return Err(refused());
                }
                libc::syscall(libc::SYS_setfsgid, user.gid);
                libc::syscall(libc::SYS_setfsuid, user.uid);
                // Both give the former id, whether they did anything or not.
                let gid = libc::syscall(libc::SYS_setfsgid, u32::MAX) as u32;
                let uid = libc::syscall(libc::SYS_setfsuid, u32::MAX) as u32;
                if (uid, gid) != (user.uid, user.gid) {
                    return Err(refused());
                }
            }
        }
        match self.capabilities {
            Some(kept) if !capabilities::limit(kept & capabilities::permitted()) => Err(refused()),
            _ => Ok(()),
        }
    }
}

fn refused() -> Fault {
    Fault::invalid("user: the sandbox does not map this id.")
}
