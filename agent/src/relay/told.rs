//! Reasons that were logged already.
use crate::bounds;
use std::collections::HashMap;

/// The last reason for each relay that could not be reached: each is logged once, not at every attempt.
#[derive(Default)]
pub struct Told(HashMap<String, String>);

impl Told {
    pub fn is_news(&mut self, relay: &str, reason: &str) -> bool {
        // Sockets come and go with their relays.
        if self.0.len() >= bounds::RELAYS && !self.0.contains_key(relay) {
            self.forget();
        }
        let before = self.0.insert(relay.into(), reason.into());
        before.is_none_or(|before| before != reason)
    }

    pub fn forget(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_news_once_for_each_relay() {
        let mut told = Told::default();
        assert!(told.is_news("a", "refused"));
        assert!(told.is_news("b", "unreachable"));
        assert!(!told.is_news("a", "refused"));
        assert!(!told.is_news("b", "unreachable"));
        assert!(told.is_news("a", "unreachable"));
        told.forget();
        assert!(told.is_news("b", "unreachable"));
    }

    #[test]
    fn reasons_of_many_sockets_are_not_kept_for_ever() {
        let mut told = Told::default();
        for socket in 0..1000 {
            assert!(told.is_news(&socket.to_string(), "gone"));
        }
        assert!(told.0.len() <= bounds::RELAYS);
    }
}
