//! Programs that are started because of what they are. Whoever works in the sandbox must not be able to put
//! another one in their place, so the file and every folder above it has to be out of that user's reach.
use super::users::User;
use crate::relay::wire::{Failure, failure::Kind};
use std::fs::Metadata;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// The first of these that is there, without links. `user` is who it runs as; None: as the agent itself.
pub fn find(executables: &[String], user: Option<&User>) -> Result<String, Failure> {
    let Some(found) = executables.iter().find_map(|path| resolved(path)) else {
        let places = executables.join(", ");
        return Err(Failure::cannot_start(format!("no such file: {places}")));
    };
    let reach = Reach::of(user);
    for path in found.ancestors() {
        let metadata = path
            .metadata()
            .map_err(|e| Failure::cannot_start(format!("{}: {e}", path.display())))?;
        if path == found && (!metadata.is_file() || metadata.permissions().mode() & 0o111 == 0) {
            return Err(Failure::cannot_start(format!(
                "not executable: {}",
                path.display()
            )));
        }
        if reach.changes(&metadata) {
            return Err(Failure::new(
                Kind::NotTrusted,
                format!(
                    "{} could be replaced from inside the sandbox: {} can be changed there",
                    found.display(),
                    path.display()
                ),
            ));
        }
    }
    Ok(found.to_string_lossy().into_owned())
}

/// Only whole paths: what the working folder holds is the sandbox's own.
fn resolved(path: &str) -> Option<PathBuf> {
    Path::new(path).is_absolute().then_some(())?;
    std::fs::canonicalize(path).ok()
}

/// Whom a user counts as.
struct Reach {
    uid: u32,
    groups: Vec<u32>,
}

impl Reach {
    fn of(user: Option<&User>) -> Reach {
        match user {
            Some(user) => Reach {
                uid: user.uid,
                groups: user.groups.iter().copied().chain([user.gid]).collect(),
            },
            None => Reach {
                uid: unsafe { libc::geteuid() },
                groups: vec![unsafe { libc::getegid() }],
            },
        }
    }

    /// Root is held back by read-only mounts alone, which no file's mode tells.
    fn changes(&self, metadata: &Metadata) -> bool {
        let mode = metadata.permissions().mode();
        // In a folder with the sticky bit one can add, but not replace what is another's.
        let sticky = metadata.is_dir() && mode & 0o1000 != 0;
        let group = mode & 0o020 != 0 && self.groups.contains(&metadata.gid());
        let writes = mode & 0o002 != 0 || group;
        self.uid != 0 && (metadata.uid() == self.uid || writes && !sticky)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn user(uid: u32, groups: Vec<u32>) -> User {
        User {
            uid,
            gid: uid,
            groups,
            name: "somebody".into(),
            home: "/".into(),
            shell: None,
        }
    }

    /// A program in a folder that root owns, as all above it are; None where the tests do not run as root.
    fn program() -> Option<(tempfile::TempDir, String)> {
        if unsafe { libc::geteuid() } != 0 {
            return None;
        }
        let folder = tempfile::tempdir_in("/var/lib").unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let path = folder.path().join("claude");
        fs::write(&path, "#!/bin/sh\n").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        let text = path.to_string_lossy().into_owned();
        Some((folder, text))
    }

    fn kind(found: Result<String, Failure>) -> Kind {
        Kind::try_from(found.unwrap_err().kind).unwrap()
    }

    #[test]
    fn the_first_that_is_there_is_taken_and_links_are_followed() {
        let Some((folder, path)) = program() else {
            return;
        };
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        let places = ["/nowhere/claude".to_owned(), link.to_string_lossy().into()];
        assert_eq!(find(&places, Some(&user(1000, vec![]))).unwrap(), path);
        let nowhere = ["/nowhere/claude".to_owned(), "claude".to_owned()];
        let found = find(&nowhere, Some(&user(1000, vec![])));
        assert_eq!(kind(found), Kind::CannotStart);
    }

    #[test]
    fn what_its_user_could_replace_is_not_trusted() {
        let Some((folder, path)) = program() else {
            return;
        };
        let places = [path.clone()];
        let refused = |user: &User| {
            find(&places, Some(user)).is_err_and(|failure| failure.kind() == Kind::NotTrusted)
        };
        let (stranger, member) = (user(1000, vec![1000]), user(1000, vec![1000, 2000]));
        assert!(!refused(&stranger));
        // The file's owner, its group, anybody; then the same for the folder it is in.
        for place in [Path::new(&path), folder.path()] {
            let mode = |mode| fs::set_permissions(place, fs::Permissions::from_mode(mode)).unwrap();
            std::os::unix::fs::chown(place, Some(1000), None).unwrap();
            assert!(refused(&stranger));
            std::os::unix::fs::chown(place, Some(0), Some(2000)).unwrap();
            mode(0o775);
            assert!(refused(&member) && !refused(&stranger));
            mode(0o757);
            assert!(refused(&stranger));
            mode(0o755);
        }
        assert!(find(&places, Some(&user(0, vec![]))).is_ok());
    }

    #[test]
    fn what_cannot_be_executed_is_no_program() {
        let Some((folder, path)) = program() else {
            return;
        };
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        for place in [path, folder.path().to_string_lossy().into_owned()] {
            let found = find(&[place], Some(&user(1000, vec![])));
            assert_eq!(kind(found), Kind::CannotStart);
        }
    }
}
