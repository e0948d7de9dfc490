//! Bytes that are made here, joined into messages; compressed on the way, if so asked.
use super::crc::Crc;
use super::fault::Outcome;
use super::talk::Talk;
use crate::bounds;
use miniz_oxide::MZFlush;
use miniz_oxide::deflate::core::{CompressorOxide, create_comp_flags_from_zip_params};
use miniz_oxide::deflate::stream::deflate;

/// Fast rather than small: archives cross a network of this machine, mostly.
const LEVEL: i32 = 1;
/// Without a header of its own.
const RAW: i32 = -15;
const BUFFER: usize = 64 * 1024;

pub struct Pieces<'a> {
    talk: &'a Talk,
    piece: Vec<u8>,
    pub written: u64,
}

impl<'a> Pieces<'a> {
    pub fn new(talk: &'a Talk) -> Pieces<'a> {
        Pieces {
            talk,
            piece: Vec::with_capacity(bounds::FILE_PIECE),
            written: 0,
        }
    }

    pub fn put(&mut self, mut bytes: &[u8]) -> Outcome<()> {
        self.written += bytes.len() as u64;
        while !bytes.is_empty() {
            let room = bounds::FILE_PIECE - self.piece.len();
            let (now, later) = bytes.split_at(room.min(bytes.len()));
            self.piece.extend_from_slice(now);
            bytes = later;
            if self.piece.len() == bounds::FILE_PIECE {
                self.flush()?;
            }
        }
        Ok(())
    }

    pub fn flush(&mut self) -> Outcome<()> {
        if self.piece.is_empty() {
            return Ok(());
        }
        let next = Vec::with_capacity(bounds::FILE_PIECE);
        self.talk.data(std::mem::replace(&mut self.piece, next))
    }
}

/// Raw deflate (RFC 1951).
pub struct Deflate {
    compressor: Box<CompressorOxide>,
    buffer: Vec<u8>,
    pub crc: Crc,
    pub taken: u64,
}

impl Deflate {
    pub fn new() -> Deflate {
        let flags = create_comp_flags_from_zip_params(LEVEL, RAW, 0);
        Deflate {
            compressor: Box::new(CompressorOxide::new(flags)),
            buffer: vec![0; BUFFER],
            crc: Crc::default(),
            taken: 0,
        }
    }

    pub fn put(&mut self, bytes: &[u8], to: &mut Pieces) -> Outcome<()> {
        self.crc.add(bytes);
        self.taken += bytes.len() as u64;
        self.push(bytes, MZFlush::None, to)
    }

    pub fn finish(&mut self, to: &mut Pieces) -> Outcome<()> {
        self.push(&[], MZFlush::Finish, to)
    }

    fn push(&mut self, mut bytes: &[u8], flush: MZFlush, to: &mut Pieces) -> Outcome<()> {
        loop {
            let done = deflate(&mut self.compressor, bytes, &mut self.buffer, flush);
            to.put(&self.buffer[..done.bytes_written])?;
            bytes = &bytes[done.bytes_consumed..];
            let full = done.bytes_written == self.buffer.len();
            if bytes.is_empty() && !full {
                return Ok(());
            }
        }
    }
}

/// Where a tar goes.
pub enum Out<'a> {
    Plain(Pieces<'a>),
    Gzip(Pieces<'a>, Box<Deflate>),
}

impl<'a> Out<'a> {
    pub fn gzip(mut to: Pieces<'a>) -> Outcome<Out<'a>> {
        // Deflate, no name, no time, fastest, Unix (RFC 1952).
        to.put(&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 3])?;
        Ok(Out::Gzip(to, Box::new(Deflate::new())))
    }

    pub fn put(&mut self, bytes: &[u8]) -> Outcome<()> {
        match self {
            Out::Plain(to) => to.put(bytes),
            Out::Gzip(to, deflate) => deflate.put(bytes, to),
        }
    }

    pub fn finish(self) -> Outcome<()> {
        match self {
            Out::Plain(mut to) => to.flush(),
            Out::Gzip(mut to, mut deflate) => {
                deflate.finish(&mut to)?;
                to.put(&deflate.crc.value().to_le_bytes())?;
                to.put(&(deflate.taken as u32).to_le_bytes())?;
                to.flush()
            }
        }
    }
}
