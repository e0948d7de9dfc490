//! From a path to an open folder and a name in it, one component at a time.
//!
//! Links are followed here and not by the kernel, so that each folder on the way can be looked at: the agent's own folders and
//! the kernel's view of processes are closed, by whatever path one comes to them. Each step has the acting user's permissions.
use super::calls::{self, Stat};
use super::fault::{About, Fault, Outcome};
use crate::bounds;
use crate::config::{Config, Relay};
use crate::relay::wire::file_failure::Kind;
use std::collections::VecDeque;
use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

const WORLD_WRITABLE_AND_STICKY: u32 = libc::S_IWOTH | libc::S_ISVTX;

/// The folders that nobody gets to through here, by device and inode.
pub struct Closed(Vec<(u64, u64)>);

impl Closed {
    /// Looked up once at the start, before anything of the workload's runs.
    pub fn of(config: &Config, file: &Path) -> Closed {
        let mut folders: Vec<PathBuf> = Vec::new();
        let mut parent_of = |path: &Path| folders.extend(path.parent().map(Path::to_path_buf));
        parent_of(file);
        parent_of(&config.token_file);
        match &config.relay {
            Relay::Folder(folder) => folders.push(folder.clone()),
            Relay::Addresses(_, trust) => {
                folders.extend(trust.ca_file.parent().map(Path::to_path_buf))
            }
        }
        let identity = |folder: &PathBuf| {
            use std::os::unix::fs::MetadataExt;
            let found = std::fs::metadata(folder).ok()?;
            // A folder that the workspace lies in is not the agent's alone.
            let shared = Path::new(&config.cwd).starts_with(folder);
            (!shared).then_some((found.dev(), found.ino()))
        };
        Closed(folders.iter().filter_map(identity).collect())
    }

    pub fn has(&self, stat: &Stat) -> bool {
        self.0.contains(&(stat.st_dev, stat.st_ino))
    }
}

/// What a path leads to.
pub struct Found {
    /// The folder it is in, open for looking up names only.
    pub folder: OwnedFd,
    pub name: CString,
    /// Absolute, with links resolved up to the folder.
    pub path: String,
    /// The thing itself, if it is there.
    pub node: Option<Node>,
}

pub struct Node {
    /// Open for nothing but being looked at.
    pub fd: OwnedFd,
    pub stat: Stat,
}

impl Found {
    pub fn node(&self) -> Outcome<&Node> {
        let missing = || Fault::of(&io::Error::from_raw_os_error(libc::ENOENT), &self.path);
        self.node.as_ref().ok_or_else(missing)
    }

    /// The folder that was found, open for reading its names.
    pub fn open_folder(&self) -> Outcome<OwnedFd> {
        let node = self.node()?;
        if !calls::is_folder(&node.stat) {
            return Err(Fault::of(
                &io::Error::from_raw_os_error(libc::ENOTDIR),
                &self.path,
            ));
        }
        open_folder(node.fd.as_fd()).about(&self.path)
    }
}

/// Opens a folder that is held for lookups, for reading its names.
pub fn open_folder(fd: BorrowedFd) -> io::Result<OwnedFd> {
    calls::open_at(Some(fd), c".", libc::O_RDONLY | libc::O_DIRECTORY, 0)
}

/// Which links in the last place are followed, and whether folders on the way are made.
#[derive(Clone, Copy, Default)]
pub struct Way {
    pub follow: bool,
    pub make_parents: bool,
}

pub struct Walk<'a> {
    pub closed: &'a Closed,
    pub cwd: &'a str,
    /// Whose files' checks: links of others in shared folders are not followed.
    pub uid: u32,
}

