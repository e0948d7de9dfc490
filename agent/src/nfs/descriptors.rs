//! Files that stay open between calls: opening anew for each would cost more than the reading. An idle one is closed
//! soon, and all of an export before its disk is unmounted.
use super::bounds::{DESCRIPTORS, IDLE_DESCRIPTOR};
use super::handle::{ExportId, FileId};
use std::collections::HashMap;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct FileKey {
    export: ExportId,
    file: FileKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum FileKind {
    Kernel(i32, u8, [u8; super::kernel::LONGEST_HANDLE]),
    Table(u64),
}

struct Open {
    descriptor: Arc<OwnedFd>,
    writable: bool,
    used: Instant,
}

#[derive(Default)]
pub struct Descriptors {
    open: Mutex<HashMap<FileKey, Open>>,
}

impl Descriptors {
    fn open(&self) -> MutexGuard<'_, HashMap<FileKey, Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn find(&self, export: ExportId, file: &FileId, to_write: bool) -> Option<Arc<OwnedFd>> {
        let mut open = self.open();
        let found = open.get_mut(&key(export, file))?;
        if to_write && !found.writable {
            return None;
        }
        found.used = Instant::now();
        Some(found.descriptor.clone())
    }

    pub fn keep(&self, export: ExportId, file: &FileId, descriptor: &Arc<OwnedFd>, writable: bool) {
        let mut open = self.open();
        if open.len() >= DESCRIPTORS {
            let oldest = open.iter().min_by_key(|(_, open)| open.used);
            if let Some(oldest) = oldest.map(|(key, _)| *key) {
                open.remove(&oldest);
            }
        }
        let entry = Open {
            descriptor: descriptor.clone(),
            writable,
            used: Instant::now(),
        };
        open.insert(key(export, file), entry);
    }

    /// A file whose last name is gone gives its space back.
    pub fn forget(&self, export: ExportId, file: &FileId) {
        self.open().remove(&key(export, file));
    }

    pub fn close_all_of(&self, export: ExportId) {
        self.open().retain(|key, _| key.export != export);
    }

    pub fn close_idle(&self) {
        let now = Instant::now();
        self.open()
            .retain(|_, open| now.duration_since(open.used) < IDLE_DESCRIPTOR);
    }

    pub fn count(&self) -> usize {
        self.open().len()
    }
}

fn key(export: ExportId, file: &FileId) -> FileKey {
    let file = match file {
        FileId::Kernel(handle) => FileKind::Kernel(handle.kind, handle.length, handle.bytes),
        FileId::Table(number) => FileKind::Table(*number),
    };
    FileKey { export, file }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;

    fn descriptor() -> Arc<OwnedFd> {
        Arc::new(File::open("/dev/null").unwrap().into())
    }

    #[test]
    fn no_more_files_stay_open_than_the_bound() {
        let descriptors = Descriptors::default();
        let export = ExportId(1);
        let file = descriptor();
        for number in 0..DESCRIPTORS as u64 + 50 {
            descriptors.keep(export, &FileId::Table(number), &file, false);
        }
        assert_eq!(descriptors.count(), DESCRIPTORS);
        let last = FileId::Table(DESCRIPTORS as u64 + 49);
        assert!(descriptors.find(export, &last, false).is_some());
        assert!(descriptors.find(export, &last, true).is_none());
    }

    #[test]
    fn an_exports_files_are_closed_together() {
        let descriptors = Descriptors::default();
        descriptors.keep(ExportId(1), &FileId::Table(1), &descriptor(), true);
        descriptors.keep(ExportId(2), &FileId::Table(1), &descriptor(), true);
        descriptors.close_all_of(ExportId(1));
        assert_eq!(descriptors.count(), 1);
        assert!(
            descriptors
                .find(ExportId(2), &FileId::Table(1), true)
                .is_some()
        );
    }
}
