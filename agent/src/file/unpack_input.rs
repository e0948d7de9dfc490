//! The bytes of a tar that comes in, compressed by gzip or not: whichever its first two bytes say.
use super::crc::Crc;
use super::fault::{Fault, Outcome};
use super::talk::{Heard, Talk};
use crate::relay::wire::file_failure::Kind;
use bytes::{Buf, Bytes};
use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZError, MZFlush, MZStatus};

const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// What comes, as it comes.
struct Raw<'a> {
    talk: &'a mut Talk,
    piece: Bytes,
    ended: bool,
}

impl Raw<'_> {
    /// False at the end.
    fn fill(&mut self) -> Outcome<bool> {
        while self.piece.is_empty() && !self.ended {
            match self.talk.hear()? {
                Heard::Data(data) => self.piece = data,
                Heard::End => self.ended = true,
            }
        }
        Ok(!self.piece.is_empty())
    }

    fn byte(&mut self) -> Outcome<u8> {
        if !self.fill()? {
            return Err(bad("The archive breaks off."));
        }
        Ok(self.piece.get_u8())
    }
}

pub struct Input<'a> {
    raw: Raw<'a>,
    /// Bytes that were looked at to find out what this is.
    begun: Vec<u8>,
    gzip: Option<Gzip>,
}

struct Gzip {
    state: Box<InflateState>,
    crc: Crc,
    size: u32,
    over: bool,
}

impl<'a> Input<'a> {
    pub fn open(talk: &'a mut Talk) -> Outcome<Input<'a>> {
        let mut raw = Raw {
            talk,
            piece: Bytes::new(),
            ended: false,
        };
        let mut begun = Vec::new();
        while begun.len() < MAGIC.len() && raw.fill()? {
            begun.push(raw.piece.get_u8());
        }
        let mut gzip = None;
        if begun == MAGIC {
            begun.clear();
            header(&mut raw)?;
            gzip = Some(member());
        }
        Ok(Input { raw, begun, gzip })
    }

    /// 0 at the end.
    pub fn read(&mut self, into: &mut [u8]) -> Outcome<usize> {
        if into.is_empty() {
            return Ok(0);
        }
        match &mut self.gzip {
            Some(gzip) => gzip.read(&mut self.raw, into),
            None if !self.begun.is_empty() => {
                let length = self.begun.len().min(into.len());
                into[..length].copy_from_slice(&self.begun[..length]);
                self.begun.drain(..length);
                Ok(length)
            }
            None if self.raw.fill()? => {
                let length = self.raw.piece.len().min(into.len());
                self.raw.piece.copy_to_slice(&mut into[..length]);
                Ok(length)
            }
            None => Ok(0),
        }
    }

    /// All of it, or false when there is nothing more.
    pub fn read_all(&mut self, into: &mut [u8]) -> Outcome<bool> {
        let mut filled = 0;
        while filled < into.len() {
            match self.read(&mut into[filled..])? {
                0 if filled == 0 => return Ok(false),
                0 => return Err(bad("The archive breaks off.")),
                read => filled += read,
            }
        }
        Ok(true)
    }
}

impl Gzip {
    fn read(&mut self, raw: &mut Raw, into: &mut [u8]) -> Outcome<usize> {
        while !self.over {
            let more = raw.fill()?;
            let done = inflate(&mut self.state, &raw.piece, into, MZFlush::None);
            raw.piece.advance(done.bytes_consumed);
            self.crc.add(&into[..done.bytes_written]);
            self.size = self.size.wrapping_add(done.bytes_written as u32);
            match done.status {
                Ok(MZStatus::StreamEnd) => self.member_ends(raw)?,
                Ok(_) | Err(MZError::Buf) if more || done.bytes_written > 0 => {}
                _ => return Err(bad("The archive is no gzip, or breaks off.")),
            }
            if done.bytes_written > 0 {
                return Ok(done.bytes_written);
            }
        }
        Ok(0)
    }

    /// Several may follow each other; zeros at the end are padding.
    fn member_ends(&mut self, raw: &mut Raw) -> Outcome<()> {
        let mut trailer = [0u8; 8];
        for byte in &mut trailer {
            *byte = raw.byte()?;
        }
        let word =
            |from: usize| u32::from_le_bytes(trailer[from..from + 4].try_into().expect("four"));
        if word(0) != self.crc.value() || word(4) != self.size {
            return Err(bad("The archive was damaged on its way."));
        }
        self.over = true;
        if raw.fill()? && raw.piece[0] == MAGIC[0] {
            raw.byte()?;
            raw.byte()?;
            header(raw)?;
            *self = member();
        }
        Ok(())
    }
}

fn member() -> Gzip {
    Gzip {
        state: InflateState::new_boxed(DataFormat::Raw),
        crc: Crc::default(),
        size: 0,
        over: false,
    }
}

/// What follows the first two bytes (RFC 1952 §2.3).
fn header(raw: &mut Raw) -> Outcome<()> {
    const CHECKED: u8 = 2;
    const EXTRA: u8 = 4;
    const TEXTS: [u8; 2] = [8, 16];
    if raw.byte()? != 8 {
        return Err(bad("The archive is compressed in an unknown way."));
    }
    let flags = raw.byte()?;
    for _ in 0..6 {
        raw.byte()?;
    }
    if flags & EXTRA != 0 {
        let length = u16::from_le_bytes([raw.byte()?, raw.byte()?]);
        for _ in 0..length {
            raw.byte()?;
        }
    }
    for text in TEXTS {
        while flags & text != 0 && raw.byte()? != 0 {}
    }
    if flags & CHECKED != 0 {
        raw.byte()?;
        raw.byte()?;
    }
    Ok(())
}

pub fn bad(message: impl Into<String>) -> Fault {
    Fault::new(Kind::BadArchive, message)
}
