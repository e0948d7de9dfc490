//! Those who look at a terminal: offsets, gaps, slow ones, and those that come back.
use crate::support;
use serde_json::json;
use support::wire::{Attach, Run, Terminal, failure::Kind, process_down};
use support::{
    Relay, Sandbox, Typist, line_in_terminal, numbers, terminal, terminal_of, wait_for_standstill,
    wait_until, written,
};

#[test]
fn a_resumed_driver_gets_exactly_the_rest() {
    let mut sandbox = Sandbox::start();
    let mut typist = Typist::new(sandbox.run(line_in_terminal("seq 1 1000000; exit 7")));
    let id = typist.id();
    let mut all = Vec::new();
    for part in 1..6 {
        while typist.offset < part * 1_000_000 {
            typist.hears().unwrap();
        }
        all.append(&mut typist.outcome.stdout);
        let socket = sandbox.socket();
        sandbox.relay = Relay::start(&socket);
        sandbox.relay.wait_for_agent();
        // What was on its way when the connection broke is asked for again.
        typist = Typist::back(&sandbox.relay, &id, all.len() as u64);
    }
    let rest = typist.finish();
    assert!(rest.gaps.is_empty(), "{:?}", rest.gaps);
    assert_eq!(rest.code(), 7);
    all.extend(rest.stdout);
    assert!(all == numbers(1_000_000), "{} bytes", all.len());
}

#[test]
fn a_terminal_waits_for_its_driver_and_then_goes_on_with_a_gap() {
    let sandbox = Sandbox::with(json!({"limits": {"ringBytes": 262144}}));
    let run = Run {
        terminal: Some(Terminal {
            hold_millis: 1500,
            ..terminal().terminal.unwrap()
        }),
        ..line_in_terminal("seq 1 300000; read x")
    };
    let typist = Typist::new(sandbox.run(run));
    let id = typist.id();
    typist.reader.send(process_down::Message::Detach(true));
    assert!(typist.finish().exit.is_none());
    let all = numbers(300_000);
    let held = wait_for_standstill(&sandbox, &id);
    assert!(held < all.len() as u64, "it waits: {held}");
    wait_until("it goes on", || written(&sandbox, &id) == all.len() as u64);
    let mut back = Typist::back(&sandbox.relay, &id, 10);
    assert_eq!(back.reader.opened.first_offset, all.len() as u64 - 262_144);
    assert_eq!(back.reader.opened.next_offset, all.len() as u64);
    back.until_that(|outcome| outcome.stdout.len() == 262_144);
    let gap = &back.outcome.gaps[0];
    assert_eq!((gap.from, gap.to), (10, all.len() as u64 - 262_144));
    assert!(back.outcome.stdout == all[gap.to as usize..]);
}

#[test]
fn a_stalled_viewer_holds_nobody_back_and_is_told_of_its_gap() {
    let sandbox = Sandbox::start();
    let go = "while [ ! -e go ]; do sleep 0.02; done; seq 1 1000000";
    let typist = Typist::new(sandbox.run(line_in_terminal(go)));
    let stalled = Typist::new(sandbox.relay.attach(&typist.id(), 0));
    let second = Typist::new(sandbox.relay.attach(&typist.id(), 0));
    std::fs::write(sandbox.workspace().join("go"), "").unwrap();
    let second = std::thread::spawn(move || second.finish());
    let outcome = typist.finish();
    let all = numbers(1_000_000);
    assert!(outcome.stdout == all);
    let late = stalled.finish();
    assert!(!late.gaps.is_empty() && late.exit.is_some());
    let missed: u64 = late.gaps.iter().map(|gap| gap.to - gap.from).sum();
    assert_eq!(missed + late.stdout.len() as u64, all.len() as u64);
    assert!(all.ends_with(&late.stdout[late.stdout.len() - 1000..]));
    let second = second.join().unwrap();
    let missed: u64 = second.gaps.iter().map(|gap| gap.to - gap.from).sum();
    assert_eq!(missed + second.stdout.len() as u64, all.len() as u64);
}

#[test]
fn a_stalled_driver_holds_the_terminal_and_memory_stays() {
    let sandbox = Sandbox::start();
    let floods: Vec<_> = (0..3)
        .map(|_| Typist::new(sandbox.run(line_in_terminal("while :; do seq 1 10000; done"))))
        .collect();
    for flood in &floods {
        wait_for_standstill(&sandbox, &flood.id());
    }
    sandbox.relay.ping();
    let mut quick = Typist::new(sandbox.run(terminal_of(&["cat"])));
    quick.types("quick\r");
    quick.until("quick\r\nquick\r\n");
    let resident: u64 = sandbox.status("VmRSS").parse().unwrap();
    assert!(resident < 40_000, "{resident} kB");
}

