//! What the terminal shows, so that somebody who comes later can be given the picture instead of all
//! that led to it.
//!
//! An emulator is slower than a flood. So it lags behind the ring on purpose: most of a flood has
//! scrolled away by then, and need not be emulated to know what is left on the screen.
use super::drawing;
use super::modes::Modes;
use super::pty::Size;
use super::scan::{self, Kind, Piece};
use crate::bounds;
use crate::command::ring::Ring;
use std::borrow::Cow;
use unicode_width::UnicodeWidthChar;

/// A line goes through the whole screen at most twice: down to the last row, and up and out.
const SCREENS_UNTIL_GONE: usize = 2;
/// How far is looked ahead for what has scrolled away.
const WINDOW_SLICES: usize = 2;

pub struct Screen {
    emulator: avt::Terminal,
    modes: Modes,
    size: Size,
    /// All output before this has been taken in.
    offset: u64,
    /// Up to here there is nothing to be left out.
    needed: u64,
    /// Inside a control string that is too long to be kept, which began with ESC and this byte.
    inside: Option<u8>,
}

impl Screen {
    pub fn new(size: Size) -> Screen {
        Screen {
            emulator: avt::Terminal::new(size.columns.into(), size.rows.into())
                .expect("a size has no side of 0"),
            modes: Modes::default(),
            size,
            offset: 0,
            needed: 0,
            inside: None,
        }
    }

    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Takes in some of what the ring holds when that has become much. Called after each piece of output,
    /// so that nothing leaves the ring unseen: a piece is no more than a slice, and so is what a turn
    /// takes in, or nearly so.
    pub fn keep_up(&mut self, ring: &Ring) {
        let (lag, slice) = (ring.limit() / 2, ring.limit() / 16);
        self.offset = self.offset.max(ring.start());
        while ring.end() - self.offset >= lag as u64 {
            let from = self.offset;
            let window = ring.view(from, WINDOW_SLICES * slice);
            if from >= self.needed {
                self.leave_out(&window, slice, slice);
            }
            let rest = &window[(self.offset - from) as usize..];
            let due = self.needed.saturating_sub(self.offset) as usize;
            self.feed(&rest[..due.min(slice).min(rest.len())]);
            // Usually one turn is enough, and the rest of the agent is not kept waiting.
            if ring.end() - self.offset < (lag + 2 * slice) as u64 {
                return;
            }
        }
    }

    /// Takes in all but a piece that is still cut.
    pub fn catch_up(&mut self, ring: &Ring) {
        self.offset = self.offset.max(ring.start());
        let from = self.offset;
        let bytes = ring.view(from, ring.limit());
        if from >= self.needed {
            self.leave_out(&bytes, ring.limit(), 0);
        }
        self.feed(&bytes[(self.offset - from) as usize..]);
    }

    /// Looks for output that has scrolled away, and drops it if it is at least so much, unless more than a
    /// slice before it must be taken in first. What follows it is looked at again: with more behind it, it
    /// will mostly have scrolled away as well.
    fn leave_out(&mut self, bytes: &[u8], slice: usize, least: usize) {
        let from = self.offset;
        self.needed = from + bytes.len() as u64;
        if self.inside.is_some() {
            return;
        }
        let lines = SCREENS_UNTIL_GONE * usize::from(self.size.rows);
        let look = scan::look(bytes, lines);
        if look.whole > 0 {
            self.needed = from + look.whole as u64;
        }
        // Else an output made for it could have the same bytes looked at over and over.
        let Some(scrolled) = look.scrolled.filter(|end| end - look.needed >= least) else {
            return;
        };
        if look.needed > slice {
            // Looked at again when that is done.
            self.needed = from + look.needed as u64;
            return;
        }
        self.feed(&bytes[..look.needed]);
        if !self.modes.margins {
            self.feed_pens(&bytes[look.needed..scrolled]);
            self.offset = from + scrolled as u64;
            self.needed = self.offset;
        }
    }