impl Walk<'_> {
    pub fn find(&self, path: &str, follow: bool) -> Outcome<Found> {
        let way = Way {
            follow,
            make_parents: false,
        };
        self.go(path, way)
    }

    pub fn go(&self, path: &str, way: Way) -> Outcome<Found> {
        if path.is_empty() || path.len() > bounds::FILE_PATH || path.contains('\0') {
            return Err(Fault::invalid(format!(
                "path must have 1 to {} bytes, and no zero byte.",
                bounds::FILE_PATH
            )));
        }
        let absolute = match path.starts_with('/') {
            true => path.to_owned(),
            false => format!("{}/{path}", self.cwd),
        };
        self.steps(&absolute, way)
    }

    fn steps(&self, path: &str, way: Way) -> Outcome<Found> {
        let mut left: VecDeque<Vec<u8>> = components(path.as_bytes()).collect();
        let mut here = Here::root().about(path)?;
        let mut links = 0;
        while let Some(component) = left.pop_front() {
            let name = calls::name(&component).about(path)?;
            let last = left.is_empty();
            if component == b".." {
                here = here.up(name, path)?;
                self.check(&here, path)?;
                continue;
            }
            let opened = calls::open_at(Some(here.fd.as_fd()), &name, libc::O_PATH, 0);
            let fd = match opened {
                Err(error) if error.raw_os_error() == Some(libc::ENOENT) && last => {
                    return Ok(here.child(name, &component, None));
                }
                Err(error) if error.raw_os_error() == Some(libc::ENOENT) && way.make_parents => {
                    match calls::make_folder(here.fd.as_fd(), &name, 0o755) {
                        Err(error) if error.raw_os_error() != Some(libc::EEXIST) => {
                            return Err(Fault::of(&error, &here.path(&component)));
                        }
                        _ => {}
                    }
                    calls::open_at(Some(here.fd.as_fd()), &name, libc::O_PATH, 0)
                        .about(&here.path(&component))?
                }
                other => other.about(&here.path(&component))?,
            };
            let stat = calls::stat(fd.as_fd()).about(path)?;
            if calls::is_link(&stat) && (way.follow || !last) {
                links += 1;
                self.may_follow(&here, &stat, path)?;
                if links > bounds::FILE_LINKS {
                    return Err(Fault::of(&io::Error::from_raw_os_error(libc::ELOOP), path));
                }
                let target = calls::read_link(fd.as_fd(), c"").about(path)?;
                if target.first() == Some(&b'/') {
                    here = Here::root().about(path)?;
                }
                for part in components(&target).collect::<Vec<_>>().into_iter().rev() {
                    left.push_front(part);
                }
                continue;
            }
            if calls::is_folder(&stat) {
                let next = here.enter(fd, stat, &component);
                self.check(&next, path)?;
                if last {
                    return next.found().about(path);
                }
                here = next;
            } else if last {
                self.check_file(&here, fd.as_fd(), &stat, path)?;
                return Ok(here.child(name, &component, Some(Node { fd, stat })));
            } else {
                return Err(Fault::of(
                    &io::Error::from_raw_os_error(libc::ENOTDIR),
                    &here.path(&component),
                ));
            }
        }
        here.found().about(path)
    }

    /// Opens a folder within another, if it is one and not closed.
    pub fn enter(
        &self,
        folder: BorrowedFd,
        name: &CStr,
        flags: libc::c_int,
        path: &str,
    ) -> Outcome<OwnedFd> {
        let flags = flags | libc::O_DIRECTORY;
        let inner = calls::open_at(Some(folder), name, flags, 0).about(path)?;
        let stat = calls::stat(inner.as_fd()).about(path)?;
        if self.closed.has(&stat) {
            return Err(closed(path));
        }
        not_of_processes(inner.as_fd(), path)?;
        Ok(inner)
    }

    fn check(&self, here: &Here, path: &str) -> Outcome<()> {
        if self.closed.has(&here.stat) {
            return Err(closed(path));
        }
        if here.crossed {
            not_of_processes(here.fd.as_fd(), path)?;
        }
        Ok(())
    }

    /// A single file may be mounted from elsewhere.
    fn check_file(&self, here: &Here, fd: BorrowedFd, stat: &Stat, path: &str) -> Outcome<()> {
        if stat.st_dev != here.stat.st_dev {
            not_of_processes(fd, path)?;
        }
        Ok(())
    }

    /// As the kernel's fs.protected_symlinks has it.
    fn may_follow(&self, here: &Here, link: &Stat, path: &str) -> Outcome<()> {
        let shared = here.stat.st_mode & WORLD_WRITABLE_AND_STICKY == WORLD_WRITABLE_AND_STICKY;
        if shared && link.st_uid != self.uid && link.st_uid != here.stat.st_uid {
            return Err(Fault::of(&io::Error::from_raw_os_error(libc::ELOOP), path));
        }
        Ok(())
    }
}

