//! Uploads in parts that broke off: their bytes so far, held open without a name until they go on or their time is over.
use super::calls;
use super::temporary::Temporary;
use super::walk::Found;
use crate::bounds;
use std::ffi::CString;
use std::io;
use std::os::fd::AsFd;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// Which upload: into which place, by whom, of how many bytes.
#[derive(PartialEq)]
pub struct Key {
    folder: (u64, u64),
    name: CString,
    uid: u32,
    total: u64,
}

impl Key {
    pub fn of(found: &Found, uid: u32, total: u64) -> io::Result<Key> {
        let folder = calls::stat(found.folder.as_fd())?;
        Ok(Key {
            folder: (folder.st_dev as u64, folder.st_ino as u64),
            name: found.name.clone(),
            uid,
            total,
        })
    }
}

struct Kept {
    key: Key,
    temporary: Temporary,
    received: u64,
    since: Instant,
}

#[derive(Clone, Default)]
pub struct Uploads(Arc<Mutex<Vec<Kept>>>);

impl Uploads {
    fn kept(&self) -> std::sync::MutexGuard<'_, Vec<Kept>> {
        self.0.lock().unwrap_or_else(|broken| broken.into_inner())
    }

    pub fn received(&self, key: &Key) -> u64 {
        let kept = self.kept();
        let found = kept.iter().find(|upload| upload.key == *key);
        found.map_or(0, |upload| upload.received)
    }

    pub fn take(&self, key: &Key) -> Option<(Temporary, u64)> {
        let mut kept = self.kept();
        let index = kept.iter().position(|upload| upload.key == *key)?;
        let upload = kept.swap_remove(index);
        Some((upload.temporary, upload.received))
    }

    /// The oldest one goes when there are too many.
    pub fn keep(&self, key: Key, temporary: Temporary, received: u64) {
        let mut kept = self.kept();
        kept.retain(|upload| upload.key != key);
        if kept.len() >= bounds::UPLOADS_KEPT {
            kept.remove(0);
        }
        kept.push(Kept {
            key,
            temporary,
            received,
            since: Instant::now(),
        });
    }

    /// True while there is something to drop later.
    pub fn drop_old(&self) -> bool {
        let mut kept = self.kept();
        kept.retain(|upload| upload.since.elapsed() < bounds::UPLOAD_KEPT_FOR);
        !kept.is_empty()
    }
}
