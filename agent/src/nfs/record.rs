//! Record marking (RFC 5531, section 11): a record is fragments, each with its length in front.
use super::bounds::{FRAGMENTS, RECORD};
use std::io::{Error, ErrorKind, Read};

const LAST: u32 = 1 << 31;

/// Reads the next record into `record`. False at the end of the connection. A length is checked before memory is
/// taken for it.
pub fn read(from: &mut impl Read, record: &mut Vec<u8>) -> std::io::Result<bool> {
    record.clear();
    for fragment in 0..FRAGMENTS {
        let mut mark = [0; 4];
        if let Err(e) = from.read_exact(&mut mark) {
            let at_the_end = fragment == 0 && e.kind() == ErrorKind::UnexpectedEof;
            return if at_the_end { Ok(false) } else { Err(e) };
        }
        let mark = u32::from_be_bytes(mark);
        let length = (mark & !LAST) as usize;
        if record.len() + length > RECORD {
            return Err(refused("a record of more than 2 MiB"));
        }
        let read = from
            .by_ref()
            .take(length as u64)
            .read_to_end_bounded(record, length)?;
        if read < length {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        if mark & LAST != 0 {
            return Ok(true);
        }
    }
    Err(refused("a record of too many fragments"))
}

fn refused(what: &str) -> Error {
    Error::new(ErrorKind::InvalidData, what)
}

trait BoundedRead: Read {
    /// Memory grows with what has come: a peer that announces much and sends little costs little.
    fn read_to_end_bounded(&mut self, into: &mut Vec<u8>, length: usize) -> std::io::Result<usize> {
        const STEP: usize = 256 * 1024;
        let mut read = 0;
        while read < length {
            let start = into.len();
            into.resize(start + (length - read).min(STEP), 0);
            let count = match self.read(&mut into[start..]) {
                Ok(count) => count,
                Err(e) if e.kind() == ErrorKind::Interrupted => 0,
                Err(e) => return Err(e),
            };
            into.truncate(start + count);
            if count == 0 {
                break;
            }
            read += count;
        }
        Ok(read)
    }
}

impl<R: Read> BoundedRead for R {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fragments_are_joined() {
        let bytes = [0, 0, 0, 2, 1, 2, 0x80, 0, 0, 1, 3];
        let mut record = Vec::new();
        let mut from = &bytes[..];
        assert!(read(&mut from, &mut record).unwrap());
        assert_eq!(record, [1, 2, 3]);
        assert!(!read(&mut from, &mut record).unwrap());
    }

    #[test]
    fn an_announced_length_takes_no_memory() {
        let mut record = Vec::new();
        let whole = (LAST | 0x7fff_ffff).to_be_bytes();
        assert!(read(&mut &whole[..], &mut record).is_err());
        assert_eq!(record.capacity(), 0);
        let allowed = (LAST | RECORD as u32).to_be_bytes();
        assert!(read(&mut &allowed[..], &mut record).is_err());
        assert!(record.capacity() < RECORD);
    }

    #[test]
    fn endless_empty_fragments_end_the_connection() {
        let mut record = Vec::new();
        assert!(read(&mut std::io::repeat(0), &mut record).is_err());
    }
}
