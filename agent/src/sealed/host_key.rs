//! The agent's own key: made when it is first needed, and kept where the workload cannot read it, so that
//! clients find the same host again after the agent was restarted.
use super::channel::PATTERN;
use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use sha2::{Digest, Sha256};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// Where an agent without a log folder keeps it.
const FALLBACK: &str = "/var/lib/bivouac";
const HALF: usize = 32;

pub struct HostKey {
    pub private: [u8; HALF],
    pub public: [u8; HALF],
}

impl HostKey {
    /// As clients show it, for people to compare.
    pub fn fingerprint(&self) -> String {
        let digest = STANDARD_NO_PAD.encode(Sha256::digest(self.public));
        format!("SHA256:{digest}")
    }
}

/// Holds the host key, and whether an owner has closed this sandbox to the relay.
pub struct Vault {
    file: PathBuf,
    key: Mutex<Option<Arc<HostKey>>>,
    locked: AtomicBool,
}

impl Vault {
    /// The name has the sandbox's id: a disk may be given to another sandbox later.
    pub fn new(log_file: Option<&Path>, sandbox_id: &str) -> Vault {
        let folder = log_file.and_then(Path::parent);
        let folder = folder.unwrap_or(Path::new(FALLBACK));
        let name: String = sandbox_id
            .chars()
            .filter(|letter| letter.is_ascii_alphanumeric() || *letter == '-')
            .collect();
        Vault {
            file: folder.join(format!("host-key-{name}")),
            key: Mutex::default(),
            locked: AtomicBool::new(false),
        }
    }

    pub fn key(&self) -> io::Result<Arc<HostKey>> {
        let mut known = self.key.lock().unwrap();
        if let Some(key) = &*known {
            return Ok(key.clone());
        }
        let key = Arc::new(match read(&self.file) {
            Ok(Some(key)) => key,
            Ok(None) => make(&self.file)?,
            Err(error) => return Err(error),
        });
        *known = Some(key.clone());
        Ok(key)
    }

    /// From now on nothing is started for the relay.
    pub fn lock(&self) {
        self.locked.store(true, Ordering::Relaxed);
    }

    pub fn is_locked(&self) -> bool {
        self.locked.load(Ordering::Relaxed)
    }
}

/// None: there is no such file, or none that only we could have written.
fn read(path: &Path) -> io::Result<Option<HostKey>> {
    let opened = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NOFOLLOW | libc::O_CLOEXEC | libc::O_NONBLOCK)
        .open(path);
    let mut file = match opened {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) if error.raw_os_error() == Some(libc::ELOOP) => return Ok(None),
        Err(error) => return Err(error),
    };
    let facts = file.metadata()?;
    let ours = facts.uid() == unsafe { libc::geteuid() } && facts.mode() & 0o077 == 0;
    if !facts.is_file() || !ours || facts.len() != 2 * HALF as u64 {
        return Ok(None);
    }
    let mut key = HostKey {
        private: [0; HALF],
        public: [0; HALF],
    };
    file.read_exact(&mut key.private)?;
    file.read_exact(&mut key.public)?;
    Ok(Some(key))
}

/// The file is there whole or not at all, whenever we are killed.
fn make(path: &Path) -> io::Result<HostKey> {
    let pair = snow::Builder::new(PATTERN.parse().map_err(io::Error::other)?)
        .generate_keypair()
        .map_err(io::Error::other)?;
    let key = HostKey {
        private: pair.private.try_into().expect("X25519 keys have 32 bytes"),
        public: pair.public.try_into().expect("X25519 keys have 32 bytes"),
    };
    let folder = path.parent().unwrap_or(Path::new("/"));
    if !folder.is_dir() {
        let mut builder = std::fs::DirBuilder::new();
        builder.recursive(true).mode(0o700).create(folder)?;
    }
    let part = path.with_extension("part");
    match std::fs::remove_file(&part) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .custom_flags(libc::O_CLOEXEC)
        .open(&part)?;
    file.write_all(&key.private)?;
    file.write_all(&key.public)?;
    file.sync_all()?;
    std::fs::rename(&part, path)?;
    File::open(folder)?.sync_all()?;
    Ok(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn the_key_is_kept_and_closed_to_others() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("agent.jsonl");
        let first = Vault::new(Some(&log), "sbx-1").key().unwrap();
        let again = Vault::new(Some(&log), "sbx-1").key().unwrap();
        assert_eq!(first.public, again.public);
        assert_eq!(first.private, again.private);
        let other = Vault::new(Some(&log), "sbx-2").key().unwrap();
        assert_ne!(first.public, other.public);
        let mode = std::fs::metadata(folder.path().join("host-key-sbx-1")).unwrap();
        assert_eq!(mode.permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_file_that_others_could_have_written_is_not_taken() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("agent.jsonl");
        let file = folder.path().join("host-key-sbx-1");
        let planted = [7u8; 64];
        std::fs::write(&file, planted).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
        assert_ne!(
            Vault::new(Some(&log), "sbx-1").key().unwrap().public,
            [7; 32]
        );
        std::fs::remove_file(&file).unwrap();
        let elsewhere = folder.path().join("planted");
        std::fs::write(&elsewhere, planted).unwrap();
        std::fs::set_permissions(&elsewhere, std::fs::Permissions::from_mode(0o600)).unwrap();
        symlink(&elsewhere, &file).unwrap();
        assert_ne!(
            Vault::new(Some(&log), "sbx-1").key().unwrap().public,
            [7; 32]
        );
        assert_eq!(std::fs::read(&elsewhere).unwrap(), planted);
    }
}
