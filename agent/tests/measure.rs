//! Figures, not checks. With the release binary in BIVOUAC_AGENT_UNDER_TEST:
//! cargo test --test measure -- --ignored --nocapture --test-threads 1
mod support;
use serde_json::json;
use std::time::Instant;
use support::bubble::Bubble;
use support::wire::process_up::Message;
use support::{Sandbox, argv, shell};

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
