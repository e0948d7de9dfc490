//! Whose keys open a sealed terminal: the owner's, and those that the owner let in.
use crate::bounds;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

const LENGTH: usize = 32;

/// A client's public X25519 key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Key([u8; LENGTH]);

impl Key {
    pub fn read(bytes: &[u8]) -> Result<Key, String> {
        let key = bytes.try_into().map_err(|_| "a key has 32 bytes")?;
        Ok(Key(key))
    }

    pub fn parse(text: &str) -> Result<Key, String> {
        let bytes = STANDARD.decode(text).map_err(|_| "a key is base64")?;
        Key::read(&bytes)
    }

    pub fn text(&self) -> String {
        STANDARD.encode(self.0)
    }

    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// For counting what somebody types: another key is somebody else, whatever name it gives.
    pub fn short(&self) -> String {
        self.0[..6].iter().map(|b| format!("{b:02x}")).collect()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    Driver,
    Viewer,
}

impl Role {
    pub fn parse(word: &str) -> Result<Role, String> {
        match word {
            "driver" => Ok(Role::Driver),
            "viewer" => Ok(Role::Viewer),
            _ => Err("role must be driver or viewer".into()),
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            Role::Driver => "driver",
            Role::Viewer => "viewer",
        }
    }
}

/// What a key is to a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Nobody owns it yet.
    Free,
    Owner,
    Admitted(Role),
    Stranger,
}

impl Standing {
    pub fn word(self) -> &'static str {
        match self {
            Standing::Free => "free",
            Standing::Owner => "owner",
            Standing::Admitted(_) => "admitted",
            Standing::Stranger => "stranger",
        }
    }
}

pub struct Keys {
    owner: Option<Key>,
    admitted: Vec<(Key, Role)>,
}

impl Keys {
    pub fn new(owner: Option<Key>) -> Keys {
        Keys {
            owner,
            admitted: Vec::new(),
        }
    }

    pub fn owner(&self) -> Option<Key> {
        self.owner
    }

    pub fn standing(&self, key: &Key) -> Standing {
        let admitted = self.admitted.iter().find(|(known, _)| known == key);
        match (self.owner, admitted) {
            (None, _) => Standing::Free,
            (Some(owner), _) if owner == *key => Standing::Owner,
            (_, Some((_, role))) => Standing::Admitted(*role),
            _ => Standing::Stranger,
        }
    }

    /// The key was proven: the first one owns the terminal.
    pub fn prove(&mut self, key: Key) -> Standing {
        self.owner.get_or_insert(key);
        self.standing(&key)
    }

    pub fn admit(&mut self, key: Key, role: Role) -> Result<(), String> {
        if self.owner == Some(key) {
            return Err("this key owns the terminal".into());
        }
        self.dismiss(&key);
        if self.admitted.len() >= bounds::ADMITTED_KEYS {
            return Err(format!(
                "at most {} keys may be let in",
                bounds::ADMITTED_KEYS
            ));
        }
        self.admitted.push((key, role));
        Ok(())
    }

    pub fn dismiss(&mut self, key: &Key) {
        self.admitted.retain(|(known, _)| known != key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: u8) -> Key {
        Key::read(&[number; 32]).unwrap()
    }

    #[test]
    fn the_first_proven_key_owns_and_lets_others_in() {
        let mut keys = Keys::new(None);
        assert_eq!(keys.standing(&key(1)), Standing::Free);
        assert_eq!(keys.prove(key(1)), Standing::Owner);
        assert_eq!(keys.prove(key(2)), Standing::Stranger);
        keys.admit(key(2), Role::Viewer).unwrap();
        assert_eq!(keys.prove(key(2)), Standing::Admitted(Role::Viewer));
        keys.admit(key(2), Role::Driver).unwrap();
        assert_eq!(keys.standing(&key(2)), Standing::Admitted(Role::Driver));
        keys.dismiss(&key(2));
        assert_eq!(keys.standing(&key(2)), Standing::Stranger);
        assert!(keys.admit(key(1), Role::Viewer).is_err());
    }

    #[test]
    fn keys_are_bounded_and_have_one_length() {
        let mut keys = Keys::new(Some(key(0)));
        for number in 1..=bounds::ADMITTED_KEYS {
            keys.admit(key(number as u8), Role::Viewer).unwrap();
        }
        assert!(keys.admit(key(200), Role::Viewer).is_err());
        keys.admit(key(1), Role::Driver).unwrap();
        assert!(Key::read(&[1; 31]).is_err() && Key::parse("not base64").is_err());
    }
}
