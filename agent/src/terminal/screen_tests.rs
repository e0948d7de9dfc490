//! The screen model leaves most of a flood out; what it shows must be the same as without.
use super::*;
use crate::terminal::pty::Size;

/// Small numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % sides
    }

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.roll(choices.len() as u64) as usize]
    }
}

const PENS: [&str; 6] = [
    "\x1b[m",
    "\x1b[1m",
    "\x1b[31m",
    "\x1b[48;5;33m",
    "\x1b[0m",
    "\x1b[0;4m",
];
const ORDERS: [&str; 16] = [
    "\x1b[2J",
    "\x1b[H",
    "\x1b[5;10H",
    "\x1b[3;9r",
    "\x1b[r",
    "\x1b[?1049h",
    "\x1b[?1049l",
    "\x1b7",
    "\x1b8",
    "\x1b(0",
    "\x1b(B",
    "\x1b[?7l",
    "\x1b[?7h",
    "\x1b[4h",
    "\x1b[4l",
    "\x0e",
];
const WORDS: [&str; 8] = [
    "word ",
    "é",
    "漢字",
    "\t",
    "\x08",
    "\r",
    "long-long-long-long-long ",
    "\x07",
];

/// Mostly lines, sometimes an order; `orders` in a thousand.
fn output(dice: &mut Dice, pieces: usize, orders: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    for _ in 0..pieces {
        let piece = match dice.roll(1000) {
            n if n < orders => dice.pick(&ORDERS).to_owned(),
            n if n < 300 => "\r\n".repeat(1 + dice.roll(3) as usize),
            n if n < 450 => dice.pick(&PENS).to_owned(),
            n if n < 460 => format!("\x1b]2;title {n}\x07"),
            _ => dice.pick(&WORDS).to_owned(),
        };
        bytes.extend(piece.into_bytes());
    }
    bytes
}

fn compare(seed: u64, orders: u64) {
    let mut dice = Dice(seed);
    let bytes = output(&mut dice, 120_000, orders);
    let size = Size {
        columns: 40,
        rows: 12,
    };
    let mut whole = avt::Terminal::new(40, 12).unwrap();
    whole.feed(std::str::from_utf8(&bytes).unwrap());
    let mut ring = Ring::new(bounds::SMALLEST_TERMINAL_RING);
    let mut screen = Screen::new(size);
    let mut rest = &bytes[..];
    while !rest.is_empty() {
        let count = (1 + dice.roll(8000) as usize).min(rest.len());
        ring.push(&rest[..count]);
        screen.keep_up(&ring);
        assert!(screen.offset() >= ring.start(), "it never loses sight");
        rest = &rest[count..];
    }
    screen.catch_up(&ring);
    assert_eq!(screen.offset(), bytes.len() as u64);
    assert_eq!(screen.emulator.dump(), whole.dump(), "seed {seed}");
}

#[test]
fn a_flood_that_is_left_out_shows_the_same() {
    for seed in 1..=6 {
        compare(seed, 0);
        compare(seed, 1);
        compare(seed, 40);
    }
}

#[test]
fn a_drawn_screen_draws_the_same_again() {
    for seed in 1..=20 {
        let bytes = output(&mut Dice(seed), 400, 60);
        let size = Size {
            columns: 40,
            rows: 12,
        };
        let mut screen = Screen::new(size);
        screen.feed(&bytes);
        let mut again = Screen::new(size);
        again.feed(b"\x1b[?1049hsomething else\x1b[?1000h\x1b[3;4r");
        again.feed(&screen.draw());
        assert_eq!(again.draw(), screen.draw(), "seed {seed}");
        // And so it goes on.
        let more = output(&mut Dice(seed + 100), 100, 60);
        screen.feed(&more);
        again.feed(&more);
        let text = |screen: &Screen| screen.emulator.screen().text();
        assert_eq!(text(&again), text(&screen), "seed {seed}");
    }
}

#[test]
fn a_string_without_end_costs_no_memory_and_goes_on_when_drawn() {
    let mut ring = Ring::new(bounds::SMALLEST_TERMINAL_RING);
    let mut screen = Screen::new(Size {
        columns: 40,
        rows: 12,
    });
    ring.push(b"before\x1b]52;c;");
    for _ in 0..200 {
        ring.push(&[b'A'; 4000]);
        screen.keep_up(&ring);
    }
    screen.catch_up(&ring);
    assert_eq!(screen.offset(), ring.end());
    assert!(screen.draw().ends_with(b"\x1b]"));
    ring.push(b"\x07after");
    screen.catch_up(&ring);
    let text = screen.emulator.screen().line(0).unwrap().text();
    assert_eq!(text.trim_end(), "beforeafter");
}

#[test]
fn a_huge_colourful_screen_is_drawn_within_its_bound() {
    let size = Size {
        columns: 1000,
        rows: 1000,
    };
    let mut screen = Screen::new(size);
    for n in 0..1_000_000u32 {
        let cell = format!("\x1b[38;2;{};{};{}m漢", n % 256, n / 256 % 256, n % 7);
        screen.feed(cell.as_bytes());
        if n > 400_000 {
            break;
        }
    }
    let drawn = screen.draw();
    assert!(drawn.len() <= bounds::SCREEN, "{}", drawn.len());
    assert!(drawn.len() > bounds::SCREEN / 2);
}
