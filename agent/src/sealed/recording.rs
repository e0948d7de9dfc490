//! A recording that only the owner of a sealed terminal can read: asciicast, sealed to the owner's key and
//! signed, as it were, by the host's (`Noise_X`: one way, both sides known).
//!
//! It is a row of records: one byte of kind, four of length (big-endian), then bytes. A record of kind 1
//! begins a segment and says where; those of kind 2 hold eight bytes, the offset after it, and text. Another
//! segment begins whenever the relay had to begin again, and its start must be the former one's end.
use super::host_key::HostKey;
use super::keys::Key;
use serde_json::json;
use snow::{Builder, TransportState};
use std::time::Instant;

const PATTERN: &str = "Noise_X_25519_ChaChaPoly_SHA256";
const PROLOGUE: &str = "bivouac.recording.v1 ";
const BEGIN: u8 = 1;
const TEXT: u8 = 2;

/// Seals one segment.
pub struct Segment(TransportState);

impl Segment {
    /// Gives the segment's first record with it.
    pub fn begin(
        host: &HostKey,
        owner: &Key,
        terminal: &str,
        from: u64,
    ) -> Result<(Segment, Vec<u8>), snow::Error> {
        let prologue = format!("{PROLOGUE}{terminal}");
        let mut state = Builder::new(PATTERN.parse()?)
            .local_private_key(&host.private)?
            .remote_public_key(owner.bytes())?
            .prologue(prologue.as_bytes())?
            .build_initiator()?;
        let payload = json!({"from": from}).to_string();
        let mut data = vec![0; payload.len() + 128];
        let length = state.write_message(payload.as_bytes(), &mut data)?;
        let first = record(BEGIN, &data[..length]);
        Ok((Segment(state.into_transport_mode()?), first))
    }

    /// `next`: all output before this is in the text, or before it.
    pub fn seal(&mut self, next: u64, text: &str) -> Vec<u8> {
        let plain = [&next.to_be_bytes(), text.as_bytes()].concat();
        let mut data = vec![0; plain.len() + 16];
        self.0
            .write_message(&plain, &mut data)
            .expect("a piece of text fits into a message");
        record(TEXT, &data)
    }
}

fn record(kind: u8, data: &[u8]) -> Vec<u8> {
    let length = (data.len() as u32).to_be_bytes();
    [&[kind], &length[..], data].concat()
}

/// Writes asciicast, version 3: each line says how long after the one before it.
pub struct Asciicast {
    last: Instant,
    /// The beginning of a character that is still to come whole.
    cut: Vec<u8>,
}

impl Asciicast {
    pub fn new(last: Instant) -> Asciicast {
        Asciicast {
            last,
            cut: Vec::new(),
        }
    }

    pub fn header(columns: u32, rows: u32, unix_seconds: i64) -> String {
        let term = json!({"cols": columns, "rows": rows, "type": "xterm-256color"});
        let header = json!({"version": 3, "term": term, "timestamp": unix_seconds});
        format!("{header}\n")
    }

    /// How much of what it was given is not in its text yet.
    pub fn cut(&self) -> u64 {
        self.cut.len() as u64
    }

    pub fn last(&self) -> Instant {
        self.last
    }

    pub fn output(&mut self, data: &[u8]) -> String {
        self.cut.extend(data);
        let whole = match std::str::from_utf8(&self.cut) {
            Ok(_) => self.cut.len(),
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            // Bytes that are no text at all, or a character that is cut behind such.
            Err(_) => whole_characters(&self.cut),
        };
        let rest = self.cut.split_off(whole);
        let text = std::mem::replace(&mut self.cut, rest);
        match text.is_empty() {
            true => String::new(),
            false => self.line("o", &String::from_utf8_lossy(&text)),
        }
    }

    pub fn resized(&mut self, columns: u32, rows: u32) -> String {
        self.line("r", &format!("{columns}x{rows}"))
    }

    pub fn marker(&mut self, label: &str) -> String {
        self.line("m", label)
    }

    pub fn exit(&mut self, code: i32) -> String {
        let rest = std::mem::take(&mut self.cut);
        let mut text = match rest.is_empty() {
            true => String::new(),
            false => self.line("o", &String::from_utf8_lossy(&rest)),
        };
        text.push_str(&self.line("x", &code.to_string()));
        text
    }

    fn line(&mut self, kind: &str, text: &str) -> String {
        let now = Instant::now();
        let seconds = (now - self.last).as_secs_f64();
        self.last = now;
        format!("[{seconds:.6}, \"{kind}\", {}]\n", json!(text))
    }
}

/// Up to the last byte that may begin a character, when that one is not whole.
fn whole_characters(bytes: &[u8]) -> usize {
    let longest = bytes.len().saturating_sub(3);
    let start = bytes
        .iter()
        .skip(longest)
        .rposition(|byte| byte & 0xc0 != 0x80);
    let Some(start) = start.map(|at| at + longest) else {
        return bytes.len();
    };
    match std::str::from_utf8(&bytes[start..]) {
        Err(error) if error.error_len().is_none() => start,
        _ => bytes.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_never_cut() {
        let mut cast = Asciicast::new(Instant::now());
        let text = "aé€😀z".as_bytes();
        let mut shown = String::new();
        for byte in text {
            let line = cast.output(&[*byte]);
            if !line.is_empty() {
                let event: serde_json::Value = serde_json::from_str(&line).unwrap();
                shown.push_str(event[2].as_str().unwrap());
            }
        }
        assert_eq!((&*shown, cast.cut()), ("aé€😀z", 0));
        let line = cast.output(b"\xff\xfe\xe2\x82");
        assert!(line.contains('\u{fffd}') && cast.cut() == 2, "{line:?}");
        assert!(cast.exit(-9).contains("\"x\", \"-9\"]"));
        assert_eq!(cast.cut(), 0);
    }

    #[test]
    fn a_segment_opens_with_the_owners_key_only() {
        let pair = || {
            Builder::new(PATTERN.parse().unwrap())
                .generate_keypair()
                .unwrap()
        };
        let (made, owner, other) = (pair(), pair(), pair());
        let host = HostKey {
            private: made.private.try_into().unwrap(),
            public: made.public.clone().try_into().unwrap(),
        };
        let key = Key::read(&owner.public).unwrap();
        let (mut segment, first) = Segment::begin(&host, &key, "pty-1", 5).unwrap();
        let text = segment.seal(7, "hello");
        let open = |private: &[u8], terminal: &str| {
            let prologue = format!("{PROLOGUE}{terminal}");
            let mut state = Builder::new(PATTERN.parse().unwrap())
                .local_private_key(private)
                .unwrap()
                .prologue(prologue.as_bytes())
                .unwrap()
                .build_responder()
                .unwrap();
            let mut plain = vec![0; 1024];
            let length = state.read_message(&first[5..], &mut plain).ok()?;
            assert_eq!(&plain[..length], br#"{"from":5}"#);
            assert_eq!(state.get_remote_static().unwrap(), made.public);
            let mut state = state.into_transport_mode().unwrap();
            let length = state.read_message(&text[5..], &mut plain).unwrap();
            Some(plain[8..length].to_vec())
        };
        assert_eq!(open(&owner.private, "pty-1").unwrap(), b"hello");
        assert!(open(&other.private, "pty-1").is_none());
        assert!(open(&owner.private, "pty-2").is_none());
    }
}
