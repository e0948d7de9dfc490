//! Programs of the sandbox ask for permission: the question reaches the relay, its answer the program.
use crate::support;
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use support::wire::{
    PermissionAnswered, PermissionAsked, Run, agent_message, process_down, relay_message,
};
use support::{Relay, Sandbox, agent_binary, new_id, shell, wait_until};

/// A sandbox with a name of its own to ask at: the tests' agents share one network namespace.
struct Asking {
    sandbox: Sandbox,
    ask: String,
}

impl Asking {
    fn start() -> Asking {
        let name = format!("bivouac-test-{}-{}", std::process::id(), new_id("ask"));
        let sandbox = Sandbox::with(json!({"askSocket": name}));
        let program = sandbox.workspace().join("bivouac-ask");
        std::fs::copy(agent_binary(), &program).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let ask = format!("./bivouac-ask --socket {name}");
        Asking { sandbox, ask }
    }

    fn run(&self, arguments: &str) -> support::Reader {
        self.sandbox
            .run(shell(&format!("{} {arguments}", self.ask)))
    }
}

fn asked(relay: &Relay, resource: &str) -> PermissionAsked {
    relay.hear(|message| match message {
        agent_message::Message::PermissionAsked(asked) if asked.resource == resource => {
            Some(asked.clone())
        }
        _ => None,
    })
}

fn answer(relay: &Relay, question_id: &str, granted: bool, reason: &str) {
    relay.tell(relay_message::Message::PermissionAnswered(
        PermissionAnswered {
            question_id: question_id.into(),
            granted,
            reason: reason.into(),
            request_id: "perm_1".into(),
            decided_by: "key_1".into(),
            expires_unix_millis: 0,
        },
    ));
}

#[test]
fn a_yes_is_exit_code_0_and_a_no_is_1() {
    let asking = Asking::start();
    let relay = &asking.sandbox.relay;
    let granted = asking.run("--action write --resource /etc/hosts --description 'add a name'");
    let question = asked(relay, "/etc/hosts");
    assert_eq!(
        (&*question.action, &*question.description, &*question.source),
        ("write", "add a name", "script")
    );
    let folder = asking.sandbox.workspace();
    assert_eq!(question.cwd, folder.to_str().unwrap());
    assert_eq!(question.timeout_seconds, 60);
    assert_eq!(question.command_id, granted.opened.command_id);
    answer(relay, &question.question_id, true, "");
    let outcome = granted.finish();
    assert_eq!((outcome.code(), &*outcome.out()), (0, ""));

    let denied = asking.run("--action write --resource b --json");
    let question = asked(relay, "b");
    answer(relay, &question.question_id, false, "not today");
    let outcome = denied.finish();
    assert_eq!(outcome.code(), 1);
    let said: Value = serde_json::from_str(&outcome.out()).unwrap();
    assert_eq!(
        said,
        json!({"granted": false, "reason": "not today", "requestId": "perm_1", "decidedBy": "key_1"})
    );
}

