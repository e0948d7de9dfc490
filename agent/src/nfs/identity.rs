//! Whose rights a call has: those of the sandbox's ordinary user, whoever calls.
use std::marker::PhantomData;

/// The sandbox's ordinary user, as the host numbers it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Identity {
    pub uid: u32,
    pub gid: u32,
}

impl Identity {
    /// Gives this thread the sandbox's rights to files until the guard is dropped; with them go root's own.
    pub fn assume(self) -> Assumed {
        let own = own();
        if self != own {
            switch(self);
        }
        Assumed {
            own,
            assumed: self,
            this_thread: PhantomData,
        }
    }

    /// Whether this process can act for the user at all.
    pub fn can_be_assumed(self) -> bool {
        let own = own();
        if self == own {
            return true;
        }
        let now = set(self);
        set(own);
        now == self
    }
}

/// Ends when dropped. Stays on its thread, whose rights it has changed.
pub struct Assumed {
    own: Identity,
    assumed: Identity,
    this_thread: PhantomData<*const ()>,
}

impl Drop for Assumed {
    fn drop(&mut self) {
        if self.assumed != self.own {
            switch(self.own);
        }
    }
}

/// What follows would be done with another's rights: there is no going on.
fn switch(to: Identity) {
    if set(to) != to {
        eprintln!("bivouac-agent: cannot take the rights of {to:?}");
        std::process::abort();
    }
}

/// The kernel says nothing of a refusal but what counts afterwards.
fn set(to: Identity) -> Identity {
    const ASK: u32 = u32::MAX;
    unsafe {
        // The user last when rights shrink, and first when they grow: either order needs the same capability.
        libc::syscall(libc::SYS_setfsgid, to.gid);
        libc::syscall(libc::SYS_setfsuid, to.uid);
        Identity {
            uid: libc::syscall(libc::SYS_setfsuid, ASK) as u32,
            gid: libc::syscall(libc::SYS_setfsgid, ASK) as u32,
        }
    }
}

fn own() -> Identity {
    unsafe {
        Identity {
            uid: libc::geteuid(),
            gid: libc::getegid(),
        }
    }
}
