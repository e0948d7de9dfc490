//! Cuts a terminal's output into text and control sequences, without acting on them.
//!
//! The shapes are those of ECMA-48 (5.4 control sequences, 5.6 control strings) as terminals read them.
use crate::bounds;
use memchr::{memchr, memchr2};

const ESCAPE: u8 = 0x1b;
const CANCEL: u8 = 0x18;
const SUBSTITUTE: u8 = 0x1a;
const BELL: u8 = 0x07;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Characters, and controls of one byte.
    Text,
    /// Select graphic rendition: changes how the next characters look, and nothing else.
    Pen,
    /// A title, a hyperlink, an image: anything up to a terminator.
    String,
    /// Any other control sequence.
    Order,
}

/// The first piece of some output.
#[derive(Debug, PartialEq)]
pub enum Piece {
    Whole(Kind, usize),
    /// It goes on past what is there.
    Cut,
    /// A control string too long to wait for its end; it began with ESC and this byte.
    Endless(u8),
}

pub fn first_piece(bytes: &[u8]) -> Piece {
    match memchr(ESCAPE, bytes) {
        Some(0) => sequence(bytes),
        Some(text) => Piece::Whole(Kind::Text, text),
        None => match bytes.len() - cut_character(bytes) {
            0 => Piece::Cut,
            text => Piece::Whole(Kind::Text, text),
        },
    }
}

fn sequence(bytes: &[u8]) -> Piece {
    let found = match bytes.get(1) {
        None => None,
        Some(b'[') => control_sequence(bytes),
        Some(b']' | b'P' | b'X' | b'^' | b'_') => {
            string_end(&bytes[2..]).map(|end| (Kind::String, 2 + end))
        }
        Some(0x20..=0x2f) => {
            let last = bytes[2..].iter().position(|b| !(0x20..=0x2f).contains(b));
            last.map(|last| (Kind::Order, 3 + last))
        }
        Some(&ESCAPE) => Some((Kind::Order, 1)),
        Some(_) => Some((Kind::Order, 2)),
    };
    match found {
        Some((kind, length)) => Piece::Whole(kind, length),
        None if bytes.len() <= bounds::LONGEST_SEQUENCE => Piece::Cut,
        None if matches!(bytes[1], b'[' | 0x20..=0x2f) => Piece::Whole(Kind::Order, bytes.len()),
        None => Piece::Endless(bytes[1]),
    }
}

fn control_sequence(bytes: &[u8]) -> Option<(Kind, usize)> {
    let ends = |b: &u8| matches!(b, 0x40..=0x7e | &CANCEL | &SUBSTITUTE | &ESCAPE);
    let last = 2 + bytes[2..].iter().position(ends)?;
    Some(match bytes[last] {
        // Cut off by the next sequence, which is not part of this one.
        ESCAPE => (Kind::Order, last),
        b'm' if bytes[2..last].iter().all(|b| matches!(b, b'0'..=b';')) => (Kind::Pen, last + 1),
        _ => (Kind::Order, last + 1),
    })
}

/// Where a control string ends, its terminator included.
pub fn string_end(bytes: &[u8]) -> Option<usize> {
    let ends = |b: &u8| matches!(*b, BELL | CANCEL | SUBSTITUTE | ESCAPE);
    let last = bytes.iter().position(ends)?;
    match (bytes[last], bytes.get(last + 1)) {
        (ESCAPE, None) => None,
        (ESCAPE, Some(b'\\')) => Some(last + 2),
        (ESCAPE, Some(_)) => Some(last),
        _ => Some(last + 1),
    }
}

/// Bytes at the end that are the beginning of a UTF-8 character.
fn cut_character(bytes: &[u8]) -> usize {
    for back in 1..=bytes.len().min(3) {
        let needed = match bytes[bytes.len() - back] {
            0x80..=0xbf => continue,
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            _ => 1,
        };
        return if needed > back { back } else { 0 };
    }
    0
}

