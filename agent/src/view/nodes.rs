//! The files and folders that the kernel knows by number, and where in the Pod each of them is.
use nix::errno::Errno;
use nix::sys::stat::FileStat;
use std::collections::HashMap;

pub const ROOT: u64 = 1;

/// The kernel forgets what it needs no longer, at the latest when the sandbox's memory is full.
const MOST: usize = 500_000;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    File,
    Folder,
    Link,
}

impl Kind {
    /// None for devices, pipes and sockets: a Pod has no such things.
    pub fn of(stat: &FileStat) -> Option<Kind> {
        match stat.st_mode & libc::S_IFMT {
            libc::S_IFREG => Some(Kind::File),
            libc::S_IFDIR => Some(Kind::Folder),
            libc::S_IFLNK => Some(Kind::Link),
            _ => None,
        }
    }
}

/// Where something is: steps from the Pod's folder, without slashes at the ends; empty for the folder itself.
#[derive(Clone, Debug)]
pub struct Place {
    pub path: String,
    pub kind: Kind,
    /// It was removed, and lives on only as an open file.
    pub removed: bool,
}

struct Node {
    place: Place,
    lookups: u64,
}

pub struct Nodes {
    nodes: HashMap<u64, Node>,
    by_path: HashMap<String, u64>,
    next: u64,
}

impl Nodes {
    pub fn new() -> Nodes {
        let mut nodes = Nodes {
            nodes: HashMap::new(),
            by_path: HashMap::new(),
            next: ROOT,
        };
        let _ = nodes.looked_up("", Kind::Folder);
        nodes
    }

    /// Its number, once more told to the kernel.
    pub fn looked_up(&mut self, path: &str, kind: Kind) -> Result<u64, Errno> {
        if let Some(&number) = self.by_path.get(path) {
            let node = self.nodes.get_mut(&number).ok_or(Errno::EIO)?;
            if node.place.kind == kind {
                node.lookups += 1;
                return Ok(number);
            }
            // Somebody else has put another kind of thing there.
            self.removed(path);
        }
        if self.nodes.len() >= MOST {
            return Err(Errno::ENFILE);
        }
        let number = self.next;
        self.next += 1;
        let place = Place {
            path: path.to_owned(),
            kind,
            removed: false,
        };
        self.nodes.insert(number, Node { place, lookups: 1 });
        self.by_path.insert(path.to_owned(), number);
        Ok(number)
    }

    pub fn forget(&mut self, number: u64, times: u64) {
        let Some(node) = self.nodes.get_mut(&number) else {
            return;
        };
        node.lookups = node.lookups.saturating_sub(times);
        if node.lookups == 0 && number != ROOT {
            if !node.place.removed {
                self.by_path.remove(&node.place.path);
            }
            self.nodes.remove(&number);
        }
    }

    pub fn place(&self, number: u64) -> Result<Place, Errno> {
        let node = self.nodes.get(&number).ok_or(Errno::ESTALE)?;
        Ok(node.place.clone())
    }

    pub fn number(&self, path: &str) -> Option<u64> {
        self.by_path.get(path).copied()
    }

    pub fn removed(&mut self, path: &str) {
        if let Some(number) = self.by_path.remove(path)
            && let Some(node) = self.nodes.get_mut(&number)
        {
            node.place.removed = true;
        }
    }

    /// With all that is below.
    pub fn moved(&mut self, from: &str, to: &str) {
        self.removed(to);
        let inside = format!("{from}/");
        let moved: Vec<(String, u64)> = self
            .by_path
            .iter()
            .filter(|(path, _)| *path == from || path.starts_with(&inside))
            .map(|(path, number)| (path.clone(), *number))
            .collect();
        for (path, number) in moved {
            let new = format!("{to}{}", &path[from.len()..]);
            self.by_path.remove(&path);
            if let Some(node) = self.nodes.get_mut(&number) {
                node.place.path.clone_from(&new);
            }
            self.by_path.insert(new, number);
        }
    }

    pub fn all(&self) -> Vec<(u64, Place)> {
        let all = self.nodes.iter();
        all.map(|(number, node)| (*number, node.place.clone()))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_kept_until_it_was_forgotten_as_often_as_told() {
        let mut nodes = Nodes::new();
        let number = nodes.looked_up("a", Kind::File).unwrap();
        assert_eq!(nodes.looked_up("a", Kind::File).unwrap(), number);
        nodes.forget(number, 1);
        assert_eq!(nodes.place(number).unwrap().path, "a");
        nodes.forget(number, 1);
        assert!(nodes.place(number).is_err());
        nodes.forget(ROOT, 100);
        assert_eq!(nodes.place(ROOT).unwrap().path, "");
    }

    #[test]
    fn what_is_moved_takes_along_what_is_in_it() {
        let mut nodes = Nodes::new();
        let folder = nodes.looked_up("a", Kind::Folder).unwrap();
        let file = nodes.looked_up("a/x", Kind::File).unwrap();
        let other = nodes.looked_up("ab", Kind::File).unwrap();
        let covered = nodes.looked_up("b", Kind::Folder).unwrap();
        nodes.moved("a", "b");
        assert_eq!(nodes.place(folder).unwrap().path, "b");
        assert_eq!(nodes.place(file).unwrap().path, "b/x");
        assert_eq!(nodes.place(other).unwrap().path, "ab");
        assert!(nodes.place(covered).unwrap().removed);
        assert_eq!(nodes.number("b"), Some(folder));
        assert_eq!(nodes.number("a"), None);
    }

    #[test]
    fn a_name_that_is_used_again_is_something_new() {
        let mut nodes = Nodes::new();
        let first = nodes.looked_up("a", Kind::File).unwrap();
        nodes.removed("a");
        let second = nodes.looked_up("a", Kind::File).unwrap();
        assert_ne!(first, second);
        assert_ne!(nodes.looked_up("a", Kind::Folder).unwrap(), second);
        nodes.forget(first, 1);
        assert!(nodes.number("a").is_some());
    }
}
