//! Numbers for files where the file system gives no handles (overlayfs, or a server that is not root): each file's
//! parent and name, as they were seen last. A file that was moved from inside the sandbox, or seen by a server that
//! has ended, is stale until its client looks it up again.
use super::bounds::{DEPTH, TABLE};
use super::kernel;
use super::status::Status;
use std::collections::HashMap;
use std::ffi::{CStr, CString};
use std::os::fd::{BorrowedFd, OwnedFd};
use std::sync::{Mutex, MutexGuard};

pub const ROOT: u64 = 1;

/// What tells an inode from a later one with the same number.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Inode {
    number: u64,
    born: (i64, u32),
}

struct Place {
    inode: Inode,
    parent: u64,
    name: CString,
}

#[derive(Default)]
struct Places {
    next: u64,
    by_number: HashMap<u64, Place>,
    by_inode: HashMap<Inode, u64>,
}

#[derive(Default)]
pub struct Table {
    places: Mutex<Places>,
}

fn inode(file: BorrowedFd) -> Result<Inode, Status> {
    Ok(Inode {
        number: kernel::stat(file)?.st_ino,
        born: kernel::born(file),
    })
}

impl Table {
    fn places(&self) -> MutexGuard<'_, Places> {
        self.places
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// The number of a file that is known to be at this name now.
    pub fn number(&self, parent: u64, name: &CStr, file: BorrowedFd) -> Result<u64, Status> {
        let inode = inode(file)?;
        let mut places = self.places();
        if places.by_number.len() >= TABLE {
            // Clients look up again what they still need.
            *places = Places {
                next: places.next,
                ..Places::default()
            };
        }
        let number = match places.by_inode.get(&inode) {
            Some(number) => *number,
            None => {
                places.next += 1;
                ROOT + places.next
            }
        };
        let name = name.to_owned();
        let place = Place {
            inode,
            parent,
            name,
        };
        places.by_number.insert(number, place);
        places.by_inode.insert(inode, number);
        Ok(number)
    }

    /// Opens what a number stands for, name by name from the export's root.
    pub fn open(&self, root: BorrowedFd, number: u64) -> Result<OwnedFd, Status> {
        let path = libc::O_PATH;
        if number == ROOT {
            return Ok(kernel::open_name(root, c".", path, 0)?);
        }
        let (names, expected) = self.way(number)?;
        let mut file: Option<OwnedFd> = None;
        for name in names.iter().rev() {
            let folder = file
                .as_ref()
                .map_or(root, |folder| std::os::fd::AsFd::as_fd(folder));
            let next = kernel::open_name(folder, name, path, 0).map_err(|_| Status::STALE)?;
            file = Some(next);
        }
        let file = file.ok_or(Status::STALE)?;
        if inode(std::os::fd::AsFd::as_fd(&file))? == expected {
            Ok(file)
        } else {
            Err(Status::STALE)
        }
    }

    /// The names from the file up to the root.
    fn way(&self, number: u64) -> Result<(Vec<CString>, Inode), Status> {
        let places = self.places();
        let expected = places.by_number.get(&number).ok_or(Status::STALE)?.inode;
        let mut names = Vec::new();
        let mut at = number;
        while at != ROOT {
            let place = places.by_number.get(&at).ok_or(Status::STALE)?;
            names.push(place.name.clone());
            at = place.parent;
            // Folders that were moved into each other since they were seen.
            if names.len() > DEPTH {
                return Err(Status::STALE);
            }
        }
        Ok((names, expected))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::AsFd;

    #[test]
    fn a_file_is_found_by_its_number_until_another_takes_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let root = std::fs::File::open(folder.path()).unwrap();
        let table = Table::default();
        std::fs::create_dir(folder.path().join("a")).unwrap();
        std::fs::write(folder.path().join("a/b"), "b").unwrap();
        let a = kernel::open_name(root.as_fd(), c"a", libc::O_PATH, 0).unwrap();
        let a_number = table.number(ROOT, c"a", a.as_fd()).unwrap();
        let b = kernel::open_name(a.as_fd(), c"b", libc::O_PATH, 0).unwrap();
        let b_number = table.number(a_number, c"b", b.as_fd()).unwrap();
        assert_eq!(
            table.number(a_number, c"b", b.as_fd()),
            Ok(b_number),
            "the same file, the same number"
        );
        assert!(table.open(root.as_fd(), b_number).is_ok());
        std::fs::rename(folder.path().join("a/b"), folder.path().join("a/c")).unwrap();
        std::fs::write(folder.path().join("a/b"), "other").unwrap();
        assert_eq!(
            table.open(root.as_fd(), b_number).err(),
            Some(Status::STALE)
        );
        assert!(table.open(root.as_fd(), ROOT).is_ok());
        assert_eq!(table.open(root.as_fd(), 99).err(), Some(Status::STALE));
    }
}