#[test]
fn input_is_applied_once_over_lost_connections() {
    let mut sandbox = Sandbox::start();
    let mut typist =
        Typist::new(sandbox.run(line_in_terminal("stty -echo; echo ready; cat > typed")));
    typist.until("ready");
    let id = typist.id();
    let line = |n: u64| format!("line {n}\r");
    let mut sequence = 0;
    for round in 1..=10 {
        for _ in 0..20 {
            sequence += 1;
            typist.sends(sequence, &line(sequence));
        }
        if round % 2 == 0 {
            typist.until_that(|outcome| outcome.applied > sequence - 20);
        }
        let socket = sandbox.socket();
        sandbox.relay = Relay::start(&socket);
        sandbox.relay.wait_for_agent();
        typist = Typist::back(&sandbox.relay, &id, typist.offset);
        let applied = typist.reader.opened.input_sequence;
        assert!(applied <= sequence);
        // Sent again: all that may have been lost, and some that surely was not.
        for again in applied.saturating_sub(5).max(1)..=sequence {
            typist.sends(again, &line(again));
        }
    }
    typist.sends(sequence + 1, "\x04");
    assert_eq!(typist.finish().code(), 0);
    let expected: String = (1..=sequence).map(|n| format!("line {n}\n")).collect();
    let typed = std::fs::read_to_string(sandbox.workspace().join("typed")).unwrap();
    assert_eq!(typed, expected);
}

#[test]
fn holes_and_viewers_input_are_refused_and_change_nothing() {
    let sandbox = Sandbox::start();
    let mut typist = Typist::new(sandbox.run(line_in_terminal("stty -echo; echo ready; cat")));
    typist.until("ready");
    let id = typist.id();
    typist.sends(2, "hole\r");
    assert_eq!(typist.finish().failure.unwrap().kind(), Kind::Invalid);
    let viewer = Typist::new(sandbox.relay.attach(&id, 0));
    viewer.sends(1, "viewer\r");
    assert_eq!(viewer.finish().failure.unwrap().kind(), Kind::Invalid);
    let mut back = Typist::back(&sandbox.relay, &id, 0);
    back.types("mine\r");
    back.until("mine\r\n");
    assert_eq!(back.outcome.out(), "ready\r\nmine\r\n");
    let mut other = Typist::new(sandbox.relay.attach_as(Attach {
        command_id: id,
        stdout: true,
        driver: true,
        input_source: "somebody else".into(),
        ..Attach::default()
    }));
    other.types("theirs\r");
    other.until("mine\r\ntheirs\r\n");
}

#[test]
fn a_program_that_does_not_read_costs_no_memory_and_can_be_ended() {
    let sandbox = Sandbox::start();
    let mut typist =
        Typist::new(sandbox.run(line_in_terminal("stty raw -echo; echo ready; sleep 1000")));
    typist.until("ready");
    // 700 KiB wait in the agent; what is ordered behind them is still seen.
    for _ in 0..14 {
        typist.types(&"x".repeat(50 * 1024));
    }
    typist.resizes(100, 30);
    typist.until_that(|outcome| outcome.sizes == [(100, 30)]);
    let resident: u64 = sandbox.status("VmRSS").parse().unwrap();
    assert!(resident < 30_000, "{resident} kB");
    typist.reader.send(process_down::Message::Stop(true));
    assert!(typist.finish().code() < 0);
}

#[test]
fn a_large_paste_arrives_whole_at_a_program_that_is_slow_to_read() {
    let sandbox = Sandbox::start();
    let line = "stty raw -echo; echo ready; sleep 1; head -c 900000 | cksum";
    let mut typist = Typist::new(sandbox.run(line_in_terminal(line)));
    typist.until("ready");
    let piece = "0123456789".repeat(5000);
    for _ in 0..18 {
        typist.types(&piece);
    }
    // As `cksum` has it for the same bytes in a file.
    std::fs::write(sandbox.workspace().join("same"), piece.repeat(18)).unwrap();
    let sum = sandbox.shell("cksum < same").out();
    typist.until(sum.trim_end());
    let outcome = typist.finish();
    assert_eq!((outcome.code(), outcome.applied), (0, 18));
}

#[test]
fn an_echo_comes_through_a_flood() {
    let sandbox = Sandbox::start();
    let flood = "(while :; do seq 1 1000; done) & stty -echo; while read x; do echo \"<$x>\"; done; kill $!";
    let mut typist = Typist::new(sandbox.run(line_in_terminal(flood)));
    typist.until("1000\r\n");
    for n in 0..20 {
        typist.types(&format!("typed {n}\r"));
        typist.until(&format!("<typed {n}>"));
        typist.forgets_all();
    }
    sandbox.relay.kill(&typist.id(), libc::SIGTERM, 500);
    typist.finish();
}

#[test]
fn a_reader_without_output_hears_of_sizes_and_the_end() {
    let sandbox = Sandbox::start();
    let mut typist = Typist::new(sandbox.run(line_in_terminal("stty -echo; echo ready; read x")));
    typist.until("ready\r\n");
    let deaf = Typist::new(sandbox.relay.attach_as(Attach {
        command_id: typist.id(),
        ..Attach::default()
    }));
    deaf.resizes(90, 20);
    typist.until_that(|outcome| outcome.sizes == [(90, 20)]);
    typist.types("\r");
    let outcome = deaf.finish();
    assert_eq!((outcome.sizes, outcome.stdout.len()), (vec![(90, 20)], 0));
    assert_eq!(outcome.exit.unwrap().code, 0);
}

#[test]
fn terminals_count_as_commands() {
    let sandbox = Sandbox::with(json!({"limits": {"commands": 2}}));
    let _first = Typist::new(sandbox.run(terminal_of(&["cat"])));
    let _second = Typist::new(sandbox.run(terminal_of(&["cat"])));
    let failure = sandbox.run(terminal_of(&["cat"])).finish().failure.unwrap();
    assert_eq!(failure.kind(), Kind::TooManyCommands);
}
