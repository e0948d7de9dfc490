//! One command: how it is started, what it sees, how it ends.
use crate::support;
use support::wire::failure::Kind;
use support::wire::{Run, process_down};
use support::{Sandbox, argv, is_root, shell};

#[test]
fn a_shell_line_and_an_argv_differ() {
    let sandbox = Sandbox::start();
    assert_eq!(sandbox.shell("echo $((1+2)) | cat").out(), "3\n");
    let plain = sandbox
        .run(argv(&["echo", "$((1+2))", "|", "cat"]))
        .finish();
    assert_eq!(plain.out(), "$((1+2)) | cat\n");
}

#[test]
fn a_command_sees_its_environment_and_folder() {
    let sandbox = Sandbox::start();
    std::fs::create_dir(sandbox.workspace().join("sub")).unwrap();
    let run = Run {
        cwd: "sub".into(),
        env: [("MINE".to_owned(), "a=b c".to_owned())].into(),
        ..shell("echo $BASE; echo $MINE; pwd; echo $HOME; test -e /proc/self/fd/4; echo $?")
    };
    let out = sandbox.run(run).finish().out();
    let lines: Vec<&str> = out.lines().collect();
    let sub = sandbox.workspace().join("sub");
    assert_eq!(lines[..3], ["base", "a=b c", sub.to_str().unwrap()]);
    if is_root() {
        assert_eq!(lines[3], sandbox.workspace().to_str().unwrap());
    }
    assert_eq!(
        lines[4], "1",
        "no descriptor of the agent's is open in a command"
    );
}

#[test]
fn stdin_reaches_the_process_and_ends() {
    let sandbox = Sandbox::start();
    let reader = sandbox.run(Run {
        stdin: true,
        ..argv(&["cat"])
    });
    for part in ["one ", "two ", "three"] {
        reader.send(process_down::Message::Stdin(part.into()));
    }
    reader.send(process_down::Message::StdinEnd(true));
    let outcome = reader.finish();
    assert_eq!(
        (outcome.out().as_str(), outcome.code()),
        ("one two three", 0)
    );
    assert_eq!(
        sandbox.run(argv(&["cat"])).finish().code(),
        0,
        "without stdin it is empty"
    );
}

#[test]
fn stderr_comes_apart_from_stdout() {
    let outcome = Sandbox::start().shell("echo out; echo err >&2");
    assert_eq!(
        (&*outcome.stdout, &*outcome.stderr),
        (&b"out\n"[..], &b"err\n"[..])
    );
    let exit = outcome.exit.unwrap();
    assert_eq!((exit.stdout_bytes, exit.stderr_bytes), (4, 4));
}

#[test]
fn exit_codes_come_as_they_are_and_signals_as_negative() {
    let sandbox = Sandbox::start();
    assert_eq!(sandbox.run(argv(&["true"])).finish().code(), 0);
    assert_eq!(sandbox.shell("exit 42").code(), 42);
    assert_eq!(sandbox.shell("kill -SEGV $$").code(), -11);
    assert_eq!(sandbox.shell("kill -KILL $$").code(), -9);
}

#[test]
fn a_timeout_kills_even_what_ignores_term() {
    let sandbox = Sandbox::start();
    let polite = Run {
        timeout_millis: 100,
        ..shell("sleep 100")
    };
    let exit = sandbox.run(polite).finish().exit.unwrap();
    assert!(exit.timed_out);
    assert_eq!(exit.code, -15);
    let stubborn = Run {
        timeout_millis: 100,
        ..shell("trap '' TERM; while :; do sleep 0.1; done")
    };
    let exit = sandbox.run(stubborn).finish().exit.unwrap();
    assert!(exit.timed_out);
    assert_eq!(exit.code, -9);
    assert!(exit.duration_micros > 2_000_000);
}

#[test]
fn output_past_the_cap_is_read_and_dropped() {
    let sandbox = Sandbox::start();
    let run = Run {
        max_output_bytes: 1000,
        ..shell("head -c 3000000 /dev/zero; echo end >&2")
    };
    let outcome = sandbox.run(run).finish();
    assert_eq!(
        (outcome.stdout.len(), outcome.stderr.len(), outcome.code()),
        (1000, 4, 0)
    );
    assert!(outcome.exit.unwrap().truncated);
    assert!(!sandbox.shell("echo").exit.unwrap().truncated);
}

#[test]
fn a_child_left_in_the_background_does_not_hang_the_command() {
    let sandbox = Sandbox::start();
    let start = std::time::Instant::now();
    let outcome = sandbox.shell("(sleep 1; echo late; echo alive > still) & echo done");
    assert_eq!((outcome.out().as_str(), outcome.code()), ("done\n", 0));
    assert!(start.elapsed().as_millis() < 900);
    let file = sandbox.workspace().join("still");
    support::wait_until("the child goes on", || file.exists());
}

#[test]
fn all_output_arrives_however_much_there_is() {
    let outcome = Sandbox::start().shell("seq 1 2000000; seq 1 200000 >&2");
    let (mut out, mut count) = (0u64, 0);
    for line in outcome.out().lines() {
        out += line.parse::<u64>().unwrap();
        count += 1;
    }
    assert_eq!((count, out), (2_000_000, 2_000_001_000_000));
    assert_eq!(
        outcome.stderr.iter().filter(|b| **b == b'\n').count(),
        200_000
    );
    assert!(outcome.gaps.is_empty());
}

#[test]
fn what_cannot_start_says_why() {
    let sandbox = Sandbox::start();
    std::fs::write(sandbox.workspace().join("plain"), "text").unwrap();
    let refused = |run: Run| sandbox.run(run).finish().failure.unwrap();
    let cases = [
        (
            argv(&["no-such-thing"]),
            Kind::CannotStart,
            "no such file: no-such-thing",
        ),
        (
            argv(&["/no/such"]),
            Kind::CannotStart,
            "no such file: /no/such",
        ),
        (
            argv(&["./plain"]),
            Kind::CannotStart,
            "not executable: ./plain",
        ),
        (
            Run {
                cwd: "/nowhere".into(),
                ..shell(":")
            },
            Kind::CannotStart,
            "no such folder: /nowhere",
        ),
        (argv(&[]), Kind::Invalid, "no command given"),
        (argv(&["a\0b"]), Kind::CannotStart, "no such file: a\0b"),
        (
            Run {
                env: [("A=B".into(), "".into())].into(),
                ..shell(":")
            },
            Kind::Invalid,
            "not a variable's name: \"A=B\"",
        ),
        (
            Run {
                command_id: "x".repeat(1000),
                ..shell(":")
            },
            Kind::Invalid,
            "a command needs an id of 1 to 128 bytes",
        ),
    ];
    for (run, kind, message) in cases {
        let failure = refused(run);
        assert_eq!((failure.kind(), &*failure.message), (kind, message));
    }
    if is_root() {
        let failure = refused(Run {
            user: "bob".into(),
            ..shell(":")
        });
        assert_eq!(
            (failure.kind(), &*failure.message),
            (Kind::CannotStart, "no such user: bob")
        );
    }
    assert_eq!(sandbox.shell("echo fine").out(), "fine\n");
}

#[test]
fn a_sandbox_with_one_user_refuses_others() {
    let sandbox = Sandbox::with(serde_json::json!({"workload": null}));
    let failure = sandbox
        .run(Run {
            user: "root".into(),
            ..shell(":")
        })
        .finish()
        .failure
        .unwrap();
    assert_eq!(failure.kind(), Kind::Unsupported);
    assert_eq!(sandbox.shell("echo ok").out(), "ok\n");
}