    /// Of the pens only those since the last reset count.
    fn feed_pens(&mut self, mut bytes: &[u8]) {
        let mut pens = String::new();
        while let Piece::Whole(kind, length) = scan::first_piece(bytes) {
            let piece = &bytes[..length];
            match kind {
                Kind::Pen if matches!(piece, b"\x1b[m" | b"\x1b[0m") => {
                    pens.clear();
                    pens.push_str("\x1b[m");
                }
                Kind::Pen => pens.push_str(&String::from_utf8_lossy(piece)),
                Kind::String => self.modes.note(piece, self.size.rows),
                Kind::Text | Kind::Order => {}
            }
            bytes = &bytes[length..];
        }
        self.emulator.feed(&*pens);
    }

    fn feed(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        if self.inside.is_some() {
            match scan::string_end(rest) {
                // An escape at the end may begin the terminator.
                None => {
                    let kept = usize::from(rest.last() == Some(&0x1b));
                    self.offset += (rest.len() - kept) as u64;
                    return;
                }
                Some(end) => rest = &rest[end..],
            }
            self.inside = None;
        }
        loop {
            match scan::first_piece(rest) {
                Piece::Whole(kind, length) => {
                    self.take(kind, &rest[..length]);
                    rest = &rest[length..];
                }
                Piece::Cut => break,
                Piece::Endless(introducer) => {
                    let kept = usize::from(rest.last() == Some(&0x1b));
                    rest = &rest[rest.len() - kept..];
                    self.inside = Some(introducer);
                    break;
                }
            }
        }
        self.offset += (bytes.len() - rest.len()) as u64;
    }

    fn take(&mut self, kind: Kind, piece: &[u8]) {
        match kind {
            Kind::Text => {
                let text = String::from_utf8_lossy(piece);
                self.emulator.feed(&*with_cells(text));
            }
            Kind::Pen => self.emulator.feed(&*String::from_utf8_lossy(piece)),
            Kind::String => self.modes.note(piece, self.size.rows),
            Kind::Order => {
                self.modes.note(piece, self.size.rows);
                // A program may ask for another window size; only the people at the terminal decide.
                let resizes = piece.starts_with(b"\x1b[") && piece.ends_with(b"t");
                if !resizes {
                    self.emulator.feed(&*String::from_utf8_lossy(piece));
                }
            }
        }
    }

    pub fn resize(&mut self, size: Size) {
        self.size = size;
        self.modes.margins = false;
        self.emulator.resize(size.columns.into(), size.rows.into());
    }

    /// Bytes that bring any terminal of this size to the same picture and modes.
    pub fn draw(&self) -> Vec<u8> {
        let mut out = Vec::new();
        // Out of the alternate screen, softly reset, empty, the cursor in the corner.
        out.extend(b"\x1b[?1049l\x1b[!p");
        Modes::draw_reset(&mut out);
        out.extend(b"\x1b[H\x1b[2J");
        let picture = self.emulator.dump();
        let alternate = self.emulator.active_screen_kind() == avt::ScreenKind::Alternate;
        let most = bounds::SCREEN - bounds::SCREEN_MODES - out.len();
        match drawing::in_common_words(&picture, alternate, most) {
            Some(picture) => out.extend(picture.into_bytes()),
            None => self.draw_plainly(&mut out),
        }
        self.modes.draw(&mut out);
        if let Some(introducer) = self.inside {
            out.extend([0x1b, introducer]);
        }
        out
    }

    /// A screen so large and so colourful that it does not fit: its text, as far as that does.
    fn draw_plainly(&self, out: &mut Vec<u8>) {
        for (row, line) in self.emulator.screen().visible_lines().enumerate() {
            let line = format!("\x1b[{}H{}", row + 1, line.text().trim_end());
            if out.len() + line.len() > bounds::SCREEN - bounds::SCREEN_MODES {
                break;
            }
            out.extend(line.into_bytes());
        }
        let at = self.emulator.cursor_position();
        out.extend(format!("\x1b[{};{}H", at.row + 1, at.col + 1).into_bytes());
    }
}

/// The emulator would give a combining mark a cell of its own, and take U+0080 to U+009F for controls; in
/// UTF-8 hardly any terminal does either.
fn with_cells(text: Cow<'_, str>) -> Cow<'_, str> {
    let has_cell = |c: &char| c.is_ascii() || c.width().is_some_and(|width| width > 0);
    match text.is_ascii() {
        true => text,
        false => text.chars().filter(has_cell).collect(),
    }
}

#[cfg(test)]
#[path = "screen_tests.rs"]
mod tests;
