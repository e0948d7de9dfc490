//! Sandboxes by the real supervisor and the real bubblewrap, as root.
use crate::support;
use serde_json::json;
use std::os::unix::fs::MetadataExt;
use support::bubble::{Bubble, UID_BASE, missing};
use support::wire::Run;
use support::{alive, argv, shell, wait_until};

/// Ends the test, saying why, where these cannot run.
macro_rules! needs_bubblewrap {
    () => {
        if let Some(reason) = missing() {
            println!("skipped: {reason}");
            return;
        }
    };
}

fn out(bubble: &Bubble, line: &str) -> String {
    bubble.relay.run(shell(line)).finish().out()
}

#[test]
fn the_agent_is_root_and_first_inside_and_nobody_outside() {
    needs_bubblewrap!();
    let bubble = Bubble::start(json!({}));
    assert_eq!(
        out(
            &bubble,
            "readlink /proc/1/exe >&2; cat /proc/1/comm; id -u; hostname"
        ),
        "bivouac-agent\n1000\nbubble\n"
    );
    let process = std::fs::metadata(format!("/proc/{}", bubble.init())).unwrap();
    let map = std::fs::read_to_string(format!("/proc/{}/uid_map", bubble.init())).unwrap();
    let map: Vec<&str> = map.split_ascii_whitespace().collect();
    assert_eq!(map, ["0", "1000000", "65536"]);
    // The agent is not dumpable, so its folder in /proc belongs to its namespace's root.
    assert_eq!(process.uid(), UID_BASE);
    out(&bubble, "touch /workspace/mine");
    let mine = std::fs::metadata(bubble.folder.path().join("workspace/mine")).unwrap();
    assert_eq!(mine.uid(), UID_BASE + 1000);
}

#[test]
fn nothing_of_the_host_is_there_but_its_programs() {
    needs_bubblewrap!();
    let bubble = Bubble::start(json!({}));
    let top = out(&bubble, "ls -A / | tr '\\n' ' '");
    for name in top.split_ascii_whitespace() {
        let known = [
            ".bivouac",
            "bin",
            "dev",
            "etc",
            "lib",
            "lib32",
            "lib64",
            "libx32",
            "proc",
            "run",
            "sbin",
            "tmp",
            "usr",
            "workspace",
        ];
        assert!(known.contains(&name), "{name}");
    }
    let own = bubble.folder.path().to_str().unwrap();
    assert_eq!(out(&bubble, &format!("ls {own} 2>/dev/null")), "");
    let processes = out(&bubble, "ls /proc | grep -c '^[0-9]'");
    assert!(processes.trim().parse::<u32>().unwrap() < 8, "{processes}");
    assert_eq!(
        bubble
            .relay
            .run(shell("touch /x /usr/x /etc/x"))
            .finish()
            .code(),
        1
    );
    assert_eq!(
        bubble
            .relay
            .run(shell("cat /run/bivouac/token"))
            .finish()
            .code(),
        1
    );
    assert_eq!(out(&bubble, "touch /tmp/a && echo ok"), "ok\n");
}

#[test]
fn there_is_no_network_but_loopback() {
    needs_bubblewrap!();
    let bubble = Bubble::start(json!({}));
    assert_eq!(
        out(
            &bubble,
            "tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '"
        ),
        "lo\n"
    );
    let server = "python3 -c 'import socket; s=socket.create_server((\"127.0.0.1\",0)); c=socket.create_connection(s.getsockname()); print(\"up\")'";
    assert_eq!(out(&bubble, server), "up\n");
    let open = Bubble::start(json!({"guards": {"network": false}}));
    let host = std::fs::read_to_string("/proc/net/dev")
        .unwrap()
        .lines()
        .count();
    assert_eq!(out(&open, "wc -l < /proc/net/dev").trim(), host.to_string());
}

#[test]
fn commands_have_no_powers_and_no_way_to_more() {
    needs_bubblewrap!();
    let bubble = Bubble::start(json!({}));
    let status = out(
        &bubble,
        "grep -E '^(Cap|NoNewPrivs|Seccomp:)' /proc/self/status",
    );
    for line in status.lines() {
        let value = line.split_ascii_whitespace().nth(1).unwrap();
        match line.split(':').next().unwrap() {
            "NoNewPrivs" => assert_eq!(value, "1"),
            "Seccomp" => assert_eq!(value, "2"),
            capabilities => assert_eq!(value, "0000000000000000", "{capabilities}"),
        }
    }
    for attempt in [
        "unshare -U true",
        "cat /proc/1/environ",
        "cat /proc/1/mem",
        "ls /proc/1/fd",
        "ls /proc/1/root/",
    ] {
        assert_ne!(
            bubble.relay.run(shell(attempt)).finish().code(),
            0,
            "{attempt}"
        );
    }
}

