//! Long floods, which the agent reads by a thread of its own, and what comes between them.
use crate::support;
use std::time::Duration;
use support::{
    Sandbox, Typist, is_root, line_in_terminal, numbers, terminal_of, wait_for_standstill,
    wait_until,
};

/// The agent's threads: the loop, the watchdog, and one that reads a flood.
fn threads(sandbox: &Sandbox) -> usize {
    sandbox.status("Threads").parse().unwrap()
}

/// Says where the two part, since nobody can read megabytes.
fn assert_whole(seen: &[u8], expected: &[u8]) {
    let same = seen.iter().zip(expected).take_while(|(a, b)| a == b);
    let parts_at = same.count();
    assert!(
        seen == expected,
        "{} bytes of {}, other ones from {parts_at} on: {:?}",
        seen.len(),
        expected.len(),
        String::from_utf8_lossy(&seen[parts_at..seen.len().min(parts_at + 40)]),
    );
}

/// Reads on until the flood is read by a thread, however long that takes on a busy machine.
fn reads_until_threaded(sandbox: &Sandbox, typist: &mut Typist) {
    wait_until("a thread reads the flood", || {
        typist.hears().unwrap();
        typist.forgets_all();
        threads(sandbox) >= 3
    });
}

#[test]
fn a_flood_has_a_thread_while_somebody_takes_it() {
    let sandbox = Sandbox::start();
    let mut typist = Typist::new(sandbox.run(terminal_of(&["yes"])));
    for _ in 0..3 {
        reads_until_threaded(&sandbox, &mut typist);
        wait_for_standstill(&sandbox, &typist.id());
        wait_until("the thread is given up", || threads(&sandbox) == 2);
    }
}

#[test]
fn a_flood_that_was_held_back_arrives_whole() {
    let sandbox = Sandbox::start();
    let mut typist = Typist::new(sandbox.run(line_in_terminal("seq 1 2000000; read x; exit 7")));
    while typist.offset < 4_000_000 {
        typist.hears().unwrap();
    }
    wait_for_standstill(&sandbox, &typist.id());
    let all = numbers(2_000_000);
    while typist.offset < all.len() as u64 {
        typist.hears().unwrap();
    }
    wait_until("the thread is gone", || threads(&sandbox) == 2);
    typist.types("\r");
    let outcome = typist.finish();
    assert_eq!(outcome.code(), 7);
    assert_whole(&outcome.stdout, &[&all[..], b"\r\n"].concat());
}

#[test]
fn an_exit_in_the_middle_of_a_flood_loses_nothing() {
    let sandbox = Sandbox::start();
    let all = numbers(400_000);
    for round in 0..10 {
        let run = line_in_terminal(&format!("seq 1 400000; exit {round}"));
        let outcome = Typist::new(sandbox.run(run)).finish();
        assert_eq!(outcome.code(), round);
        assert_whole(&outcome.stdout, &all);
        assert_eq!(outcome.exit.unwrap().stdout_bytes, all.len() as u64);
    }
    wait_until("the thread is gone", || threads(&sandbox) == 2);
}

#[test]
fn a_flood_that_is_killed_ends() {
    let sandbox = Sandbox::start();
    let mut typist = Typist::new(sandbox.run(terminal_of(&["yes"])));
    while typist.offset < 4_000_000 {
        typist.hears().unwrap();
    }
    assert!(sandbox.relay.kill(&typist.id(), libc::SIGKILL, 0).ok);
    let outcome = typist.finish();
    assert_eq!(outcome.code(), -libc::SIGKILL);
    assert!(outcome.gaps.is_empty());
    assert_eq!(
        outcome.exit.unwrap().stdout_bytes,
        outcome.stdout.len() as u64
    );
    wait_until("the thread is gone", || threads(&sandbox) == 2);
}

#[test]
fn floods_and_single_keys_take_turns() {
    let sandbox = Sandbox::start();
    let line = "stty -echo; echo ready; while read x; do echo \"<$x>\"; seq 1 300000; done";
    let mut typist = Typist::new(sandbox.run(line_in_terminal(line)));
    typist.until("ready\r\n");
    typist.forgets_all();
    let all = numbers(300_000);
    for round in 0..12 {
        typist.types(&format!("{round}\r"));
        let answer = format!("<{round}>\r\n").into_bytes();
        let expected = [&answer[..], &all].concat();
        typist.until_that(|outcome| outcome.stdout.len() >= expected.len());
        typist.until("\n300000\r\n");
        assert_whole(&typist.outcome.stdout, &expected);
        typist.forgets_all();
    }
    typist.types("\x04");
    assert_eq!(typist.finish().code(), 0);
}

#[test]
fn two_floods_at_once_share_one_thread_and_arrive_whole() {
    let sandbox = Sandbox::start();
    let all = numbers(1_000_000);
    let floods: Vec<_> = (0..2)
        .map(|_| Typist::new(sandbox.run(line_in_terminal("seq 1 1000000"))))
        .map(|typist| std::thread::spawn(move || typist.finish()))
        .collect();
    let mut most = 0;
    while floods.iter().any(|flood| !flood.is_finished()) {
        most = most.max(threads(&sandbox));
        std::thread::sleep(Duration::from_millis(1));
    }
    // One that is just ending may still be counted.
    assert!((3..=4).contains(&most), "{most} threads");
    for flood in floods {
        assert_whole(&flood.join().unwrap().stdout, &all);
    }
}

#[test]
fn where_no_thread_can_be_started_a_flood_arrives_too() {
    if !is_root() {
        println!("skipped: only root can start an agent as somebody else");
        return;
    }
    let sandbox = Sandbox::ordinary(serde_json::json!({}));
    // Whoever has the agent's own user may take its processes from it.
    let line = "prlimit --pid $PPID --nproc=0:0 && seq 1 1000000";
    let typist = Typist::new(sandbox.run(line_in_terminal(line)));
    let flood = std::thread::spawn(move || typist.finish());
    while !flood.is_finished() {
        assert_eq!(threads(&sandbox), 2);
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_whole(&flood.join().unwrap().stdout, &numbers(1_000_000));
}