/// Which part of some output no longer shows.
pub struct Look {
    /// Up to here everything counts.
    pub needed: usize,
    /// From there up to here, only pens and strings do. It follows a line's end.
    pub scrolled: Option<usize>,
    /// Past this the last piece is cut.
    pub whole: usize,
}

/// Text that has scrolled away by at least `lines` lines cannot be seen any more, and only controls
/// could have told what it did to anything but the screen.
pub fn look(bytes: &[u8], lines: usize) -> Look {
    let (mut needed, mut at) = (0, 0);
    let mut line_ends: Vec<usize> = Vec::new();
    while let Piece::Whole(kind, length) = first_piece(&bytes[at..]) {
        let piece = &bytes[at..at + length];
        // The shifts between character sets are orders of one byte.
        let order = match kind {
            Kind::Order => Some(length),
            Kind::Text => memchr2(0x0e, 0x0f, piece).map(|_| length),
            Kind::Pen | Kind::String => None,
        };
        if let Some(length) = order {
            needed = at + length;
            line_ends.clear();
        } else if kind == Kind::Text {
            let ends = memchr::memmem::find_iter(piece, b"\r\n");
            line_ends.extend(ends.map(|end| at + end + 2));
        }
        at += length;
    }
    let scrolled = line_ends.len().checked_sub(lines + 1);
    Look {
        needed,
        scrolled: scrolled.map(|index| line_ends[index]),
        whole: at,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(mut bytes: &[u8]) -> Vec<(Kind, &[u8])> {
        let mut pieces = Vec::new();
        while let Piece::Whole(kind, length) = first_piece(bytes) {
            pieces.push((kind, &bytes[..length]));
            bytes = &bytes[length..];
        }
        pieces
    }

    #[test]
    fn output_is_cut_into_text_and_sequences() {
        use Kind::*;
        let found = pieces(b"ab\x1b[1;31mcd\x1b]0;t\x07\x1b[?25l\x1b(0\x1b7\x1b]8;;\x1b\\e");
        let expected: Vec<(Kind, &[u8])> = vec![
            (Text, b"ab"),
            (Pen, b"\x1b[1;31m"),
            (Text, b"cd"),
            (String, b"\x1b]0;t\x07"),
            (Order, b"\x1b[?25l"),
            (Order, b"\x1b(0"),
            (Order, b"\x1b7"),
            (String, b"\x1b]8;;\x1b\\"),
            (Text, b"e"),
        ];
        assert_eq!(found, expected);
        assert_eq!(pieces(b"\x1b[>4;2m"), [(Order, &b"\x1b[>4;2m"[..])]);
    }

    #[test]
    fn what_is_cut_waits_for_the_rest() {
        for cut in [
            &b"\x1b"[..],
            b"\x1b[",
            b"\x1b[12;",
            b"\x1b]0;x",
            b"\x1b]0;x\x1b",
            b"\x1b(",
            b"\xe2\x82",
        ] {
            assert_eq!(first_piece(cut), Piece::Cut, "{cut:?}");
        }
        assert_eq!(first_piece(b"a\xc3"), Piece::Whole(Kind::Text, 1));
        assert_eq!(first_piece(b"a\xff"), Piece::Whole(Kind::Text, 2));
    }

    #[test]
    fn a_string_without_end_is_not_waited_for() {
        let mut bytes = b"\x1b]52;c;".to_vec();
        bytes.resize(bounds::LONGEST_SEQUENCE + 1, b'A');
        assert_eq!(first_piece(&bytes), Piece::Endless(b']'));
    }

    #[test]
    fn only_what_scrolled_away_is_given_up() {
        let text = "line\r\n".repeat(10);
        let bytes = format!("\x1b[2J{text}\x1b[1m{text}x\x1b[");
        let look = look(bytes.as_bytes(), 4);
        assert_eq!(look.needed, 4);
        assert_eq!(look.whole, bytes.len() - 2);
        assert_eq!(
            &bytes[look.scrolled.unwrap()..],
            "line\r\n".repeat(4) + "x\x1b["
        );
        assert!(super::look(text.as_bytes(), 10).scrolled.is_none());
    }
}
