//! XDR (RFC 4506): what a call is read from, and what an answer is written to.

/// The bytes are not what the protocol says.
#[derive(Debug, PartialEq)]
pub struct Garbled;

#[derive(Clone, Copy)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { rest: bytes }
    }

    pub fn fixed(&mut self, count: usize) -> Result<&'a [u8], Garbled> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(Garbled)?;
        self.rest = rest;
        Ok(taken)
    }

    pub fn u32(&mut self) -> Result<u32, Garbled> {
        let bytes = self.fixed(4)?;
        Ok(u32::from_be_bytes(bytes.try_into().map_err(|_| Garbled)?))
    }

    pub fn u64(&mut self) -> Result<u64, Garbled> {
        let bytes = self.fixed(8)?;
        Ok(u64::from_be_bytes(bytes.try_into().map_err(|_| Garbled)?))
    }

    pub fn boolean(&mut self) -> Result<bool, Garbled> {
        match self.u32()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Garbled),
        }
    }

    /// Bytes of a length that is told, at most `most`, with their padding.
    pub fn opaque(&mut self, most: usize) -> Result<&'a [u8], Garbled> {
        let length = self.u32()? as usize;
        if length > most {
            return Err(Garbled);
        }
        let bytes = self.fixed(length)?;
        self.fixed(padding(length))?;
        Ok(bytes)
    }
}

fn padding(length: usize) -> usize {
    length.wrapping_neg() & 3
}

/// An answer as it is being written, with a place for its record mark at the beginning.
#[derive(Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    pub fn clear(&mut self) {
        self.bytes.clear();
    }

    pub fn truncate(&mut self, length: usize) {
        self.bytes.truncate(length);
    }

    pub fn as_slice(&self) -> &[u8] {
        &self.bytes
    }

    pub fn u32(&mut self, value: u32) {
        self.bytes.extend_from_slice(&value.to_be_bytes());
    }

    pub fn u64(&mut self, value: u64) {
        self.bytes.extend_from_slice(&value.to_be_bytes());
    }

    pub fn boolean(&mut self, value: bool) {
        self.u32(u32::from(value));
    }

    pub fn fixed(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    pub fn opaque(&mut self, bytes: &[u8]) {
        self.u32(bytes.len() as u32);
        self.fixed(bytes);
        self.pad(bytes.len());
    }

    /// Has `fill` write at most `most` bytes straight into the answer, as an opaque, and gives their number.
    pub fn filled<E>(
        &mut self,
        most: usize,
        fill: impl FnOnce(*mut u8, usize) -> Result<usize, E>,
    ) -> Result<usize, E> {
        self.u32(0);
        let start = self.bytes.len();
        self.bytes.reserve(most + 4);
        let count = fill(self.bytes.spare_capacity_mut().as_mut_ptr().cast(), most)?.min(most);
        // Safe: the capacity was reserved, and `count` bytes of it have been written.
        unsafe { self.bytes.set_len(start + count) };
        self.put(start - 4, count as u32);
        self.pad(count);
        Ok(count)
    }

    /// Overwrites a number that was written before.
    pub fn put(&mut self, at: usize, value: u32) {
        self.bytes[at..at + 4].copy_from_slice(&value.to_be_bytes());
    }

    fn pad(&mut self, length: usize) {
        self.bytes.extend_from_slice(&[0; 3][..padding(length)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let mut out = Writer::default();
        out.u32(7);
        out.opaque(b"hello");
        out.u64(u64::MAX);
        out.boolean(true);
        let mut reader = Reader::new(out.as_slice());
        assert_eq!(reader.u32(), Ok(7));
        assert_eq!(reader.opaque(5), Ok(&b"hello"[..]));
        assert_eq!(reader.u64(), Ok(u64::MAX));
        assert_eq!(reader.boolean(), Ok(true));
        assert_eq!(reader.u32(), Err(Garbled));
    }

    #[test]
    fn a_length_beyond_the_bound_or_the_bytes_is_garbled() {
        let mut out = Writer::default();
        out.opaque(b"hello");
        assert_eq!(Reader::new(out.as_slice()).opaque(4), Err(Garbled));
        assert_eq!(
            Reader::new(&[0xff, 0xff, 0xff, 0xff]).opaque(usize::MAX),
            Err(Garbled)
        );
        assert_eq!(Reader::new(&out.as_slice()[..10]).opaque(5), Err(Garbled));
    }
}
