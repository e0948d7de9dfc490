//! Files and listings that programs in the sandbox have open.
use super::nodes::Kind;
use nix::errno::Errno;
use std::collections::HashMap;
use std::fs::File;
use std::sync::{Arc, Mutex};

/// As many as this process may have descriptors, with some left for its own.
pub const MOST: usize = 4096;

pub struct Entry {
    pub name: String,
    pub number: u64,
    pub kind: Kind,
}

pub enum Handle {
    File(OpenFile),
    /// Filled by the first reading, so that names neither come twice nor go missing between two parts.
    Listing(Mutex<Vec<Entry>>),
}

pub struct OpenFile {
    pub node: u64,
    pub file: File,
}

#[derive(Default)]
pub struct Handles {
    open: HashMap<u64, Arc<Handle>>,
    last: u64,
}

impl Handles {
    pub fn add(&mut self, handle: Handle) -> Result<u64, Errno> {
        if self.open.len() >= MOST {
            return Err(Errno::ENFILE);
        }
        self.last += 1;
        self.open.insert(self.last, Arc::new(handle));
        Ok(self.last)
    }

    pub fn get(&self, number: u64) -> Result<Arc<Handle>, Errno> {
        self.open.get(&number).cloned().ok_or(Errno::EBADF)
    }

    /// Any by which a file can be reached that has no name any more.
    pub fn of_node(&self, node: u64) -> Option<Arc<Handle>> {
        let is_it =
            |handle: &&Arc<Handle>| matches!(&***handle, Handle::File(open) if open.node == node);
        self.open.values().find(is_it).cloned()
    }

    pub fn close(&mut self, number: u64) {
        self.open.remove(&number);
    }
}