/// A folder on the way.
struct Here {
    fd: OwnedFd,
    stat: Stat,
    names: Vec<Vec<u8>>,
    /// Whether another file system begins here.
    crossed: bool,
}

impl Here {
    fn root() -> io::Result<Here> {
        let fd = calls::root()?;
        let stat = calls::stat(fd.as_fd())?;
        Ok(Here {
            fd,
            stat,
            names: Vec::new(),
            crossed: false,
        })
    }

    fn up(mut self, name: CString, path: &str) -> Outcome<Here> {
        self.names.pop();
        let flags = libc::O_PATH | libc::O_DIRECTORY;
        let fd = calls::open_at(Some(self.fd.as_fd()), &name, flags, 0).about(path)?;
        let stat = calls::stat(fd.as_fd()).about(path)?;
        Ok(Here {
            crossed: stat.st_dev != self.stat.st_dev,
            fd,
            stat,
            names: self.names,
        })
    }

    fn enter(&self, fd: OwnedFd, stat: Stat, name: &[u8]) -> Here {
        let mut names = self.names.clone();
        names.push(name.to_vec());
        Here {
            crossed: stat.st_dev != self.stat.st_dev,
            fd,
            stat,
            names,
        }
    }

    fn path(&self, name: &[u8]) -> String {
        let mut path = shown(&self.names);
        if path.len() > 1 {
            path.push('/');
        }
        path.push_str(&String::from_utf8_lossy(name));
        path
    }

    fn child(self, name: CString, component: &[u8], node: Option<Node>) -> Found {
        Found {
            path: self.path(component),
            folder: self.fd,
            name,
            node,
        }
    }

    /// This folder itself. Its own folder is what `..` leads to, unless it is the root.
    fn found(self) -> io::Result<Found> {
        let flags = libc::O_PATH | libc::O_DIRECTORY;
        let (folder, name) = match self.names.last() {
            None => (self.fd.try_clone()?, c".".to_owned()),
            Some(name) => {
                let folder = calls::open_at(Some(self.fd.as_fd()), c"..", flags, 0)?;
                (folder, calls::name(name)?)
            }
        };
        Ok(Found {
            folder,
            name,
            path: shown(&self.names),
            node: Some(Node {
                fd: self.fd,
                stat: self.stat,
            }),
        })
    }
}

fn components(path: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    path.split(|byte| *byte == b'/')
        .filter(|part| !part.is_empty() && *part != b".")
        .map(<[u8]>::to_vec)
}

fn shown(names: &[Vec<u8>]) -> String {
    let mut path = String::new();
    for name in names {
        path.push('/');
        path.push_str(&String::from_utf8_lossy(name));
    }
    if path.is_empty() {
        path.push('/');
    }
    path
}

fn closed(path: &str) -> Fault {
    Fault::not_permitted(format!("{path} belongs to the sandbox's agent."))
}

/// The agent's threads see the agent itself in /proc, its memory included.
pub fn not_of_processes(fd: BorrowedFd, path: &str) -> Outcome<()> {
    match calls::file_system(fd).about(path)? {
        libc::PROC_SUPER_MAGIC => Err(Fault::new(
            Kind::NotPermitted,
            format!("{path} is the kernel's view of processes; read it with a command."),
        )),
        _ => Ok(()),
    }
}
