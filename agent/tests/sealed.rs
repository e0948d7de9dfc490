//! Sealed terminals: who gets in, what the relay sees, and what it can do about it.
use crate::support;
use serde_json::json;
use support::sealed::{Client, base64, first_message, new_key, sealed_terminal, stream};
use support::wire::{Attach, Resize, Sealed, TerminalInput, process_down, process_up};
use support::{Relay, Sandbox, argv, shell};

const SHELL: [&str; 3] = ["bash", "--norc", "--noprofile"];

fn failure_of(mut reader: support::Reader) -> String {
    loop {
        match reader.next() {
            Some(process_up::Message::Failure(failure)) => return failure.message,
            Some(process_up::Message::Sealed(_)) => {}
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn the_owner_types_resizes_and_signals_inside_the_channel() {
    let sandbox = Sandbox::start();
    let mut owner = Client::drive(sandbox.run(sealed_terminal(&SHELL)), &new_key());
    assert_eq!(owner.standing, "free");
    assert_eq!(
        (&owner.attached["owner"], &owner.attached["role"]),
        (&json!(true), &json!("driver"))
    );
    owner.types("echo $((6*7))\r");
    owner.until("42\r\n");
    owner.says(66, 0, br#"{"cols":101,"rows":33}"#);
    assert_eq!(owner.until_control("resized")["cols"], 101);
    owner.types("stty size\r");
    owner.until("33 101\r\n");
    owner.types("sh -c \"echo re''ady; exec sleep 1000\"; echo code=$?\r");
    owner.until("ready\r\n");
    owner.says(67, 15, b"");
    owner.until("code=143");
    owner.control(json!({"type": "ping"}));
    owner.until_control("pong");
    owner.says(66, 0, b"{}");
    assert_eq!(owner.until_error()["code"], 1003);
    owner.types("exit 5\r");
    owner.finish();
    let exit = owner.exit.unwrap();
    assert_eq!(exit["exitCode"], 5);
    assert_eq!(exit["bytes"], owner.output.len());
}

#[test]
fn nothing_that_was_typed_or_shown_passes_in_the_clear() {
    let sandbox = Sandbox::start();
    let mut reader = sandbox.run(sealed_terminal(&[
        "sh",
        "-c",
        "read x; echo fo''und-$x; sleep 0.1",
    ]));
    let (key, id) = (new_key(), reader.opened.command_id.clone());
    let host = reader.opened.host_key.clone();
    let (first, mut state) = first_message(&id, &host, &key);
    reader.send(process_down::Message::Sealed(first));
    let Some(process_up::Message::Sealed(answer)) = reader.next() else {
        panic!("no answer");
    };
    let mut told = vec![0; 1024];
    state.read_message(&answer.data, &mut told).unwrap();
    let mut noise = state.into_transport_mode().unwrap();
    for (number, plain) in [
        (
            1,
            [&[69u8][..], &[0; 8], br#"{"type":"begin","from":0}"#].concat(),
        ),
        (2, [&[65u8][..], &1u64.to_be_bytes(), b"needle\r"].concat()),
    ] {
        let mut data = vec![0; plain.len() + 16];
        noise.write_message(&plain, &mut data).unwrap();
        let data = data.into();
        reader.send(process_down::Message::Sealed(Sealed { number, data }));
    }
    let (mut seen, mut opened) = (Vec::new(), Vec::new());
    while let Some(message) = reader.next() {
        match message {
            process_up::Message::Sealed(sealed) => {
                let mut plain = vec![0; sealed.data.len()];
                let length = noise.read_message(&sealed.data, &mut plain).unwrap();
                opened.extend(&plain[9..length]);
                seen.extend(sealed.data);
            }
            process_up::Message::Exit(_) => {}
            other => panic!("clear: {other:?}"),
        }
    }
    let holds = |bytes: &[u8]| memchr::memmem::find(bytes, b"needle").is_some();
    assert!(memchr::memmem::find(&opened, b"found-needle").is_some());
    assert!(!holds(&seen), "the relay could read it");
}

#[test]
fn a_second_key_enters_only_when_the_owner_lets_it_in() {
    let sandbox = Sandbox::start();
    let (mine, other) = (new_key(), new_key());
    let mut owner = Client::drive(sandbox.run(sealed_terminal(&SHELL)), &mine);
    let id = owner.reader.opened.command_id.clone();
    let stranger = Client::drive(stream(&sandbox.relay, &id), &other);
    assert_eq!(stranger.standing, "stranger");
    assert!(failure_of(stranger.reader).contains("does not open"));
    let key = base64(&other.public);
    owner.control(json!({"type": "admit", "key": key, "role": "viewer", "id": 7}));
    assert_eq!(owner.until_control("done")["id"], 7);
    let mut viewer = Client::drive(stream(&sandbox.relay, &id), &other);
    assert_eq!(
        (&*viewer.standing, &viewer.attached["role"]),
        ("admitted", &json!("viewer"))
    );
    owner.types("echo hel''lo\r");
    viewer.until("hello");
    viewer.types("echo not''yours\r");
    assert_eq!(viewer.until_error()["code"], 1002);
    viewer.control(json!({"type": "admit", "key": base64(&new_key().public)}));
    assert_eq!(viewer.until_control("refused")["what"], "admit");
    owner.control(json!({"type": "dismiss", "key": key}));
    owner.until_control("done");
    assert_eq!(viewer.until_error()["code"], 1002);
    viewer.finish();
    let again = Client::drive(stream(&sandbox.relay, &id), &other);
    assert_eq!(again.standing, "stranger");
    owner.types("echo still''here\r");
    owner.until("stillhere");
    assert!(memchr::memmem::find(&owner.output, b"notyours").is_none());
}

#[test]
fn a_named_owner_is_the_only_one_who_can_claim() {
    let sandbox = Sandbox::start();
    let (mine, other) = (new_key(), new_key());
    let mut run = sealed_terminal(&SHELL);
    let terms = run.terminal.as_mut().unwrap().sealed.as_mut().unwrap();
    terms.owner_key = mine.public.clone().into();
    let reader = sandbox.run(run);
    let id = reader.opened.command_id.clone();
    assert_eq!(Client::drive(reader, &other).standing, "stranger");
    assert_eq!(
        Client::drive(stream(&sandbox.relay, &id), &mine).standing,
        "owner"
    );
    let mut short = sealed_terminal(&SHELL);
    let terms = short.terminal.as_mut().unwrap().sealed.as_mut().unwrap();
    terms.owner_key = vec![1; 5].into();
    assert!(sandbox.run(short).finish().failure.is_some());
}

#[test]
fn a_sealed_terminal_takes_no_clear_word() {
    let sandbox = Sandbox::start();
    let mut owner = Client::drive(sandbox.run(sealed_terminal(&SHELL)), &new_key());
    let id = owner.reader.opened.command_id.clone();
    for order in [
        process_down::Message::Input(TerminalInput {
            sequence: 1,
            data: b"echo in''jected\r".to_vec().into(),
        }),
        process_down::Message::Stdin(b"echo in''jected\r".to_vec().into()),
        process_down::Message::Resize(Resize {
            columns: 10,
            rows: 10,
        }),
        process_down::Message::Signal(9),
    ] {
        let reader = stream(&sandbox.relay, &id);
        reader.send(order.clone());
        assert!(
            failure_of(reader).contains("takes no clear message"),
            "{order:?}"
        );
    }
    // Neither does one who is in already.
    let clear = Resize {
        columns: 10,
        rows: 10,
    };
    let mut again = Client::open(stream(&sandbox.relay, &id), &new_key(), json!({}));
    again.reader.send(process_down::Message::Resize(clear));
    again.finish();
    let screen = sandbox.relay.attach_as(Attach {
        command_id: id,
        stdout: true,
        screen: true,
        ..Attach::default()
    });
    screen.send(process_down::Message::Detach(true));
    let seen = screen.finish();
    assert!(seen.stdout.is_empty() && seen.screens.is_empty() && seen.sealed.is_empty());
    owner.types("stty size\r");
    owner.until("24 80");
    assert!(memchr::memmem::find(&owner.output, b"injected").is_none());
}

#[test]
fn a_handshake_that_is_repeated_changes_nothing() {
    let sandbox = Sandbox::start();
    let reader = sandbox.run(sealed_terminal(&SHELL));
    let (id, host) = (
        reader.opened.command_id.clone(),
        reader.opened.host_key.clone(),
    );
    let (first, _) = first_message(&id, &host, &new_key());
    // Shaken by whoever saw the message once, but nothing is proven: the terminal is still free.
    reader.send(process_down::Message::Sealed(first.clone()));
    let repeated = stream(&sandbox.relay, &id);
    repeated.send(process_down::Message::Sealed(first.clone()));
    repeated.send(process_down::Message::Sealed(Sealed { number: 1, ..first }));
    assert!(failure_of(repeated).contains("was changed"));
    let owner = Client::drive(stream(&sandbox.relay, &id), &new_key());
    assert_eq!(
        (&*owner.standing, &owner.attached["owner"]),
        ("free", &json!(true))
    );
}

#[test]
fn a_message_that_is_changed_or_repeated_ends_the_stream() {
    let sandbox = Sandbox::start();
    let key = new_key();
    let mut owner = Client::drive(sandbox.run(sealed_terminal(&SHELL)), &key);
    let id = owner.reader.opened.command_id.clone();
    let sealed = owner.seal(65, 1, b"echo o''nce\r");
    owner
        .reader
        .send(process_down::Message::Sealed(sealed.clone()));
    owner.until("once");
    owner.reader.send(process_down::Message::Sealed(sealed));
    owner.finish();
    let mut owner = Client::drive(stream(&sandbox.relay, &id), &key);
    let mut sealed = owner.seal(65, 2, b"echo tw''ice\r");
    let mut data = sealed.data.to_vec();
    data[12] ^= 0x20;
    sealed.data = data.into();
    owner.reader.send(process_down::Message::Sealed(sealed));
    owner.finish();
    let mut owner = Client::drive(stream(&sandbox.relay, &id), &key);
    owner.types("echo do''ne\r");
    owner.until("done");
    let text = String::from_utf8_lossy(&owner.output).into_owned();
    assert_eq!(text.matches("once").count(), 1, "{text}");
    assert!(!text.contains("twice"));
}

#[test]
fn a_resumed_owner_gets_exactly_the_rest_and_types_once() {
    let mut sandbox = Sandbox::start();
    let key = new_key();
    let line = "seq 1 300000; read a; read b; echo got=$a$b; exit 3";
    let mut owner = Client::drive(sandbox.run(sealed_terminal(&["sh", "-c", line])), &key);
    let id = owner.reader.opened.command_id.clone();
    let mut all = Vec::new();
    for part in 1..4 {
        while owner.offset < part * 400_000 {
            owner.hears().unwrap();
        }
        all.append(&mut owner.output);
        let socket = sandbox.socket();
        sandbox.relay = Relay::start(&socket);
        sandbox.relay.wait_for_agent();
        let from = all.len();
        let begin = json!({"type": "begin", "source": "typist", "from": from});
        owner = Client::open(stream(&sandbox.relay, &id), &key, begin);
        assert_eq!(owner.standing, "owner");
    }
    // The echo of what is typed would stand among the numbers.
    owner.until("\r\n300000\r\n");
    owner.types("one\r");
    owner.until_control("applied");
    all.append(&mut owner.output);
    let begin = json!({"type": "begin", "source": "typist", "from": all.len()});
    owner = Client::open(stream(&sandbox.relay, &id), &key, begin);
    assert_eq!(owner.sequence, 1);
    owner.says(65, 1, b"one\r");
    owner.types("two\r");
    owner.finish();
    all.append(&mut owner.output);
    let wanted: Vec<u8> = (1..=300_000)
        .flat_map(|n| format!("{n}\r\n").into_bytes())
        .collect();
    assert!(all.starts_with(&wanted), "{} bytes", all.len());
    assert!(String::from_utf8_lossy(&all[wanted.len()..]).contains("got=onetwo"));
    let exit = owner.exit.unwrap();
    assert_eq!(
        (&exit["exitCode"], &exit["bytes"]),
        (&json!(3), &json!(all.len()))
    );
}

#[test]
fn a_later_client_is_given_the_screen_and_keys_are_replaced_on_the_way() {
    let sandbox = Sandbox::start();
    let key = new_key();
    // More than the 16 MiB after which both sides take new keys.
    let line = "head -c 20000000 /dev/zero | tr '\\0' x; echo; echo last-line; read x";
    let mut owner = Client::drive(sandbox.run(sealed_terminal(&["sh", "-c", line])), &key);
    while !owner.output.ends_with(b"last-line\r\n") {
        owner.hears().unwrap();
        let length = owner.output.len();
        owner.output.drain(..length.saturating_sub(1000));
    }
    let id = owner.reader.opened.command_id.clone();
    let mut later = Client::open(stream(&sandbox.relay, &id), &key, json!({"type": "begin"}));
    while later.screen.is_none() {
        later.hears().unwrap();
    }
    let screen = String::from_utf8_lossy(later.screen.as_ref().unwrap()).into_owned();
    assert!(screen.contains("last-line"), "{screen}");
    assert_eq!(later.offset, owner.offset);
}

#[test]
fn the_host_key_is_in_no_file_and_new_for_each_agent() {
    let mut sandbox = Sandbox::start();
    let first = sandbox.run(sealed_terminal(&SHELL)).opened.host_key.clone();
    for file in std::fs::read_dir(sandbox.folder.path()).unwrap() {
        let file = file.unwrap().path();
        let kept = std::fs::read(&file).unwrap_or_default();
        assert!(
            memchr::memmem::find(&kept, &first).is_none(),
            "{}",
            file.display()
        );
    }
    sandbox.agent.kill().unwrap();
    sandbox.agent.wait().unwrap();
    let socket = sandbox.socket();
    sandbox.relay = Relay::start(&socket);
    sandbox.agent = std::process::Command::new(support::agent_binary())
        .args(["serve", "--config"])
        .arg(sandbox.folder.path().join("agent.json"))
        .spawn()
        .unwrap();
    sandbox.relay.wait_for_agent();
    let again = sandbox.run(sealed_terminal(&SHELL)).opened.host_key.clone();
    assert_ne!(first, again);
}

/// The agent's memory is as closed to root inside as its files are open.
#[test]
fn root_inside_cannot_read_the_agents_memory() {
    let sandbox = Sandbox::start();
    let agent = sandbox.agent.id();
    let mut run = shell(&format!(
        "for f in mem maps environ; do head -c 1 /proc/{agent}/$f && echo read; done; true"
    ));
    run.user = "root".into();
    let seen = sandbox.run(run).finish();
    assert_eq!(String::from_utf8_lossy(&seen.stdout), "");
    assert_eq!(seen.code(), 0);
}

#[test]
fn a_viewer_neither_claims_a_free_terminal_nor_locks_the_sandbox() {
    let sandbox = Sandbox::start();
    let (viewers, owners) = (new_key(), new_key());
    let run = sealed_terminal(&SHELL);
    let reader = sandbox.run(run);
    let id = reader.opened.command_id.clone();
    let looks = || {
        sandbox.relay.attach_as(Attach {
            command_id: id.clone(),
            stdout: true,
            ..Attach::default()
        })
    };
    let early = Client::drive(looks(), &viewers);
    assert_eq!(early.standing, "free");
    assert_eq!(early.errors[0]["code"], 1002);
    assert!(failure_of(early.reader).contains("does not open"));
    let owner = Client::drive(reader, &owners);
    assert_eq!(
        (&*owner.standing, &owner.attached["owner"]),
        ("free", &json!(true))
    );
    // The owner's own key is not enough either, where the relay lets its holder only look.
    let mut watching = Client::drive(looks(), &owners);
    assert_eq!(watching.attached["role"], "viewer");
    for kind in ["lock", "admit"] {
        watching.control(json!({"type": kind, "key": base64(&viewers.public)}));
        assert_eq!(watching.until_control("refused")["what"], kind);
    }
    assert_eq!(sandbox.shell("echo free").code(), 0);
}

#[test]
fn a_locked_sandbox_starts_nothing_for_the_relay() {
    let sandbox = Sandbox::start();
    let mut owner = Client::drive(sandbox.run(sealed_terminal(&SHELL)), &new_key());
    assert_eq!(sandbox.shell("echo free").code(), 0);
    owner.control(json!({"type": "lock"}));
    owner.until_control("done");
    for run in [
        argv(&["cat", "/proc/self/environ"]),
        shell("id"),
        sealed_terminal(&SHELL),
    ] {
        let failure = sandbox.run(run).finish().failure.unwrap();
        assert!(
            failure.message.contains("closed this sandbox"),
            "{failure:?}"
        );
    }
    owner.types("echo st''ill\r");
    owner.until("still");
}

#[test]
fn a_recording_opens_with_the_owners_key_and_goes_on_after_a_break() {
    let sandbox = Sandbox::start();
    let key = new_key();
    let reader = sandbox.run(sealed_terminal(&SHELL));
    let (id, host) = (
        reader.opened.command_id.clone(),
        reader.opened.host_key.clone(),
    );
    let record = |from| {
        sandbox.relay.attach_as(Attach {
            command_id: id.clone(),
            stdout: true,
            stdout_offset: from,
            recording: true,
            ..Attach::default()
        })
    };
    let mut recorder = record(0);
    let mut owner = Client::drive(reader, &key);
    owner.types("echo rec''orded-needle\r");
    owner.until("recorded-needle");
    let (mut kept, mut next) = (Vec::new(), 0);
    while next < owner.offset {
        let Some(process_up::Message::RecordingPart(part)) = recorder.next() else {
            panic!("no recording");
        };
        kept.extend(&part.data);
        next = part.next_offset;
    }
    recorder.send(process_down::Message::Detach(true));
    assert!(recorder.finish().failure.is_none());
    let recorder = record(next);
    owner.types("exit 4\r");
    owner.finish();
    let rest = recorder.finish();
    assert!(rest.recording.last().unwrap().complete);
    kept.extend(rest.recording.iter().flat_map(|part| part.data.to_vec()));
    assert!(memchr::memmem::find(&kept, b"needle").is_none());
    let text = open_recording(&kept, &id, &key, &host);
    assert!(
        text.starts_with(r#"{"term":{"#) || text.starts_with(r#"{"#),
        "{text}"
    );
    assert!(
        text.contains("recorded-needle") && text.ends_with("\"x\", \"4\"]\n"),
        "{text}"
    );
}

fn open_recording(kept: &[u8], id: &str, key: &snow::Keypair, host: &[u8]) -> String {
    let prologue = format!("bivouac.recording.v1 {id}");
    let (mut rest, mut segment, mut text) = (kept, None, String::new());
    let (mut end, mut plain) = (0, vec![0; 65_535]);
    while !rest.is_empty() {
        let length = u32::from_be_bytes(rest[1..5].try_into().unwrap()) as usize;
        let (kind, data) = (rest[0], &rest[5..5 + length]);
        rest = &rest[5 + length..];
        if kind == 1 {
            let mut state = snow::Builder::new("Noise_X_25519_ChaChaPoly_SHA256".parse().unwrap())
                .local_private_key(&key.private)
                .unwrap()
                .prologue(prologue.as_bytes())
                .unwrap()
                .build_responder()
                .unwrap();
            let length = state.read_message(data, &mut plain).unwrap();
            assert_eq!(state.get_remote_static().unwrap(), host);
            let begun: serde_json::Value = serde_json::from_slice(&plain[..length]).unwrap();
            assert_eq!(begun["from"], end);
            segment = Some(state.into_transport_mode().unwrap());
        } else {
            let length = segment
                .as_mut()
                .unwrap()
                .read_message(data, &mut plain)
                .unwrap();
            end = u64::from_be_bytes(plain[..8].try_into().unwrap());
            text.push_str(std::str::from_utf8(&plain[8..length]).unwrap());
        }
    }
    text
}
