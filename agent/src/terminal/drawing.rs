//! Makes the emulator's drawing fit for any terminal: it uses a few sequences that not all of them know.
const INTO_ALTERNATE: &str = "\x1b[?1047h";
const OUT_OF_ALTERNATE: &str = "\x1b[?1047l";
/// 1049 is the one switch that all terminals have. Unlike 1047 it saves the cursor: so the saved one is
/// taken first, to be what the way back restores. What came along with it is put right again.
const USUAL_SWITCH: &str = "\x1b8\x1b[?1049h\x1b[m\x1b[?7h\x1b[?6l";

/// None: it would be longer than `most`.
pub fn in_common_words(picture: &str, alternate: bool, most: usize) -> Option<String> {
    let mut out = Drawing::default();
    let visit = picture.find(INTO_ALTERNATE);
    let end = picture.find(OUT_OF_ALTERNATE);
    match (visit, end) {
        (Some(start), _) if alternate => {
            out.draw(&picture[..start], most)?;
            out.text.push_str(USUAL_SWITCH);
            out.plain = true;
            out.draw(&picture[start + INTO_ALTERNATE.len()..], most)?;
        }
        // A visit only to leave a saved cursor there, which the next program to enter saves anew.
        (Some(start), Some(end)) => {
            out.draw(&picture[..start], most)?;
            out.draw(&picture[end + OUT_OF_ALTERNATE.len()..], most)?;
        }
        _ => out.draw(picture, most)?,
    }
    Some(out.text)
}

struct Drawing {
    text: String,
    /// Spaces would look like nothing at all.
    plain: bool,
    last: char,
}

impl Default for Drawing {
    fn default() -> Drawing {
        Drawing {
            text: String::new(),
            plain: true,
            last: ' ',
        }
    }
}

impl Drawing {
    fn draw(&mut self, picture: &str, most: usize) -> Option<()> {
        let mut rest = picture;
        while !rest.is_empty() {
            let (text, sequence) = rest.split_at(rest.find('\x1b').unwrap_or(rest.len()));
            self.write(text);
            let length = sequence_length(sequence);
            self.sequence(&sequence[..length]);
            rest = &sequence[length..];
            if self.text.len() > most {
                return None;
            }
        }
        Some(())
    }

    /// Blanks at a line's end need not be written.
    fn write(&mut self, text: &str) {
        self.last = text.chars().next_back().unwrap_or(self.last);
        let mut lines = text.split("\r\n");
        self.text.push_str(lines.next().unwrap_or_default());
        for line in lines {
            if self.plain {
                self.text.truncate(self.text.trim_end_matches(' ').len());
            }
            self.text.push_str("\r\n");
            self.text.push_str(line);
        }
    }

    fn sequence(&mut self, sequence: &str) {
        let body = sequence.strip_prefix("\x1b[").unwrap_or_default();
        if let Some(count) = body.strip_suffix('b') {
            // Repeat the last character (REP).
            let count = count.parse().unwrap_or(0);
            self.text.extend(std::iter::repeat_n(self.last, count));
        } else if let Some(pen) = body.strip_suffix('m') {
            // Colours as 38;5;n, which every terminal reads, rather than 38:5:n.
            self.plain = matches!(pen, "" | "0");
            self.text.push_str(&sequence.replace(':', ";"));
        } else {
            self.text.push_str(sequence);
        }
    }
}

/// Those that the emulator draws with: controls up to their last letter, or two or three characters.
fn sequence_length(sequence: &str) -> usize {
    let ends = |c: char| ('\x40'..='\x7e').contains(&c);
    let end = match sequence.as_bytes() {
        [0x1b, b'[', ..] => sequence[2..].find(ends).map(|end| end + 3),
        [0x1b, b'(' | b')' | b'#', ..] => Some(3),
        [0x1b, ..] => Some(2),
        _ => Some(0),
    };
    end.unwrap_or(sequence.len()).min(sequence.len())
}

#[cfg(test)]
mod tests {
    use super::in_common_words;

    #[test]
    fn rare_sequences_become_common_ones() {
        let drawn = |picture| in_common_words(picture, false, 1000).unwrap();
        assert_eq!(drawn("a\x1b[3bc"), "aaaac");
        assert_eq!(drawn("\x1b[38:5:208mx"), "\x1b[38;5;208mx");
        assert_eq!(
            drawn("a \x1b[70b\r\n\x1b[4m \x1b[2b\r\n"),
            "a\r\n\x1b[4m   \r\n"
        );
        assert_eq!(drawn("a\x1b[?1047h\x1b[5;5H\x1b7\x1b[?1047lb"), "ab");
    }

    #[test]
    fn the_alternate_screen_is_entered_by_the_usual_switch() {
        let drawn = in_common_words("a\x1b[?1047hb", true, 1000).unwrap();
        assert!(drawn.contains("\x1b[?1049h") && !drawn.contains("1047"));
        assert_eq!(in_common_words("a\x1b[2000b", true, 1000), None);
    }
}
