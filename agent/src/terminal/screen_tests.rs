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
    let bytes = output(&mut dice, 60_000, orders);
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
    for seed in 1..=3 {
        compare(seed, 0);
        compare(seed, 1);
        compare(seed, 40);
    }
}

fn small() -> Screen {
    Screen::new(Size {
        columns: 40,
        rows: 12,
    })
}

#[test]
fn plain_text_is_not_emulated_before_somebody_asks() {
    let mut ring = Ring::new(bounds::SMALLEST_TERMINAL_RING);
    let (mut screen, mut whole) = (small(), small());
    for n in 0..40_000 {
        let line = format!("\x1b]2;title {n}\x07\x1b[3{}mline {n}\r\n", n % 8);
        whole.feed(line.as_bytes());
        ring.push(line.as_bytes());
        screen.keep_up(&ring);
    }
    let text = screen.emulator.screen().text();
    assert!(text.iter().all(|line| line.trim().is_empty()), "{text:?}");
    screen.catch_up(&ring);
    assert_same(&screen.draw(), &whole.draw(), 0);
}

/// Lines as long as it takes for each look to find just one that has scrolled away, and other lengths.
#[test]
fn no_length_of_lines_makes_it_fall_behind() {
    let limit = bounds::SMALLEST_TERMINAL_RING;
    let (window, slice) = (limit / 8, limit / 16);
    for length in [1, 40, window / 26, window / 25, window / 13, slice, window] {
        let mut ring = Ring::new(limit);
        let (mut screen, mut whole) = (small(), small());
        let line = [&vec![b'x'; length][..], b"\r\n"].concat();
        let bytes = line.repeat(3 * limit / line.len());
        whole.feed(&bytes);
        for piece in bytes.chunks(slice) {
            ring.push(piece);
            screen.keep_up(&ring);
            let behind = (ring.end() - screen.offset()) as usize;
            assert!(behind < limit / 2 + 2 * slice, "{length}: {behind}");
        }
        screen.catch_up(&ring);
        assert_same(&screen.draw(), &whole.draw(), length as u64);
    }
}

/// Shows where they part, rather than all of both.
fn assert_same(drawn: &[u8], expected: &[u8], seed: u64) {
    let same = drawn.iter().zip(expected).take_while(|(a, b)| a == b);
    let from = same.count().saturating_sub(40);
    let show = |bytes: &[u8]| String::from_utf8_lossy(&bytes[from..]).into_owned();
    assert_eq!(show(drawn), show(expected), "seed {seed}");
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
        assert_same(&again.draw(), &screen.draw(), seed);
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
    for n in 0..300_000u32 {
        let cell = format!("\x1b[38;2;{};{};{}m漢", n % 256, n / 256 % 256, n % 7);
        screen.feed(cell.as_bytes());
    }
    let drawn = screen.draw();
    assert!(drawn.len() <= bounds::SCREEN, "{}", drawn.len());
    assert!(drawn.len() > bounds::SCREEN / 2);
}

/// A panic would end the agent, and with it the sandbox.
#[test]
fn no_output_at_any_size_makes_it_panic() {
    let mut dice = Dice(99);
    for _ in 0..rounds() {
        let side = |dice: &mut Dice| 1 + dice.roll(9) as u16;
        let mut screen = Screen::new(Size {
            columns: side(&mut dice),
            rows: side(&mut dice),
        });
        for _ in 0..30 {
            let bytes: Vec<u8> = (0..dice.roll(40))
                .flat_map(|_| odd_piece(&mut dice))
                .collect();
            screen.feed(&bytes);
            if dice.roll(3) == 0 {
                screen.resize(Size {
                    columns: side(&mut dice),
                    rows: side(&mut dice),
                });
            }
        }
        let drawn = screen.draw();
        Screen::new(screen.size).feed(&drawn);
    }
}

/// More by hand: BIVOUAC_SCREEN_ROUNDS=1000000.
fn rounds() -> usize {
    let asked = std::env::var("BIVOUAC_SCREEN_ROUNDS").ok();
    asked.and_then(|rounds| rounds.parse().ok()).unwrap_or(500)
}

fn odd_piece(dice: &mut Dice) -> Vec<u8> {
    match dice.roll(8) {
        0 => vec![dice.roll(256) as u8],
        1 => dice.pick(&ORDERS).into(),
        2 => dice
            .pick(&["漢", "e\u{301}", "\u{200d}", "👩", "\u{9b}3J", "\u{fffd}"])
            .into(),
        3 => dice.pick(&WORDS).into(),
        4 => vec![0x1b, 0x20 + dice.roll(95) as u8],
        _ => {
            let mark = dice.pick(&["", "", "", "?", ">", "<", "=", "!"]);
            let last = (0x40 + dice.roll(63) as u8) as char;
            let number = |dice: &mut Dice| match dice.roll(4) {
                0 => dice.roll(70_000),
                1 => [1047, 1048, 1049, 47, 6, 7, 25, 2004][dice.roll(8) as usize],
                _ => dice.roll(12),
            };
            let (first, second) = (number(dice), number(dice));
            format!("\x1b[{mark}{first};{second}{last}").into_bytes()
        }
    }
}
