//! The last bytes of one output stream, counted from the first byte ever written.
use std::borrow::Cow;
use std::collections::VecDeque;

/// Grows only as far as it is filled, and never past its limit.
pub struct Ring {
    bytes: VecDeque<u8>,
    /// Offset of the oldest byte still held.
    start: u64,
    limit: usize,
}

impl Ring {
    pub fn new(limit: usize) -> Ring {
        Ring {
            bytes: VecDeque::new(),
            start: 0,
            limit,
        }
    }

    pub fn start(&self) -> u64 {
        self.start
    }

    /// Offset of the next byte to come; also the number of bytes ever written.
    pub fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }

    pub fn limit(&self) -> usize {
        self.limit
    }

    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Appends; the oldest bytes give way.
    pub fn push(&mut self, data: &[u8]) {
        let kept = &data[data.len().saturating_sub(self.limit)..];
        let overflow = (self.bytes.len() + kept.len()).saturating_sub(self.limit);
        self.bytes.drain(..overflow);
        self.start += (overflow + data.len() - kept.len()) as u64;
        let needed = self.bytes.len() + kept.len();
        if needed > self.bytes.capacity() {
            let wanted = needed.max(self.bytes.capacity() * 2).min(self.limit);
            self.bytes.reserve_exact(wanted - self.bytes.len());
        }
        self.bytes.extend(kept);
    }

    /// At most `most` bytes from `offset`, which must lie between start and end.
    pub fn read(&self, offset: u64, most: usize) -> Vec<u8> {
        let from = (offset - self.start) as usize;
        let to = self.bytes.len().min(from + most);
        let (first, second) = self.bytes.as_slices();
        let mut out = Vec::with_capacity(to - from);
        if from < first.len() {
            out.extend_from_slice(&first[from..to.min(first.len())]);
        }
        if to > first.len() {
            out.extend_from_slice(&second[from.saturating_sub(first.len())..to - first.len()]);
        }
        out
    }

    /// As `read`, but copied only where the bytes lie around the buffer's end.
    pub fn view(&self, offset: u64, most: usize) -> Cow<'_, [u8]> {
        let from = (offset - self.start) as usize;
        let to = self.bytes.len().min(from + most);
        let (first, second) = self.bytes.as_slices();
        match first.len() {
            seam if to <= seam => Cow::Borrowed(&first[from..to]),
            seam if from >= seam => Cow::Borrowed(&second[from - seam..to - seam]),
            _ => Cow::Owned(self.read(offset, most)),
        }
    }

    /// Forgets the bytes, not how many there were.
    pub fn release(&mut self) {
        self.start = self.end();
        self.bytes = VecDeque::new();
    }

    /// Gives back what was reserved for bytes that will not come any more.
    pub fn shrink(&mut self) {
        self.bytes.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::Ring;

    #[test]
    fn an_empty_ring_holds_no_memory() {
        assert_eq!(Ring::new(1 << 20).bytes.capacity(), 0);
    }

    #[test]
    fn offsets_count_from_the_first_byte_ever() {
        let mut ring = Ring::new(8);
        ring.push(b"abcdef");
        ring.push(b"ghij");
        assert_eq!((ring.start(), ring.end()), (2, 10));
        assert_eq!(ring.read(2, 100), b"cdefghij");
        assert_eq!(ring.read(7, 2), b"hi");
        assert_eq!(ring.read(10, 5), b"");
    }

    #[test]
    fn a_push_larger_than_the_ring_leaves_its_tail() {
        let mut ring = Ring::new(4);
        ring.push(b"x");
        ring.push(b"0123456789");
        assert_eq!((ring.start(), ring.end()), (7, 11));
        assert_eq!(ring.read(7, 9), b"6789");
    }

    #[test]
    fn any_mix_of_pushes_reads_back_as_written() {
        let mut ring = Ring::new(97);
        let mut all: Vec<u8> = Vec::new();
        for step in 0..500usize {
            let chunk: Vec<u8> = (0..step * 7 % 41).map(|i| (step + i) as u8).collect();
            ring.push(&chunk);
            all.extend(&chunk);
            let from = ring.start() as usize + step % 13 % (ring.len() + 1);
            let read = ring.read(from as u64, 29);
            assert_eq!(read, all[from..all.len().min(from + 29)]);
            assert_eq!(ring.view(from as u64, 29), read);
            assert!(ring.bytes.capacity() <= 97);
        }
        assert_eq!(ring.end() as usize, all.len());
    }

    #[test]
    fn a_released_ring_still_knows_how_much_there_was() {
        let mut ring = Ring::new(8);
        ring.push(b"abc");
        ring.release();
        assert_eq!((ring.start(), ring.end(), ring.len()), (3, 3, 0));
    }
}
