//! Terminals as programs and people find them: job control, sizes, users, shells, ends.
use crate::support;
use serde_json::json;
use support::bubble::Bubble;
use support::wire::{Attach, Run, Terminal, failure::Kind, process_down};
use support::{Relay, Sandbox, Typist, alive, is_root, new_id, terminal, terminal_of, wait_until};

fn plain_shell() -> Run {
    terminal_of(&["bash", "--norc", "--noprofile"])
}

#[test]
fn a_shell_runs_what_is_typed_and_its_exit_is_told() {
    let sandbox = Sandbox::start();
    let mut typist = Typist::new(sandbox.run(plain_shell()));
    typist.types("echo $((6*7)); tty; test -t 0 && test -t 2 && echo yes\r");
    typist.until("42\r\n/dev/pts/");
    typist.until("yes\r\n");
    typist.types("exit 0\r");
    let outcome = typist.finish();
    assert_eq!(outcome.exit.unwrap().code, 0);
    assert_eq!(outcome.applied, 2);
    assert_eq!(
        outcome.exit.unwrap().stdout_bytes,
        outcome.stdout.len() as u64
    );
}

#[test]
fn keys_interrupt_stop_and_continue_jobs() {
    let sandbox = Sandbox::start();
    let mut typist = Typist::new(sandbox.run(plain_shell()));
    // A key that comes before the job is itself would meet the shell's own handlers.
    typist.types("sh -c \"echo re''ady; exec sleep 1000\"\r");
    typist.until("ready\r\n");
    wait_for_foreground(&sandbox.relay, &typist.id(), true);
    typist.types("\x03");
    wait_for_foreground(&sandbox.relay, &typist.id(), false);
    typist.types("echo int=$?\r");
    typist.until("int=130");
    typist.types("cat\r");
    wait_for_foreground(&sandbox.relay, &typist.id(), true);
    typist.types("there\r");
    typist.until("there\r\nthere\r\n");
    typist.types("\x1a");
    typist.until("Stopped");
    wait_for_foreground(&sandbox.relay, &typist.id(), false);
    typist.types("fg\r");
    wait_for_foreground(&sandbox.relay, &typist.id(), true);
    typist.types("back\r");
    typist.until("back\r\nback\r\n");
    typist.types("\x04");
    wait_for_foreground(&sandbox.relay, &typist.id(), false);
    typist.types("exit 3\r");
    assert_eq!(typist.finish().code(), 3);
}

fn wait_for_foreground(relay: &Relay, id: &str, busy: bool) {
    wait_until("the foreground changes", || {
        let list = relay.list();
        let info = list.iter().find(|info| info.command_id == id).unwrap();
        assert!(info.terminal && info.running);
        info.foreground_busy == busy
    });
}

#[test]
fn a_signal_reaches_the_foreground_only() {
    let sandbox = Sandbox::start();
    let mut typist = Typist::new(sandbox.run(plain_shell()));
    // A shell makes its child the foreground before the child has left the shell's own dispositions behind, among
    // them that of SIGQUIT; only a program that speaks has.
    typist.types("sh -c \"echo re''ady; exec sleep 1000\"; echo code=$?\r");
    typist.until("ready\r\n");
    wait_for_foreground(&sandbox.relay, &typist.id(), true);
    typist
        .reader
        .send(process_down::Message::Signal(libc::SIGQUIT));
    typist.until("code=131");
    typist.reader.send(process_down::Message::Signal(0));
    let failure = typist.finish().failure.unwrap();
    assert_eq!(failure.kind(), Kind::Invalid);
}

#[test]
fn the_size_is_what_everybody_was_told() {
    let sandbox = Sandbox::start();
    let mut typist = Typist::new(sandbox.run(plain_shell()));
    let opened = &typist.reader.opened;
    assert_eq!((opened.columns, opened.rows), (80, 24));
    let mut viewer = Typist::new(sandbox.relay.attach(&typist.id(), 0));
    typist.types("stty size; sh -c 'trap \"stty size; exit\" WINCH; echo re''ady; while :; do sleep 0.05; done'\r");
    typist.until("24 80\r\n");
    typist.until("ready\r\n");
    typist.resizes(132, 50);
    typist.until("50 132\r\n");
    viewer.until("50 132\r\n");
    assert_eq!(typist.outcome.sizes, [(132, 50)]);
    assert_eq!(viewer.outcome.sizes, [(132, 50)]);
    typist.resizes(0, 50);
    assert_eq!(typist.finish().failure.unwrap().kind(), Kind::Invalid);
    let back = Typist::back(&sandbox.relay, &viewer.id(), 0);
    assert_eq!(
        (back.reader.opened.columns, back.reader.opened.rows),
        (132, 50)
    );
}

#[test]
fn without_a_command_the_login_shell_is_started() {
    let sandbox = Sandbox::start();
    let run = Run {
        env: [("SHELL".to_owned(), "/bin/sh".to_owned())].into(),
        ..terminal()
    };
    let mut typist = Typist::new(sandbox.run(run));
    typist.types("echo \"<$0|$SHELL|$TERM|$LANG>\"\r");
    typist.until("<-sh|/bin/sh|xterm-256color|C.UTF-8>");
    wait_for_foreground(&sandbox.relay, &typist.id(), false);
    let dumb = Run {
        terminal: Some(Terminal {
            term: "dumb".into(),
            ..terminal().terminal.unwrap()
        }),
        ..terminal()
    };
    let mut typist = Typist::new(sandbox.run(dumb));
    typist.types("echo \"<${0##*/}|$TERM>\"\r");
    typist.until("<-bash|dumb>");
}

