//! Figures, not checks. With the release binary in BIVOUAC_AGENT_UNDER_TEST:
//! cargo test --test all measure -- --ignored --nocapture --test-threads 1
use crate::support;
use serde_json::json;
use std::io::Read;
use std::os::fd::{FromRawFd, OwnedFd};
use std::process::Command;
use std::time::Instant;
use support::bubble::Bubble;
use support::wire::process_up::Message;
use support::{Sandbox, Typist, argv, shell, terminal_of};

fn percentiles(name: &str, mut micros: Vec<u128>) {
    micros.sort_unstable();
    let at = |share: usize| micros[micros.len() * share / 100];
    println!(
        "{name}: p50 {} µs, p90 {} µs, p99 {} µs",
        at(50),
        at(90),
        at(99)
    );
}

#[test]
#[ignore = "takes a while and checks nothing"]
fn commands() {
    let sandbox = Sandbox::start();
    let mut inside = Vec::new();
    let mut round_trip = Vec::new();
    for _ in 0..1000 {
        let start = Instant::now();
        let outcome = sandbox.run(argv(&["true"])).finish();
        round_trip.push(start.elapsed().as_micros());
        inside.push(u128::from(outcome.exit.unwrap().duration_micros));
    }
    percentiles("exec round trip", round_trip);
    percentiles("start to exit in the agent", inside);
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..500 {
                    assert_eq!(sandbox.run(argv(&["true"])).finish().code(), 0);
                }
            });
        }
    });
    println!(
        "8 at a time: {:.0} exec/s",
        4000.0 / start.elapsed().as_secs_f64()
    );
}

#[test]
#[ignore = "takes a while and checks nothing"]
fn output() {
    let sandbox = Sandbox::start();
    for _ in 0..3 {
        let mut reader = sandbox.run(shell("head -c 1000000000 /dev/zero"));
        let (start, mut bytes, mut messages) = (Instant::now(), 0, 0);
        while let Some(message) = reader.next() {
            if let Message::Output(output) = message {
                bytes += output.data.len();
                messages += 1;
            }
        }
        let rate = bytes as f64 / 1e6 / start.elapsed().as_secs_f64();
        println!(
            "output: {rate:.0} MB/s in messages of {} bytes",
            bytes / messages
        );
    }
}

/// Lines of text, as `cat` of a long file has them.
fn long_text(path: &std::path::Path, bytes: usize) {
    let lines: String = (0..2000)
        .map(|n| {
            format!(
                "{n} the quick brown fox jumps over the lazy dog, {} times\n",
                n * 7
            )
        })
        .collect();
    std::fs::write(path, lines.repeat(bytes / lines.len())).unwrap();
}

/// A bare read of a pseudoterminal, as the kernel gives it.
fn bare_terminal(path: &std::path::Path) -> f64 {
    let (mut master, mut slave) = (0, 0);
    unsafe {
        let none = std::ptr::null_mut();
        libc::openpty(
            &mut master,
            &mut slave,
            none,
            std::ptr::null(),
            std::ptr::null(),
        );
    }
    let slave = unsafe { OwnedFd::from_raw_fd(slave) };
    let mut master = unsafe { std::fs::File::from_raw_fd(master) };
    let (start, mut bytes) = (Instant::now(), 0);
    let mut cat = Command::new("cat").arg(path).stdout(slave).spawn().unwrap();
    let mut buffer = vec![0; 65536];
    while let Ok(count) = master.read(&mut buffer) {
        bytes += count;
    }
    cat.wait().unwrap();
    bytes as f64 / 1e6 / start.elapsed().as_secs_f64()
}

#[test]
#[ignore = "takes a while and checks nothing"]
fn terminal_flood() {
    let sandbox = Sandbox::start();
    let file = sandbox.workspace().join("text");
    long_text(&file, 200_000_000);
    for round in 0..3 {
        let bare = bare_terminal(&file);
        let mut reader = sandbox.run(terminal_of(&["cat", "text"]));
        let (start, mut bytes, mut messages) = (Instant::now(), 0, 0);
        while let Some(message) = reader.next() {
            if let Message::Output(output) = message {
                bytes += output.data.len();
                messages += 1;
            }
        }
        let rate = bytes as f64 / 1e6 / start.elapsed().as_secs_f64();
        println!(
            "flood {round}: {rate:.0} MB/s in messages of {} bytes, bare {bare:.0} MB/s: {:.0} %",
            bytes / messages,
            100.0 * rate / bare
        );
    }
}

fn echoes(typist: &mut Typist, count: usize) -> Vec<u128> {
    let mut times = Vec::new();
    for n in 0..count {
        let start = Instant::now();
        typist.types(&format!("k{n}\r"));
        typist.until(&format!("k{n}\r\n"));
        times.push(start.elapsed().as_micros());
        typist.forgets_all();
    }
    times
}

#[test]
#[ignore = "takes a while and checks nothing"]
fn terminal_echo() {
    let sandbox = Sandbox::start();
    let mut typist = Typist::new(sandbox.run(terminal_of(&["cat"])));
    percentiles("echo when idle", echoes(&mut typist, 2000));
    let flood = "stty -echo; while :; do seq 1 100000; done & while read x; do echo $x; done";
    let mut typist = Typist::new(sandbox.run(terminal_of(&["sh", "-c", flood])));
    typist.until("99999");
    percentiles(
        "line through cat while the same terminal floods",
        echoes(&mut typist, 200),
    );
    sandbox.relay.kill(&typist.id(), 9, 0);
}

#[test]
#[ignore = "takes a while and checks nothing"]
fn start() {
    let mut times = Vec::new();
    for _ in 0..100 {
        let bubble = Bubble::prepare(json!({}));
        let start = Instant::now();
        bubble.supervise();
        bubble.relay.wait_for_agent();
        times.push(start.elapsed().as_micros());
    }
    percentiles("supervise to registered", times);
    let bubble = Bubble::start(json!({}));
    std::thread::sleep(std::time::Duration::from_secs(2));
    for (who, pid) in [
        ("agent", bubble.init()),
        ("supervisor", bubble.supervisor()),
    ] {
        let text = std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap();
        let sizes = text.lines().filter(|l| {
            l.starts_with("Rss") || l.starts_with("Pss:") || l.starts_with("Anonymous")
        });
        println!(
            "{who}: {}",
            sizes
                .map(|l| l.split_ascii_whitespace().collect::<Vec<_>>().join(" "))
                .collect::<Vec<_>>()
                .join(", ")
        );
    }
}
