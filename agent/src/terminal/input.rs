//! What people type, on its way into the terminal: once and in order for each of them.
use crate::bounds;
use crate::relay::wire::{Failure, TerminalInput};
use bytes::Bytes;
use std::collections::VecDeque;

/// Outlives the streams that input comes by: what was taken is written, and what is sent again after a
/// broken connection is known.
#[derive(Default)]
pub struct Input {
    /// The one heard of longest ago first.
    sources: Vec<Source>,
    queue: VecDeque<Typed>,
    waiting: usize,
    closed: bool,
}

struct Source {
    name: String,
    taken: u64,
    written: u64,
}

struct Typed {
    source: String,
    sequence: u64,
    data: Bytes,
}

impl Input {
    pub fn has_room(&self) -> bool {
        self.waiting < bounds::INPUT_WAITING
    }

    /// The last sequence of this source that was written whole.
    pub fn written(&self, source: &str) -> u64 {
        let found = self.sources.iter().find(|s| s.name == source);
        found.map_or(0, |source| source.written)
    }

    /// Takes input in, unless it was taken before. Refused input changes nothing.
    pub fn take(&mut self, source: &str, input: TerminalInput) -> Result<(), Failure> {
        if input.data.len() > bounds::INPUT_MESSAGE {
            return Err(Failure::invalid("input of more than 64 KiB in one message"));
        }
        let found = self.sources.iter().position(|s| s.name == source);
        let taken = found.map_or(0, |index| self.sources[index].taken);
        if input.sequence <= taken {
            return Ok(());
        }
        if input.sequence != taken + 1 {
            return Err(Failure::invalid(format!(
                "input {} came where {} was due",
                input.sequence,
                taken + 1
            )));
        }
        let mut known = match found {
            Some(index) => self.sources.remove(index),
            None => Source {
                name: source.into(),
                taken,
                written: 0,
            },
        };
        known.taken = input.sequence;
        self.sources.push(known);
        if self.sources.len() > bounds::INPUT_SOURCES {
            self.sources.remove(0);
        }
        if !self.closed {
            self.waiting += input.data.len() + bounds::INPUT_PIECE;
            self.queue.push_back(Typed {
                source: source.into(),
                sequence: input.sequence,
                data: input.data,
            });
        }
        Ok(())
    }

    /// What is to be written next.
    pub fn next(&self) -> Option<Bytes> {
        self.queue.front().map(|typed| typed.data.clone())
    }

    /// The terminal took this many of the bytes of `next`.
    pub fn wrote(&mut self, count: usize) {
        let Some(front) = self.queue.front_mut() else {
            return;
        };
        let _ = front.data.split_to(count);
        self.waiting -= count;
        if !front.data.is_empty() {
            return;
        }
        self.waiting -= bounds::INPUT_PIECE;
        if let Some(source) = self.sources.iter_mut().find(|s| s.name == front.source) {
            source.written = front.sequence;
        }
        self.queue.pop_front();
    }

    /// Nobody reads it any more: what waits and what still comes is dropped.
    pub fn close(&mut self) {
        self.closed = true;
        self.queue = VecDeque::new();
        self.waiting = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(sequence: u64, data: &str) -> TerminalInput {
        TerminalInput {
            sequence,
            data: data.to_owned().into(),
        }
    }

    fn write_all(input: &mut Input) -> String {
        let mut all = String::new();
        while let Some(data) = input.next() {
            let half = data.len().div_ceil(2);
            all.push_str(std::str::from_utf8(&data[..half]).unwrap());
            input.wrote(half);
        }
        all
    }

    #[test]
    fn input_sent_twice_is_written_once() {
        let mut input = Input::default();
        input.take("a", typed(1, "one ")).unwrap();
        input.take("b", typed(1, "uno ")).unwrap();
        input.take("a", typed(1, "one ")).unwrap();
        input.take("a", typed(2, "two")).unwrap();
        assert_eq!(input.written("a"), 0);
        assert_eq!(write_all(&mut input), "one uno two");
        assert_eq!((input.written("a"), input.written("b")), (2, 1));
        input.take("a", typed(2, "two")).unwrap();
        assert_eq!(write_all(&mut input), "");
    }

    #[test]
    fn a_hole_is_refused_and_changes_nothing() {
        let mut input = Input::default();
        assert!(input.take("a", typed(2, "x")).is_err());
        input.take("a", typed(1, "y")).unwrap();
        assert_eq!(write_all(&mut input), "y");
    }

    #[test]
    fn empty_input_counts_as_written() {
        let mut input = Input::default();
        input.take("a", typed(1, "")).unwrap();
        assert_eq!(input.next(), Some(Bytes::new()));
        input.wrote(0);
        assert_eq!((input.written("a"), input.next()), (1, None));
    }

    #[test]
    fn input_without_bytes_takes_room_until_it_is_written() {
        let mut input = Input::default();
        let mut sequence = 0;
        while input.has_room() {
            sequence += 1;
            input.take("quiet", typed(sequence, "")).unwrap();
        }
        assert!(sequence < 100_000);
        write_all(&mut input);
        assert_eq!((input.waiting, input.written("quiet")), (0, sequence));
    }

    #[test]
    fn sources_and_bytes_are_bounded() {
        let mut input = Input::default();
        for n in 0..1000 {
            input.take(&n.to_string(), typed(1, "")).unwrap();
        }
        assert_eq!(input.sources.len(), bounds::INPUT_SOURCES);
        write_all(&mut input);
        let mut sequence = 0;
        while input.has_room() {
            sequence += 1;
            let large = "x".repeat(bounds::INPUT_MESSAGE);
            input.take("loud", typed(sequence, &large)).unwrap();
        }
        assert_eq!(sequence, 16);
        input.close();
        assert!(input.has_room() && input.next().is_none());
    }
}