#[test]
fn a_terminal_belongs_to_the_user_it_runs_as() {
    let sandbox = Sandbox::start();
    if !is_root() {
        println!("skipped: without root there is one user only");
        return;
    }
    let run = Run {
        user: "7777".into(),
        cwd: "/".into(),
        ..plain_shell()
    };
    let mut typist = Typist::new(sandbox.run(run));
    typist
        .types("id -u; stat -c %u:%a $(tty); echo by-name > $(tty); grep CapEff /proc/$$/status\r");
    typist.until("7777\r\n7777:600\r\nby-name\r\nCapEff:\t0000000000000000");
}

#[test]
fn a_stop_ends_every_job_of_the_terminal() {
    let sandbox = Sandbox::start();
    let mut typist = Typist::new(sandbox.run(plain_shell()));
    typist.types("(trap '' TERM HUP; echo de''af $BASHPID; exec sleep 1000) & cat\r");
    typist.until("deaf ");
    let line = typist.until("\r\n");
    let deaf: i32 = line.trim().parse().unwrap();
    wait_for_foreground(&sandbox.relay, &typist.id(), true);
    assert!(sandbox.relay.kill(&typist.id(), libc::SIGTERM, 500).ok);
    let pid = typist.reader.opened.pid;
    let outcome = typist.finish();
    assert!(outcome.code() < 0, "{:?}", outcome.exit);
    assert!(!alive(pid));
    wait_until("the job that ignores it is killed", || !alive(deaf));
}

#[test]
fn stop_on_the_stream_ends_an_idle_shell() {
    let sandbox = Sandbox::start();
    let mut typist = Typist::new(sandbox.run(plain_shell()));
    typist.types("echo ready\r");
    typist.until("ready\r\n");
    typist.reader.send(process_down::Message::Stop(true));
    assert!(typist.finish().exit.is_some());
}

#[test]
fn what_is_written_just_before_the_exit_is_not_lost() {
    let sandbox = Sandbox::start();
    for _ in 0..20 {
        let run = terminal_of(&["sh", "-c", "seq 1 3000; exit 5"]);
        let outcome = Typist::new(sandbox.run(run)).finish();
        assert!(outcome.out().ends_with("2999\r\n3000\r\n"));
        assert_eq!((outcome.code(), outcome.stdout.len()), (5, 16_893));
    }
}

#[test]
fn a_timeout_ends_a_terminal() {
    let sandbox = Sandbox::start();
    let run = Run {
        timeout_millis: 200,
        ..terminal_of(&["cat"])
    };
    let exit = Typist::new(sandbox.run(run)).finish().exit.unwrap();
    assert!(exit.timed_out && exit.code < 0, "{exit:?}");
}

#[test]
fn bad_wishes_are_refused() {
    let sandbox = Sandbox::start();
    let with = |change: fn(&mut Terminal)| {
        let mut run = terminal();
        change(run.terminal.as_mut().unwrap());
        sandbox.run(run).finish().failure.unwrap().kind()
    };
    assert_eq!(with(|t| t.columns = 0), Kind::Invalid);
    assert_eq!(with(|t| t.rows = 1001), Kind::Invalid);
    assert_eq!(with(|t| t.term = "../x".into()), Kind::Invalid);
    assert_eq!(with(|t| t.input_source = "x".repeat(65)), Kind::Invalid);
    let failure = sandbox.run(terminal_of(&["/no/such"])).finish().failure;
    assert_eq!(failure.unwrap().kind(), Kind::CannotStart);
    let typist = Typist::new(sandbox.run(plain_shell()));
    let past = Attach {
        command_id: typist.id(),
        stdout: true,
        stdout_offset: 1 << 40,
        ..Attach::default()
    };
    let failure = sandbox.relay.attach_as(past).finish().failure.unwrap();
    assert_eq!(failure.kind(), Kind::Invalid);
    assert!(
        sandbox
            .relay
            .list()
            .iter()
            .all(|info| info.command_id == typist.id())
    );
    assert_ne!(new_id("pty"), typist.id());
}

#[test]
fn in_a_real_sandbox_a_terminal_has_job_control_too() {
    if let Some(reason) = support::bubble::missing() {
        println!("skipped: {reason}");
        return;
    }
    let bubble = Bubble::start(json!({}));
    let mut typist = Typist::new(bubble.relay.run(terminal()));
    typist.types("id -un; stat -c %U $(tty); echo \"<$0|$PWD>\"\r");
    typist.until("sandbox\r\nsandbox\r\n<-bash|/workspace>\r\n");
    typist.types("sh -c \"echo re''ady; exec sleep 1000\"\r");
    typist.until("ready\r\n");
    typist.types("\x1a");
    typist.until("Stopped");
    typist.types("fg\r");
    wait_for_foreground(&bubble.relay, &typist.id(), true);
    typist.types("\x03");
    wait_for_foreground(&bubble.relay, &typist.id(), false);
    typist.types("exit 6\r");
    assert_eq!(typist.finish().code(), 6);
}
