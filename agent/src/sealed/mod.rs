//! End-to-end encryption between a client and this agent, so that whoever passes the messages on can
//! neither read nor change them: `Noise_IK_25519_ChaChaPoly_SHA256`, both sides with a key of their own.
//!
//! `host_key` is who we are, `channel` one client's connection, `keys` who may come in, `frames` what is
//! said inside, `recording` what the relay may keep of it. How a terminal is read and typed into through
//! all this is in `terminal::sealed`.
mod channel;
mod frames;
mod host_key;
mod keys;
mod recording;
#[cfg(test)]
mod vectors;

pub use channel::{Channel, Handshake};
pub use frames::{Frame, Heard};
pub use host_key::{HostKey, Vault};
pub use keys::{Key, Keys, Role, Standing};
pub use recording::{Asciicast, Segment};

use crate::relay::wire::Failure;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

/// What makes a terminal a sealed one.
pub struct Door {
    pub host: Arc<HostKey>,
    pub vault: Arc<Vault>,
    keys: Mutex<Keys>,
    /// When the recording's last line was written.
    recorded: Mutex<Option<Instant>>,
}

impl Door {
    /// `owner`: 32 bytes, or none for whoever first proves a key.
    pub fn new(vault: &Arc<Vault>, owner: &[u8]) -> Result<Door, Failure> {
        let owner = match owner.is_empty() {
            true => None,
            false => Some(Key::read(owner).map_err(Failure::invalid)?),
        };
        let host = vault
            .key()
            .map_err(|e| Failure::cannot_start(format!("no host key: {e}")))?;
        Ok(Door {
            host,
            vault: vault.clone(),
            keys: Mutex::new(Keys::new(owner)),
            recorded: Mutex::default(),
        })
    }

    /// Where a recording's clock stands; it begins with the terminal.
    pub fn recorded(&self, begun: Instant) -> Instant {
        self.recorded.lock().unwrap().unwrap_or(begun)
    }

    pub fn note_recorded(&self, last: Instant) {
        *self.recorded.lock().unwrap() = Some(last);
    }

    pub fn keys(&self) -> MutexGuard<'_, Keys> {
        self.keys.lock().unwrap()
    }
}
