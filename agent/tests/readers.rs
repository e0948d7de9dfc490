//! Readers of a command: offsets, gaps, slow ones, and those that come back.
use crate::support;
use serde_json::json;
use support::wire::{Run, failure::Kind, process_down, process_up::Message};
use support::{Relay, Sandbox, alive, shell, wait_until};

const FLOOD: &str = "while :; do head -c 65536 /dev/zero; done";

#[test]
fn a_second_reader_starts_at_its_offset() {
    let sandbox = Sandbox::start();
    let mut first = sandbox.run(shell("printf 0123456789; read x"));
    first.read(10);
    let mut second = sandbox.relay.attach(&first.opened.command_id, 4);
    let Some(Message::Output(output)) = second.next() else {
        panic!("no output")
    };
    assert_eq!((output.offset, &*output.data), (4, &b"456789"[..]));
}

/// The relay may have all of it and its client nothing: the last connection is the one that is cut most easily.
#[test]
fn output_that_was_read_to_the_end_can_be_read_again() {
    let sandbox = Sandbox::start();
    let first = sandbox.run(shell("printf 0123456789"));
    let id = first.opened.command_id.clone();
    assert_eq!(first.finish().out(), "0123456789");
    for _ in 0..20 {
        let again = sandbox.relay.attach(&id, 4).finish();
        assert!(again.gaps.is_empty(), "{:?}", again.gaps);
        assert_eq!((again.out().as_str(), again.code()), ("456789", 0));
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

#[test]
fn an_offset_past_the_end_or_an_unknown_command_is_refused() {
    let sandbox = Sandbox::start();
    let reader = sandbox.run(shell("sleep 100"));
    let id = reader.opened.command_id.clone();
    let failure = sandbox.relay.attach(&id, 1).finish().failure.unwrap();
    assert_eq!(failure.kind(), Kind::Invalid);
    let failure = sandbox
        .relay
        .attach("cmd-none", 0)
        .finish()
        .failure
        .unwrap();
    assert_eq!(failure.kind(), Kind::NoSuchCommand);
    let again = Run {
        command_id: id,
        ..shell("true")
    };
    assert_eq!(
        sandbox.run(again).finish().failure.unwrap().kind(),
        Kind::Invalid
    );
}

#[test]
fn a_background_command_goes_on_and_a_later_reader_is_told_of_the_gap() {
    let sandbox = Sandbox::with(json!({"limits": {"ringBytes": 65536}}));
    let run = Run {
        background: true,
        ..shell("seq 1 100000; read x < fifo")
    };
    let reader = sandbox.run(Run {
        background: true,
        ..shell("mkfifo fifo")
    });
    assert_eq!(reader.finish().code(), 0);
    let reader = sandbox.run(run);
    let id = reader.opened.command_id.clone();
    reader.send(process_down::Message::Detach(true));
    drop(reader);
    let all: Vec<u8> = (1..=100_000)
        .flat_map(|n| format!("{n}\n").into_bytes())
        .collect();
    let written = || {
        sandbox
            .relay
            .list()
            .iter()
            .find(|c| c.command_id == id)
            .unwrap()
            .stdout_bytes
    };
    wait_until("all is written", || written() == all.len() as u64);
    let outcome = sandbox.relay.attach(&id, 0).read(65536);
    let gap = &outcome.gaps[0];
    assert_eq!((gap.from, gap.to), (0, all.len() as u64 - 65536));
    assert_eq!(outcome.stdout, all[gap.to as usize..]);
    std::fs::write(sandbox.workspace().join("fifo"), "\n").unwrap();
    wait_until("it ends", || {
        !sandbox.relay.list().iter().any(|c| c.running)
    });
    let outcome = sandbox.relay.attach(&id, all.len() as u64 - 7).finish();
    assert_eq!((outcome.out().as_str(), outcome.code()), ("100000\n", 0));
}

#[test]
fn a_foreground_command_dies_when_its_last_reader_has_left() {
    let sandbox = Sandbox::start();
    let reader = sandbox.run(Run {
        linger_millis: 300,
        ..shell("sleep 1000")
    });
    let pid = reader.opened.pid;
    reader.send(process_down::Message::Detach(true));
    assert!(reader.finish().exit.is_none());
    assert!(alive(pid));
    wait_until("it is killed", || !alive(pid));
}

#[test]
fn a_stop_kills_the_whole_group() {
    let sandbox = Sandbox::start();
    let mut reader = sandbox.run(shell("trap '' TERM; sleep 1000 & echo $!; wait"));
    let child: i32 = String::from_utf8(reader.read(2).stdout)
        .unwrap()
        .trim()
        .parse()
        .unwrap();
    reader.send(process_down::Message::Stop(true));
    assert_eq!(
        reader.finish().code(),
        -9,
        "it ignores TERM, so KILL follows"
    );
    wait_until("its child is gone", || !alive(child));
}

#[test]
fn kill_answers_and_reaches_the_group() {
    let sandbox = Sandbox::start();
    let reader = sandbox.run(shell("sleep 1000 | cat"));
    let id = reader.opened.command_id.clone();
    assert!(!sandbox.relay.kill(&id, 0, 0).ok);
    assert!(!sandbox.relay.kill(&id, 99, 0).ok);
    assert!(!sandbox.relay.kill("cmd-none", 9, 0).ok);
    assert!(sandbox.relay.kill(&id, 15, 0).ok);
    assert_eq!(reader.finish().code(), -15);
    let late = sandbox.relay.kill(&id, 15, 0);
    assert_eq!(late.failure.unwrap().kind(), Kind::NoSuchCommand);
}

#[test]
fn slow_readers_stall_their_own_processes_and_nobody_else() {
    let sandbox = Sandbox::start();
    let stalled: Vec<_> = (0..3).map(|_| sandbox.run(shell(FLOOD))).collect();
    let written = || {
        sandbox
            .relay
            .list()
            .iter()
            .map(|c| c.stdout_bytes)
            .sum::<u64>()
    };
    let mut before = 0;
    wait_until("the floods stand still", || {
        let seen = std::mem::replace(&mut before, written());
        std::thread::sleep(std::time::Duration::from_millis(100));
        before == seen && seen > 0
    });
    sandbox.relay.ping();
    assert_eq!(sandbox.shell("echo quick").out(), "quick\n");
    let resident: u64 = sandbox.status("VmRSS").parse().unwrap();
    assert!(resident < 40_000, "{resident} kB");
    drop(stalled);
}

#[test]
fn stdin_that_nobody_reads_stalls_nobody_else() {
    let sandbox = Sandbox::start();
    let readers: Vec<_> = (0..3)
        .map(|_| {
            sandbox.run(Run {
                stdin: true,
                ..shell("sleep 1000")
            })
        })
        .collect();
    for reader in &readers {
        for _ in 0..20 {
            reader.send(process_down::Message::Stdin(vec![0; 32 * 1024].into()));
        }
    }
    sandbox.relay.ping();
    assert_eq!(sandbox.shell("echo quick").out(), "quick\n");
    for reader in readers {
        reader.send(process_down::Message::Stop(true));
        assert_eq!(
            reader.finish().code(),
            -15,
            "an order behind the input is still seen"
        );
    }
}

#[test]
fn a_new_relay_finds_processes_and_their_output_as_they_were() {
    let mut sandbox = Sandbox::start();
    let boot = sandbox.relay.wait_for_agent().boot_id;
    let mut reader = sandbox.run(shell(
        "echo before; while [ ! -e go ]; do sleep 0.02; done; echo after; exit 7",
    ));
    let id = reader.opened.command_id.clone();
    reader.read(7);
    let socket = sandbox.socket();
    sandbox.relay = Relay::start(&socket);
    drop(reader);
    assert_eq!(sandbox.relay.wait_for_agent().boot_id, boot);
    std::fs::write(sandbox.workspace().join("go"), "").unwrap();
    let outcome = sandbox.relay.attach(&id, 0).finish();
    assert_eq!(
        (outcome.out().as_str(), outcome.code()),
        ("before\nafter\n", 7)
    );
}

#[test]
fn a_flood_loses_nothing_over_a_lost_connection() {
    let mut sandbox = Sandbox::start();
    let mut reader = sandbox.run(shell("seq 1 3000000"));
    let id = reader.opened.command_id.clone();
    let mut all = reader.read(2_000_000).stdout;
    let socket = sandbox.socket();
    sandbox.relay = Relay::start(&socket);
    drop(reader);
    sandbox.relay.wait_for_agent();
    let rest = sandbox.relay.attach(&id, all.len() as u64).finish();
    assert!(rest.gaps.is_empty(), "{:?}", rest.gaps);
    all.extend(rest.stdout);
    let expected: Vec<u8> = (1..=3_000_000)
        .flat_map(|n| format!("{n}\n").into_bytes())
        .collect();
    assert!(all == expected, "{} of {}", all.len(), expected.len());
}
