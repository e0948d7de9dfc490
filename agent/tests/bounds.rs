//! What a hostile or merely odd peer and workload cannot do.
use crate::support;
use serde_json::json;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;
use support::wire::{Run, failure::Kind};
use support::{Sandbox, agent_binary, alive, argv, is_root, shell, wait_until};

#[test]
fn one_command_too_many_is_refused_until_another_ends() {
    let sandbox = Sandbox::start();
    let mut readers: Vec<_> = (0..256)
        .map(|_| sandbox.run(argv(&["sleep", "1000"])))
        .collect();
    let failure = sandbox.run(argv(&["true"])).finish().failure.unwrap();
    assert_eq!(failure.kind(), Kind::TooManyCommands);
    let last = readers.pop().unwrap();
    assert!(sandbox.relay.kill(&last.opened.command_id, 9, 0).ok);
    assert_eq!(last.finish().code(), -9);
    assert_eq!(sandbox.run(argv(&["true"])).finish().code(), 0);
}

#[test]
fn finished_commands_are_forgotten_in_time() {
    let sandbox = Sandbox::with(json!({"limits": {"finishedKept": 5}}));
    for _ in 0..12 {
        sandbox.run(argv(&["true"])).finish();
    }
    assert_eq!(sandbox.relay.list().len(), 5);
}

#[test]
fn orphans_are_buried_even_when_the_agent_is_not_the_first_process() {
    let sandbox = Sandbox::start();
    let pid = sandbox.agent.id();
    sandbox.shell("for i in 1 2 3 4 5 6 7 8 9; do (setsid sleep 0.1 &) ; done");
    let children = format!("/proc/{pid}/task/{pid}/children");
    wait_until("no child is left", || {
        std::fs::read_to_string(&children).unwrap().is_empty()
    });
    assert_eq!(sandbox.shell("exit 3").code(), 3);
}

#[test]
fn a_workload_that_stops_all_it_can_does_not_stop_the_agent() {
    let sandbox = Sandbox::start();
    if !is_root() {
        println!("skipped: without root the workload has the agent's own uid");
        return;
    }
    // Stops whatever of its own it finds, over and over: among them children on their way to their exec.
    // In a user of its own, so that no other test is hit.
    let loop_of_stops = "import os,signal,time\nend=time.time()+3\nwhile time.time()<end:\n try: os.kill(-1,signal.SIGSTOP)\n except OSError: pass";
    let stopper = Run {
        user: "7777".into(),
        cwd: "/".into(),
        ..argv(&["python3", "-c", loop_of_stops])
    };
    let stopper = sandbox.run(stopper);
    for _ in 0..100 {
        let victim = Run {
            user: "7777".into(),
            cwd: "/".into(),
            timeout_millis: 1,
            ..argv(&["true"])
        };
        let victim = sandbox.run(victim);
        sandbox.relay.kill(&victim.opened.command_id, 9, 0);
        drop(victim);
    }
    sandbox.relay.ping();
    assert_eq!(stopper.finish().code(), 0);
    assert_eq!(
        sandbox
            .run(Run {
                user: "7777".into(),
                cwd: "/".into(),
                ..shell("echo on")
            })
            .finish()
            .out(),
        "on\n"
    );
}

#[test]
fn odd_bytes_and_names_do_no_harm() {
    let sandbox = Sandbox::start();
    let outcome = sandbox.shell("head -c 300000 /dev/urandom | tee copy");
    assert_eq!(
        outcome.stdout,
        std::fs::read(sandbox.workspace().join("copy")).unwrap()
    );
    let name = "printf ') R 1 (' > /proc/$$/comm; sleep 1.2";
    assert_eq!(
        sandbox.shell(name).code(),
        0,
        "a heartbeat falls into this second"
    );
    let huge = Run {
        env: [("A".to_owned(), "x".repeat(3_000_000))].into(),
        ..shell(":")
    };
    let failure = sandbox.run(huge).finish().failure.unwrap();
    assert_eq!(failure.message, "arguments and environment are too long");
    assert_eq!(sandbox.shell("echo alive").out(), "alive\n");
}

#[test]
fn heartbeats_tell_what_is_used() {
    let sandbox = Sandbox::start();
    let usage = sandbox.relay.hear(|message| match message {
        support::wire::agent_message::Message::Heartbeat(beat) => beat.usage,
        _ => None,
    });
    assert!(usage.memory_bytes > 0 && usage.disk_bytes > 0 && usage.processes > 0);
}

#[test]
fn the_start_command_writes_into_the_log() {
    let sandbox =
        Sandbox::with(json!({"startCommand": ["sh", "-c", "echo hello; echo oops >&2; exit 4"]}));
    let log = sandbox.folder.path().join("agent.jsonl");
    wait_until("the start command has ended", || {
        std::fs::read_to_string(&log).is_ok_and(|text| text.contains("ended with 4"))
    });
    let text = std::fs::read_to_string(&log).unwrap();
    let lines: Vec<serde_json::Value> = text
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    let said = |stream: &str, text: &str| {
        lines
            .iter()
            .any(|l| l["stream"] == stream && l["text"] == text)
    };
    assert!(said("stdout", "hello") && said("stderr", "oops"), "{text}");
}

#[test]
fn the_agent_ends_its_commands_when_it_is_asked_to_end() {
    let mut sandbox = Sandbox::start();
    let pid = sandbox.run(shell("sleep 1000")).opened.pid;
    unsafe { libc::kill(sandbox.agent.id() as i32, libc::SIGTERM) };
    let status = sandbox.agent.wait().unwrap();
    assert_eq!((status.code(), status.signal()), (Some(0), None));
    assert!(!alive(pid));
}

#[test]
fn a_refused_token_is_tried_again() {
    let sandbox = Sandbox::start();
    std::fs::write(sandbox.folder.path().join("token"), "wrong").unwrap();
    let socket = sandbox.socket();
    let mut sandbox = sandbox;
    sandbox.relay = support::Relay::start(&socket);
    let log = sandbox.folder.path().join("agent.jsonl");
    wait_until("it is refused", || {
        std::fs::read_to_string(&log)
            .unwrap_or_default()
            .contains("does not fit")
    });
    std::fs::write(sandbox.folder.path().join("token"), "secret").unwrap();
    sandbox.relay.wait_for_agent();
}

#[test]
fn the_command_line_is_clear() {
    let run = |words: &[&str]| Command::new(agent_binary()).args(words).output().unwrap();
    assert!(String::from_utf8_lossy(&run(&["--version"]).stdout).starts_with("bivouac-agent "));
    assert!(String::from_utf8_lossy(&run(&["--help"]).stdout).contains("supervise --spec FILE"));
    for wrong in [&["serve"][..], &[], &["dance"]] {
        assert_eq!(run(wrong).status.code(), Some(2));
    }
    let missing = run(&["serve", "--config", "/no/such"]);
    assert_eq!(missing.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&missing.stderr).lines().count(), 1);
}