#[test]
fn root_inside_keeps_only_what_a_package_manager_needs() {
    needs_bubblewrap!();
    let bubble = Bubble::start(json!({}));
    let as_root = |line: &str| {
        bubble
            .relay
            .run(Run {
                user: "root".into(),
                ..shell(line)
            })
            .finish()
    };
    let seen = as_root("id -u; grep -E 'Cap(Eff|Bnd|Prm)' /proc/self/status | cut -f2 | uniq");
    assert_eq!(seen.out(), "0\n00000000000005fb\n");
    assert_ne!(as_root("mount -t tmpfs none /tmp").code(), 0);
    assert_ne!(
        as_root("kill -9 1; kill -TERM 1; sleep 0.1; cat /proc/1/mem").code(),
        0
    );
    assert_eq!(as_root("chown 1000 /workspace && echo ok").out(), "ok\n");
    let numeric = bubble
        .relay
        .run(Run {
            user: "2000:3000".into(),
            ..argv(&["id"])
        })
        .finish();
    assert!(
        numeric.out().starts_with("uid=2000 gid=3000"),
        "{}",
        numeric.out()
    );
}

#[test]
fn orphans_are_reaped_by_the_first_process() {
    needs_bubblewrap!();
    let bubble = Bubble::start(json!({}));
    out(
        &bubble,
        "for i in 1 2 3 4 5 6 7 8 9; do (setsid sh -c 'sleep 0.05' &) ; done",
    );
    wait_until("no zombie and no sleeper is left", || {
        let all = out(&bubble, "cat /proc/[0-9]*/stat");
        !all.contains(") Z ") && !all.contains("(sleep)")
    });
    assert_eq!(bubble.relay.run(shell("exit 5")).finish().code(), 5);
}

#[test]
fn a_killed_supervisor_leaves_the_sandbox_running() {
    needs_bubblewrap!();
    let bubble = Bubble::start(json!({}));
    let init = bubble.init();
    unsafe { libc::kill(bubble.supervisor(), libc::SIGKILL) };
    wait_until("the supervisor is gone", || !alive(bubble.supervisor()));
    assert_eq!(out(&bubble, "echo here"), "here\n");
    assert!(alive(init));
}

#[test]
fn a_killed_agent_ends_everything_and_the_exit_is_told() {
    needs_bubblewrap!();
    let bubble = Bubble::start(json!({}));
    // A time that nobody else on this host sleeps.
    let time = format!("1000.{}", std::process::id());
    let reader = bubble.relay.run(argv(&["sleep", &time]));
    let sleeper = on_host("sleep", &time);
    unsafe { libc::kill(bubble.init(), libc::SIGKILL) };
    assert!(reader.finish().exit.is_none());
    let exit = bubble.exit();
    assert_eq!((&exit["code"], &exit["signal"]), (&json!(-9), &json!(9)));
    assert!(exit["time"].as_str().unwrap().ends_with('Z'));
    wait_until("nothing is left", || sleeper.iter().all(|pid| !alive(*pid)));
    wait_until("the supervisor has gone too", || {
        !alive(bubble.supervisor())
    });
}

/// Processes of the host with this command line.
fn on_host(name: &str, argument: &str) -> Vec<i32> {
    let wanted = format!("{name}\0{argument}\0");
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = entries.filter_map(|e| e.file_name().to_str()?.parse::<i32>().ok());
    pids.filter(|pid| {
        std::fs::read_to_string(format!("/proc/{pid}/cmdline")).is_ok_and(|line| line == wanted)
    })
    .collect()
}

#[test]
fn term_to_the_supervisor_ends_the_sandbox_in_order() {
    needs_bubblewrap!();
    let bubble = Bubble::start(json!({}));
    let mut reader = bubble.relay.run(shell(
        "trap 'echo bye > /workspace/bye; exit 0' TERM; echo ready; while :; do sleep 0.05; done",
    ));
    reader.read(6);
    bubble.init();
    unsafe { libc::kill(bubble.supervisor(), libc::SIGTERM) };
    assert_eq!(bubble.exit()["code"], 0);
    assert_eq!(bubble.read("workspace/bye"), "bye\n");
}

#[test]
fn a_sandbox_that_cannot_start_says_why() {
    needs_bubblewrap!();
    let bubble = Bubble::prepare(json!({"bwrap": "/no/bwrap"}));
    let output = bubble.supervise();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        said.trim(),
        "bivouac-agent: cannot execute /no/bwrap: No such file or directory"
    );
    let bubble = Bubble::prepare(json!({"binds": [{"source": "/no/such", "target": "/x"}]}));
    bubble.supervise();
    let exit = bubble.exit();
    assert_eq!(exit["code"], 1);
    assert!(
        exit["message"].as_str().unwrap().contains("/no/such"),
        "{exit}"
    );
}

#[test]
fn a_second_supervisor_is_refused() {
    needs_bubblewrap!();
    let bubble = Bubble::start(json!({}));
    let output = bubble.supervise();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("another supervisor"));
    assert_eq!(out(&bubble, "echo unharmed"), "unharmed\n");
}
