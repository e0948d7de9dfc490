//! What programs have told the terminal about its keyboard, mouse and title: not seen on the screen, but
//! a redrawn terminal must behave the same.
use crate::bounds;
use std::fmt::Write;

/// Private modes (DECSET) that are off in a fresh terminal and that the screen model does not know:
/// mouse reports and their encodings, focus reports, pasting in brackets, reverse video, …
const PRIVATE: [u16; 14] = [
    5, 9, 12, 66, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1015, 1016, 2004,
];

#[derive(Default)]
pub struct Modes {
    private: [bool; PRIVATE.len()],
    application_keypad: bool,
    /// DECSCUSR.
    cursor_style: u16,
    /// xterm's modifyOtherKeys.
    other_keys: u16,
    /// The kitty keyboard protocol's stack.
    keyboard: Vec<u16>,
    title: Vec<u8>,
    /// Lines scroll between margins (DECSTBM) that are not the whole screen.
    pub margins: bool,
}

impl Modes {
    /// Takes in one whole sequence.
    pub fn note(&mut self, sequence: &[u8], rows: u16) {
        match sequence {
            b"\x1bc" => *self = Modes::default(),
            b"\x1b=" => self.application_keypad = true,
            b"\x1b>" => self.application_keypad = false,
            [0x1b, b'[', body @ .., last] => self.control(body, *last, rows),
            [0x1b, b']', body @ ..] => self.string(body),
            _ => {}
        }
    }

    fn control(&mut self, body: &[u8], last: u8, rows: u16) {
        let (mark, numbers) = match body {
            [mark @ b'<'..=b'?', rest @ ..] => (*mark, numbers(rest)),
            [rest @ .., mark @ (b' ' | b'!')] => (*mark, numbers(rest)),
            _ => (0, numbers(body)),
        };
        let number = |index: usize| numbers.get(index).copied().unwrap_or(0);
        match (mark, last) {
            (b'?', b'h' | b'l') => {
                for (index, mode) in PRIVATE.iter().enumerate() {
                    if numbers.contains(mode) {
                        self.private[index] = last == b'h';
                    }
                }
            }
            (0, b'r') => {
                let bottom = number(1);
                self.margins = number(0) > 1 || bottom != 0 && bottom < rows;
            }
            (b' ', b'q') => self.cursor_style = number(0),
            (b'!', b'p') => (self.margins, self.application_keypad) = (false, false),
            (b'>', b'm') if number(0) == 4 => self.other_keys = number(1),
            (b'>', b'u') if self.keyboard.len() < bounds::KEYBOARD_STACK => {
                self.keyboard.push(number(0));
            }
            (b'<', b'u') => {
                let kept = self.keyboard.len().saturating_sub(number(0).max(1).into());
                self.keyboard.truncate(kept);
            }
            _ => {}
        }
    }

    /// OSC 0 and 2 set the window's title.
    fn string(&mut self, body: &[u8]) {
        if let [b'0' | b'2', b';', title @ ..] = body {
            let title = title.strip_suffix(b"\x1b\\").unwrap_or(title);
            let title = title.strip_suffix(b"\x07").unwrap_or(title);
            if title.len() <= bounds::TITLE {
                self.title = title.to_vec();
            }
        }
    }

    /// The sequences that bring a fresh terminal here.
    pub fn draw(&self, out: &mut Vec<u8>) {
        let mut text = String::new();
        for (mode, set) in PRIVATE.iter().zip(self.private) {
            if set {
                let _ = write!(text, "\x1b[?{mode}h");
            }
        }
        if self.application_keypad {
            text.push_str("\x1b=");
        }
        if self.cursor_style != 0 {
            let _ = write!(text, "\x1b[{} q", self.cursor_style);
        }
        if self.other_keys != 0 {
            let _ = write!(text, "\x1b[>4;{}m", self.other_keys);
        }
        for flags in &self.keyboard {
            let _ = write!(text, "\x1b[>{flags}u");
        }
        out.extend(text.into_bytes());
        if !self.title.is_empty() {
            out.extend(b"\x1b]2;");
            out.extend(&self.title);
            out.push(0x07);
        }
    }

    /// Switches all of them off, whatever they were.
    pub fn draw_reset(out: &mut Vec<u8>) {
        let list: Vec<String> = PRIVATE.iter().map(u16::to_string).collect();
        out.extend(format!("\x1b[?{}l\x1b>\x1b[0 q", list.join(";")).into_bytes());
    }
}

fn numbers(text: &[u8]) -> Vec<u16> {
    let fields = text.split(|byte| *byte == b';').take(bounds::PARAMETERS);
    let number = |field: &[u8]| std::str::from_utf8(field).ok()?.parse().ok();
    fields.map(|field| number(field).unwrap_or(0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(sequences: &[&str]) -> (Modes, String) {
        let mut modes = Modes::default();
        for sequence in sequences {
            modes.note(sequence.as_bytes(), 24);
        }
        let mut out = Vec::new();
        modes.draw(&mut out);
        (modes, String::from_utf8(out).unwrap())
    }

    #[test]
    fn modes_are_remembered_until_they_are_reset() {
        let on = [
            "\x1b[?1002;1006h",
            "\x1b[?2004h",
            "\x1b=",
            "\x1b[5 q",
            "\x1b]2;vim\x07",
        ];
        assert_eq!(
            after(&on).1,
            "\x1b[?1002h\x1b[?1006h\x1b[?2004h\x1b=\x1b[5 q\x1b]2;vim\x07"
        );
        let off = [
            &on[..],
            &["\x1b[?2004;1006l", "\x1b>", "\x1b[ q", "\x1b]0;\x1b\\"],
        ]
        .concat();
        assert_eq!(after(&off).1, "\x1b[?1002h");
        assert_eq!(after(&[&on[..], &["\x1bc"]].concat()).1, "");
    }

    #[test]
    fn keyboards_are_stacked() {
        let pushes = ["\x1b[>1u", "\x1b[>5u", "\x1b[>4;2m"];
        assert_eq!(after(&pushes).1, "\x1b[>4;2m\x1b[>1u\x1b[>5u");
        assert_eq!(
            after(&[&pushes[..], &["\x1b[<u", "\x1b[>4m"]].concat()).1,
            "\x1b[>1u"
        );
        assert_eq!(after(&["\x1b[>1u", "\x1b[<9u"]).1, "");
    }

    #[test]
    fn margins_count_only_when_they_are_not_the_whole_screen() {
        assert!(after(&["\x1b[2;20r"]).0.margins);
        assert!(after(&["\x1b[1;23r"]).0.margins);
        assert!(!after(&["\x1b[2;20r", "\x1b[1;24r"]).0.margins);
        assert!(!after(&["\x1b[2;20r", "\x1b[r"]).0.margins);
    }
}
