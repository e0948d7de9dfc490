//! Whoever comes later is given the picture. It is drawn by one emulator and compared by another, which
//! has seen everything.
use crate::support;
use std::num::NonZeroU16;
use std::path::Path;
use support::wire::{Attach, Screen};
use support::{Sandbox, Typist, terminal_of, wait_until};

fn emulator(columns: u16, rows: u16) -> vt100::Parser {
    let side = |side| NonZeroU16::new(side).unwrap();
    vt100::Parser::new(side(rows), side(columns), 0)
}

/// All that the second emulator knows, in words that can be compared.
fn describe(screen: &vt100::Screen) -> String {
    let (rows, columns) = screen.size();
    let mut text = format!(
        "cursor {:?} hidden {} alternate {} keypad {} arrows {} paste {} mouse {:?} {:?}\n",
        screen.cursor_position(),
        screen.hide_cursor(),
        screen.alternate_screen(),
        screen.application_keypad(),
        screen.application_cursor(),
        screen.bracketed_paste(),
        screen.mouse_protocol_mode(),
        screen.mouse_protocol_encoding(),
    );
    for row in 0..rows.get() {
        for column in 0..columns.get() {
            let cell = screen.cell(row, column).unwrap();
            let contents = match cell.contents() {
                "" if !cell.is_wide_continuation() => " ",
                contents => contents,
            };
            // The colour of letters that are not there is nobody's.
            let blank = contents == " " && !cell.underline() && !cell.inverse();
            let letters = match blank {
                true => vt100::Color::Default,
                false => cell.fgcolor(),
            };
            let look = (
                letters,
                cell.bgcolor(),
                cell.bold(),
                cell.underline(),
                cell.inverse(),
            );
            if look
                != (
                    vt100::Color::Default,
                    vt100::Color::Default,
                    false,
                    false,
                    false,
                )
            {
                text.push_str(&format!("{look:?}"));
            }
            text.push_str(contents);
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}

/// Reads until nothing more comes, then asks for the screen as somebody new.
fn screen_when_quiet(sandbox: &Sandbox, typist: &mut Typist) -> (Typist, Screen) {
    let id = typist.id();
    let mut before = u64::MAX;
    wait_until("the program has drawn", || {
        let list = sandbox.relay.list();
        let now = list
            .iter()
            .find(|c| c.command_id == id)
            .unwrap()
            .stdout_bytes;
        while typist.offset < now {
            typist.hears().unwrap();
        }
        std::thread::sleep(std::time::Duration::from_millis(250));
        std::mem::replace(&mut before, now) == now
    });
    let mut viewer = Typist::new(sandbox.relay.attach_as(Attach {
        command_id: id,
        stdout: true,
        screen: true,
        ..Attach::default()
    }));
    viewer.until_that(|outcome| !outcome.screens.is_empty());
    let screen = viewer.outcome.screens[0].clone();
    (viewer, screen)
}

fn assert_same(sandbox: &Sandbox, typist: &mut Typist, end: &str) {
    let (mut viewer, screen) = screen_when_quiet(sandbox, typist);
    let all = typist.outcome.stdout.clone();
    let (columns, rows) = (screen.columns as u16, screen.rows as u16);
    let mut expected = emulator(80, 24);
    if (columns, rows) != (80, 24) {
        let side = |side| NonZeroU16::new(side).unwrap();
        expected.screen_mut().set_size(side(rows), side(columns));
    }
    expected.process(&all[..screen.offset as usize]);
    let mut drawn = emulator(columns, rows);
    drawn.process(&screen.data);
    assert_eq!(describe(drawn.screen()), describe(expected.screen()));
    // From here on both go on with the same bytes.
    typist.types(end);
    let seen = typist.offset as usize;
    typist.until_that(|outcome| outcome.exit.is_some());
    viewer.until_that(|outcome| outcome.exit.is_some());
    expected.process(&typist.outcome.stdout[screen.offset as usize..]);
    drawn.process(&viewer.outcome.stdout);
    assert!(typist.outcome.stdout.len() >= seen);
    assert_eq!(describe(drawn.screen()), describe(expected.screen()));
}

fn has(program: &str) -> bool {
    let found = Path::new("/usr/bin").join(program).exists();
    if !found {
        println!("skipped: {program} is not installed");
    }
    found
}

#[test]
fn a_shell_with_colours_and_wide_characters_is_redrawn() {
    let sandbox = Sandbox::start();
    let mut typist = Typist::new(sandbox.run(terminal_of(&["bash", "--norc", "--noprofile"])));
    typist.types("PS1='\\[\\e[1;32m\\]prompt\\[\\e[m\\]> '; seq 1 500; printf '\\e[38;5;208mgrün 漢字\\e[7m!\\e[m'\r");
    typist.until("!");
    assert_same(&sandbox, &mut typist, "exit\r");
}

#[test]
fn less_is_redrawn_and_gives_the_first_screen_back() {
    if !has("less") {
        return;
    }
    let sandbox = Sandbox::start();
    let text: String = (1..2000)
        .map(|n| format!("line {n} of a long text\n"))
        .collect();
    std::fs::write(sandbox.workspace().join("text"), text).unwrap();
    let line = "echo before; less text; echo after";
    let mut typist = Typist::new(sandbox.run(terminal_of(&["sh", "-c", line])));
    typist.until("line 20");
    typist.types("  /line 1234\r");
    assert_same(&sandbox, &mut typist, "q");
}

#[test]
fn vim_is_redrawn_in_the_middle_of_editing() {
    if !has("vim") {
        return;
    }
    let sandbox = Sandbox::start();
    let line = "echo before; vim -u NONE -N --cmd 'set mouse=a nu hls' text; echo after";
    let mut typist = Typist::new(sandbox.run(terminal_of(&["sh", "-c", line])));
    typist.until("~");
    typist.types("i");
    for n in 0..40 {
        typist.types(&format!("some text {n}\r"));
    }
    typist.types("\x1bgg/text 7\r:vsplit\r");
    assert_same(&sandbox, &mut typist, "\x1b:qa!\r");
}

#[test]
fn a_program_that_uses_the_whole_terminal_is_redrawn() {
    let sandbox = Sandbox::start();
    let script = "printf 'first\\r\\nsecond\\r\\n\\033[?1049h\\033[2J\\033[3;10r\\033[?2004h\\033[?1002;1006h\\033[?1h\\033=';
        for i in 1 2 3 4 5 6 7 8 9 10 11 12; do printf '\\033[10;1H\\n\\033[3%dmrow %d' $((i % 8)) $i; done;
        printf '\\033[m\\033[20;70Hcorner\\033[?25l'; read x;
        printf '\\033[r\\033[?1049l\\033[?25h\\033[?2004lend'";
    let mut typist = Typist::new(sandbox.run(terminal_of(&["sh", "-c", script])));
    typist.until("corner");
    assert_same(&sandbox, &mut typist, "\r");
}

#[test]
fn a_screen_is_right_after_a_flood_and_a_resize() {
    let sandbox = Sandbox::start();
    let script = "printf '\\033[33m'; seq 1 400000; echo flooded; read x; seq 1 30; read x";
    let mut typist = Typist::new(sandbox.run(terminal_of(&["sh", "-c", script])));
    typist.until("flooded\r\n");
    let (_, screen) = screen_when_quiet(&sandbox, &mut typist);
    let mut expected = emulator(80, 24);
    expected.process(&typist.outcome.stdout[..screen.offset as usize]);
    let mut drawn = emulator(80, 24);
    drawn.process(&screen.data);
    assert_eq!(describe(drawn.screen()), describe(expected.screen()));
    typist.resizes(100, 10);
    typist.until_that(|outcome| outcome.sizes == [(100, 10)]);
    typist.types("\r");
    typist.until("\n30\r\n");
    let (_, screen) = screen_when_quiet(&sandbox, &mut typist);
    assert_eq!((screen.columns, screen.rows), (100, 10));
    let mut drawn = emulator(100, 10);
    drawn.process(&screen.data);
    let text = drawn.screen().contents();
    let text: Vec<&str> = text.lines().map(str::trim_end).collect();
    let last: Vec<String> = (22..=30).map(|n: i32| n.to_string()).collect();
    assert_eq!(text.join("\n").trim_end(), last.join("\n"));
}
