//! What a client calls a file: a version, its export, what the kernel or a table calls the file, and a seal over all
//! of it under the export's own key. So a handle outlives renames and restarts, cannot be made up, and is worth
//! nothing at another export.
use super::bounds::HANDLE;
use super::kernel::{KernelHandle, LONGEST_HANDLE};
use hmac::{Hmac, Mac};
use sha2::{Digest, Sha256};

const VERSION: u8 = 1;
const BY_KERNEL: u8 = 1;
const BY_TABLE: u8 = 2;
const SEAL: usize = 16;
/// Version, export, kind.
const HEAD: usize = 1 + 8 + 1;

/// An export's number in handles: its name's hash, the same after every start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ExportId(pub u64);

impl ExportId {
    pub fn of(name: &str) -> ExportId {
        let hash = Sha256::digest(name.as_bytes());
        let mut first = [0; 8];
        first.copy_from_slice(&hash[..8]);
        ExportId(u64::from_be_bytes(first))
    }
}

/// A file within an export.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FileId {
    Kernel(KernelHandle),
    Table(u64),
}

/// The key that seals an export's handles.
#[derive(Clone)]
pub struct Key(Hmac<Sha256>);

impl Key {
    pub fn new(secret: &[u8]) -> Result<Key, String> {
        Hmac::new_from_slice(secret)
            .map(Key)
            .map_err(|_| "the key of an export cannot be used".to_owned())
    }

    fn over(&self, bytes: &[u8]) -> Hmac<Sha256> {
        let mut mac = self.0.clone();
        mac.update(bytes);
        mac
    }
}

/// A sealed handle.
#[derive(Clone, Copy)]
pub struct Handle {
    bytes: [u8; HANDLE],
    length: usize,
}

impl Handle {
    pub fn seal(export: ExportId, file: &FileId, key: &Key) -> Handle {
        let mut handle = Handle {
            bytes: [0; HANDLE],
            length: 0,
        };
        handle.push(&[VERSION]);
        handle.push(&export.0.to_be_bytes());
        match file {
            FileId::Kernel(kernel) => {
                handle.push(&[BY_KERNEL]);
                handle.push(&kernel.kind.to_be_bytes());
                handle.push(&kernel.bytes[..usize::from(kernel.length).min(LONGEST_HANDLE)]);
            }
            FileId::Table(number) => {
                handle.push(&[BY_TABLE]);
                handle.push(&number.to_be_bytes());
            }
        }
        let seal = key.over(handle.as_slice()).finalize().into_bytes();
        handle.push(&seal[..SEAL]);
        handle
    }

    /// The lengths above add up to at most `HANDLE`.
    fn push(&mut self, part: &[u8]) {
        self.bytes[self.length..self.length + part.len()].copy_from_slice(part);
        self.length += part.len();
    }

    pub fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

/// The export that a handle says it is of; None when it is no handle of ours.
pub fn export_of(bytes: &[u8]) -> Option<ExportId> {
    let (version, rest) = bytes.split_first()?;
    if *version != VERSION || bytes.len() < HEAD + SEAL || bytes.len() > HANDLE {
        return None;
    }
    Some(ExportId(u64::from_be_bytes(
        rest.get(..8)?.try_into().ok()?,
    )))
}

/// The file of a handle whose seal is whole.
pub fn open(bytes: &[u8], key: &Key) -> Option<FileId> {
    let (body, seal) = bytes.split_at_checked(bytes.len().checked_sub(SEAL)?)?;
    key.over(body).verify_truncated_left(seal).ok()?;
    let (head, file) = body.split_at_checked(HEAD)?;
    match *head.last()? {
        BY_KERNEL => {
            let (kind, handle) = file.split_first_chunk::<4>()?;
            let mut bytes = [0; LONGEST_HANDLE];
            bytes.get_mut(..handle.len())?.copy_from_slice(handle);
            Some(FileId::Kernel(KernelHandle {
                kind: i32::from_be_bytes(*kind),
                length: handle.len() as u8,
                bytes,
            }))
        }
        BY_TABLE => Some(FileId::Table(u64::from_be_bytes(file.try_into().ok()?))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernel(length: u8) -> FileId {
        FileId::Kernel(KernelHandle {
            kind: 1,
            length,
            bytes: std::array::from_fn(|i| if i < usize::from(length) { 7 } else { 0 }),
        })
    }

    #[test]
    fn a_handle_is_opened_by_its_own_key_alone() {
        let (key, other) = (Key::new(b"one").unwrap(), Key::new(b"two").unwrap());
        let export = ExportId::of("sbx-1");
        for file in [kernel(8), kernel(LONGEST_HANDLE as u8), FileId::Table(9)] {
            let handle = Handle::seal(export, &file, &key);
            assert_eq!(export_of(handle.as_slice()), Some(export));
            assert_eq!(open(handle.as_slice(), &key), Some(file));
            assert_eq!(open(handle.as_slice(), &other), None);
        }
    }

    #[test]
    fn a_handle_with_any_bit_changed_opens_nothing() {
        let key = Key::new(b"one").unwrap();
        let handle = Handle::seal(ExportId::of("sbx-1"), &kernel(8), &key);
        for bit in 0..handle.as_slice().len() * 8 {
            let mut forged = handle.as_slice().to_vec();
            forged[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(open(&forged, &key), None, "bit {bit}");
        }
        for length in 0..handle.as_slice().len() {
            assert_eq!(open(&handle.as_slice()[..length], &key), None);
        }
    }
}
