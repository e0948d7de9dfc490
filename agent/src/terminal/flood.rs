//! Tells a flood, whose pieces are joined, from a few bytes that somebody waits for.
use crate::bounds;
use std::time::Instant;

pub struct Flood {
    on: bool,
    since: Instant,
    bytes: usize,
    /// Since it began, or since somebody asked whether it is a long one.
    total: usize,
    pub announce_at: Option<Instant>,
}

impl Flood {
    pub fn new(now: Instant) -> Flood {
        Flood {
            on: false,
            since: now,
            bytes: 0,
            total: 0,
            announce_at: None,
        }
    }

    pub fn is_on(&self) -> bool {
        self.on
    }

    /// Whether this piece should wait for more.
    pub fn goes_on(&mut self, count: usize, unannounced: u64) -> bool {
        let now = Instant::now();
        let elapsed = now - self.since;
        if elapsed > bounds::FLOOD_TIME {
            self.on = self.bytes >= bounds::FLOOD_BYTES && elapsed < 2 * bounds::FLOOD_TIME;
            (self.since, self.bytes) = (now, 0);
        }
        self.bytes += count;
        self.on |= self.bytes >= bounds::FLOOD_BYTES;
        self.total = if self.on { self.total + count } else { 0 };
        self.on && unannounced < bounds::FLOOD_MESSAGE
    }

    /// Says so once, and again when as much more has come.
    pub fn has_become_long(&mut self) -> bool {
        let long = self.total >= bounds::READ_AHEAD_AFTER;
        if long {
            self.total = 0;
        }
        long
    }
}
