//! Why an operation on files was not done, in the wire's terms.
use crate::bounds;
use crate::relay::wire::{FileFailure, cut, file_failure::Kind};
use std::io;

/// Ends an operation early.
#[derive(Debug)]
pub enum Fault {
    Failed(FileFailure),
    /// Nobody waits for the answer any more.
    Left,
}

pub type Outcome<T> = Result<T, Fault>;

impl Fault {
    pub fn new(kind: Kind, message: impl Into<String>) -> Fault {
        Fault::sized(kind, message, 0)
    }

    pub fn sized(kind: Kind, message: impl Into<String>, size: u64) -> Fault {
        let mut message = message.into();
        cut(&mut message, bounds::FAILURE_TEXT);
        Fault::Failed(FileFailure {
            kind: kind.into(),
            message,
            size,
        })
    }

    pub fn invalid(message: impl Into<String>) -> Fault {
        Fault::new(Kind::Invalid, message)
    }

    pub fn not_permitted(message: impl Into<String>) -> Fault {
        Fault::new(Kind::NotPermitted, message)
    }

    /// What the kernel said about `path`.
    pub fn of(error: &io::Error, path: &str) -> Fault {
        let code = error.raw_os_error().unwrap_or(libc::EIO);
        let (kind, message) = match code {
            libc::ENOENT => (Kind::NotFound, format!("There is no {path}.")),
            libc::EEXIST => (Kind::Exists, format!("{path} is there already.")),
            libc::ENOTDIR => (Kind::NotAFolder, format!("{path} is not a folder.")),
            libc::EISDIR => (Kind::IsAFolder, format!("{path} is a folder.")),
            libc::ENOTEMPTY => (Kind::NotEmpty, format!("{path} is not empty.")),
            libc::EACCES | libc::EPERM => (
                Kind::NotPermitted,
                format!("This user may not do that with {path}."),
            ),
            libc::EROFS => (Kind::NotPermitted, format!("{path} is read-only.")),
            libc::EBUSY => (Kind::NotPermitted, format!("{path} is in use.")),
            libc::ELOOP => (
                Kind::NotPermitted,
                format!("{path} is a link that may not be followed."),
            ),
            libc::ENOSPC | libc::EDQUOT => (
                Kind::NoSpace,
                format!("The disk of the sandbox has no room for {path}."),
            ),
            libc::ENAMETOOLONG => (Kind::Invalid, format!("A name in {path} is too long.")),
            libc::EINVAL => (
                Kind::Invalid,
                format!("This cannot be done with {path}: {error}."),
            ),
            libc::EMFILE | libc::ENFILE => {
                (Kind::TooMany, "Too many files are open there.".to_owned())
            }
            _ => (Kind::Failed, format!("{path}: {error}")),
        };
        Fault::new(kind, message)
    }
}

/// Says which path an error of the kernel is about.
pub trait About<T> {
    fn about(self, path: &str) -> Outcome<T>;
}

impl<T> About<T> for io::Result<T> {
    fn about(self, path: &str) -> Outcome<T> {
        self.map_err(|error| Fault::of(&error, path))
    }
}