#[test]
fn a_hook_is_answered_in_its_own_words_even_when_it_makes_no_sense() {
    let asking = Asking::start();
    let relay = &asking.sandbox.relay;
    let hook = |program: &str, input: &str| {
        let reader = asking.sandbox.run(Run {
            stdin: true,
            ..shell(&format!("{} --hook {program}", asking.ask))
        });
        reader.send(process_down::Message::Stdin(
            input.as_bytes().to_vec().into(),
        ));
        reader.send(process_down::Message::StdinEnd(true));
        reader
    };
    let input = r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","cwd":"/tmp","tool_input":{"command":"make","timeout":5}}"#;
    let running = hook("claude", input);
    let question = asked(relay, "make");
    assert_eq!(&question.input[..], br#"{"command":"make","timeout":5}"#);
    assert_eq!((&*question.cwd, question.timeout_seconds), ("/tmp", 300));
    answer(relay, &question.question_id, true, "");
    let said: Value = serde_json::from_str(&running.finish().out()).unwrap();
    assert_eq!(said["hookSpecificOutput"]["permissionDecision"], "allow");

    let senseless = hook("codex", "not json").finish();
    assert_eq!(senseless.code(), 0);
    let said: Value = serde_json::from_str(&senseless.out()).unwrap();
    assert_eq!(said["hookSpecificOutput"]["decision"]["behavior"], "deny");
}

#[test]
fn nobody_in_time_is_a_no() {
    let asking = Asking::start();
    let outcome = asking.run("--action a --timeout 1").finish();
    assert_eq!(outcome.code(), 1);
    assert!(outcome.err().contains("in time"), "{}", outcome.err());
}

#[test]
fn who_gives_up_withdraws_the_question() {
    let asking = Asking::start();
    let relay = &asking.sandbox.relay;
    let waiting = asking.run("--action a --resource gives-up");
    let question = asked(relay, "gives-up");
    relay.kill(&waiting.opened.command_id, libc::SIGKILL, 0);
    relay.hear(|message| match message {
        agent_message::Message::PermissionWithdrawn(withdrawn) => {
            (withdrawn.question_id == question.question_id).then_some(())
        }
        _ => None,
    });
}

#[test]
fn a_question_is_asked_again_at_the_next_relay() {
    let mut asking = Asking::start();
    let waiting = asking.run("--action a --resource twice");
    let before = asked(&asking.sandbox.relay, "twice");
    let command = waiting.opened.command_id.clone();
    let socket = asking.sandbox.socket();
    asking.sandbox.relay = Relay::start(&socket);
    let relay = &asking.sandbox.relay;
    relay.wait_for_agent();
    let again = asked(relay, "twice");
    assert_eq!(again, before);
    answer(relay, &again.question_id, true, "");
    assert_eq!(relay.attach(&command, 0).finish().code(), 0);
}

/// Says something at the agent's socket, and gives what it answers; nothing without a wish to hear.
fn say(asking: &Asking, bytes: &[u8], listen: bool) -> Value {
    use std::io::{Read, Write};
    use std::os::linux::net::SocketAddrExt;
    let name = asking.ask.rsplit_once(' ').unwrap().1;
    let address = std::os::unix::net::SocketAddr::from_abstract_name(name).unwrap();
    let mut stream = std::os::unix::net::UnixStream::connect_addr(&address).unwrap();
    // The agent may answer before it has heard all.
    let _ = stream.write_all(bytes);
    let mut said = String::new();
    if listen {
        let _ = stream.read_to_string(&mut said);
    }
    serde_json::from_str(said.trim()).unwrap_or(Value::Null)
}

#[test]
fn what_the_socket_takes_is_bounded() {
    let asking = Asking::start();
    for bad in [
        &b"no json\n"[..],
        b"{}\n",
        b"{\"granted\":true}\n",
        b"[1]\n",
    ] {
        let said = say(&asking, bad, true);
        assert_eq!(said["granted"], false, "{said}");
    }
    let huge = vec![b' '; 2 * 1024 * 1024];
    assert_ne!(say(&asking, &huge, true)["granted"], true);

    let waiting: Vec<_> = (0..32)
        .map(|i| asking.run(&format!("--action a --resource r{i}")))
        .collect();
    for i in 0..32 {
        asked(&asking.sandbox.relay, &format!("r{i}"));
    }
    let one_more = asking.run("--action a").finish();
    assert!(
        one_more.err().contains("too many questions wait"),
        "{}",
        one_more.err()
    );
    for command in waiting {
        let relay = &asking.sandbox.relay;
        relay.kill(&command.opened.command_id, libc::SIGKILL, 0);
    }
}

#[test]
fn a_flood_is_answered_with_no_until_it_is_over() {
    let asking = Asking::start();
    let question = b"{\"action\":\"a\",\"timeout_seconds\":1}\n";
    wait_until("there are too many in a short time", || {
        for _ in 0..40 {
            say(&asking, question, false);
        }
        let said = say(&asking, question, true);
        said["reason"]
            .as_str()
            .is_some_and(|why| why.contains("in a short time"))
    });
    wait_until("a while later they are asked again", || {
        let said = say(&asking, question, true);
        said["reason"] == "nobody answered in time"
    });
}
