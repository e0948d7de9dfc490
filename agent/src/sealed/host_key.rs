//! The agent's own key: made when it is first needed, and nowhere but in this process's memory. Root inside may read
//! every file that the agent can, and the relay may run commands as root, so a key in a file would be the relay's too.
//! An agent that is started anew has a new key.
use super::channel::PATTERN;
use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use sha2::{Digest, Sha256};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

const HALF: usize = 32;

pub struct HostKey {
    pub private: [u8; HALF],
    pub public: [u8; HALF],
}

impl HostKey {
    fn make() -> io::Result<HostKey> {
        let pair = snow::Builder::new(PATTERN.parse().map_err(io::Error::other)?)
            .generate_keypair()
            .map_err(io::Error::other)?;
        Ok(HostKey {
            private: pair.private.try_into().expect("X25519 keys have 32 bytes"),
            public: pair.public.try_into().expect("X25519 keys have 32 bytes"),
        })
    }

    /// As clients show it, for people to compare.
    pub fn fingerprint(&self) -> String {
        let digest = STANDARD_NO_PAD.encode(Sha256::digest(self.public));
        format!("SHA256:{digest}")
    }
}

/// Holds the host key, and whether an owner has closed this sandbox to the relay.
#[derive(Default)]
pub struct Vault {
    key: Mutex<Option<Arc<HostKey>>>,
    locked: AtomicBool,
}

impl Vault {
    pub fn key(&self) -> io::Result<Arc<HostKey>> {
        let mut known = self.key.lock().unwrap();
        if let Some(key) = &*known {
            return Ok(key.clone());
        }
        let key = Arc::new(HostKey::make()?);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_has_one_key_and_the_next_agent_another() {
        let vault = Vault::default();
        assert_eq!(vault.key().unwrap().public, vault.key().unwrap().public);
        assert_ne!(
            vault.key().unwrap().public,
            Vault::default().key().unwrap().public
        );
    }
}
