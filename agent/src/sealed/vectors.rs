//! Our use of Noise against published vectors (cacophony's, for the two patterns we use), and against
//! ourselves where the vectors end.
use super::channel::{Channel, Handshake, PATTERN};
use super::host_key::HostKey;
use crate::bounds;
use crate::relay::wire::Sealed;
use serde_json::Value;
use snow::{Builder, TransportState};

fn hex(value: &Value) -> Vec<u8> {
    let text = value.as_str().unwrap();
    let pairs = (0..text.len()).step_by(2);
    pairs
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap())
        .collect()
}

fn vector(name: &str) -> Value {
    let all: Value = serde_json::from_str(include_str!("../../tests/vectors/noise.json")).unwrap();
    let vectors = all["vectors"].as_array().unwrap();
    let found = vectors.iter().find(|v| v["protocol_name"] == name);
    found.unwrap().clone()
}

#[test]
fn the_published_vectors_hold() {
    for name in [PATTERN, "Noise_X_25519_ChaChaPoly_SHA256"] {
        let vector = vector(name);
        let one_way = name.contains("_X_");
        let (prologue, host) = (hex(&vector["init_prologue"]), hex(&vector["resp_static"]));
        let ephemeral = vector.get("resp_ephemeral").map(hex).unwrap_or_default();
        let mut initiator = Builder::new(name.parse().unwrap())
            .prologue(&prologue)
            .unwrap()
            .local_private_key(&hex(&vector["init_static"]))
            .unwrap()
            .remote_public_key(&hex(&vector["init_remote_static"]))
            .unwrap()
            .fixed_ephemeral_key_for_testing_only(&hex(&vector["init_ephemeral"]))
            .build_initiator()
            .unwrap();
        let mut responder = Builder::new(name.parse().unwrap())
            .prologue(&prologue)
            .unwrap()
            .local_private_key(&host)
            .unwrap();
        if !one_way {
            responder = responder.fixed_ephemeral_key_for_testing_only(&ephemeral);
        }
        let mut responder = responder.build_responder().unwrap();
        let messages = vector["messages"].as_array().unwrap();
        let (mut sealed, mut opened) = (vec![0; 65_535], vec![0; 65_535]);
        let mut handshakes = messages.iter();
        for (turn, message) in handshakes
            .by_ref()
            .take(if one_way { 1 } else { 2 })
            .enumerate()
        {
            let (from, to) = match turn {
                0 => (&mut initiator, &mut responder),
                _ => (&mut responder, &mut initiator),
            };
            let length = from
                .write_message(&hex(&message["payload"]), &mut sealed)
                .unwrap();
            assert_eq!(sealed[..length], hex(&message["ciphertext"]));
            let length = to.read_message(&sealed[..length], &mut opened).unwrap();
            assert_eq!(opened[..length], hex(&message["payload"]));
        }
        assert_eq!(
            initiator.get_handshake_hash(),
            hex(&vector["handshake_hash"])
        );
        let mut initiator = initiator.into_transport_mode().unwrap();
        let mut responder = responder.into_transport_mode().unwrap();
        for (turn, message) in handshakes.enumerate() {
            let (from, to) = match one_way || turn % 2 == 0 {
                true => (&mut initiator, &mut responder),
                false => (&mut responder, &mut initiator),
            };
            let length = from
                .write_message(&hex(&message["payload"]), &mut sealed)
                .unwrap();
            assert_eq!(sealed[..length], hex(&message["ciphertext"]), "{name}");
            let length = to.read_message(&sealed[..length], &mut opened).unwrap();
            assert_eq!(opened[..length], hex(&message["payload"]));
        }
    }
}

fn host() -> HostKey {
    let pair = Builder::new(PATTERN.parse().unwrap())
        .generate_keypair()
        .unwrap();
    HostKey {
        private: pair.private.try_into().unwrap(),
        public: pair.public.try_into().unwrap(),
    }
}

/// A client's first message for a terminal, and what it needs to go on.
fn shake(host: &HostKey, terminal: &str) -> (Sealed, snow::HandshakeState) {
    let client = Builder::new(PATTERN.parse().unwrap())
        .generate_keypair()
        .unwrap();
    let prologue = format!("bivouac.sealed.v1 {terminal}");
    let mut state = Builder::new(PATTERN.parse().unwrap())
        .prologue(prologue.as_bytes())
        .unwrap()
        .local_private_key(&client.private)
        .unwrap()
        .remote_public_key(&host.public)
        .unwrap()
        .build_initiator()
        .unwrap();
    let mut data = vec![0; 256];
    let length = state.write_message(&[], &mut data).unwrap();
    data.truncate(length);
    let number = 0;
    (
        Sealed {
            number,
            data: data.into(),
        },
        state,
    )
}

fn open_channel() -> (TransportState, Channel) {
    let host = host();
    let (first, mut client) = shake(&host, "pty-1");
    let (answer, channel) = Handshake::read(&host, "pty-1", &first)
        .unwrap()
        .answer(b"{}")
        .unwrap();
    let mut payload = vec![0; 1024];
    client.read_message(&answer.data, &mut payload).unwrap();
    (client.into_transport_mode().unwrap(), channel)
}

fn from_client(client: &mut TransportState, plain: &[u8]) -> Sealed {
    let number = client.sending_nonce() + 1;
    let mut data = vec![0; plain.len() + 16];
    client.write_message(plain, &mut data).unwrap();
    Sealed {
        number,
        data: data.into(),
    }
}

#[test]
fn a_handshake_fits_one_host_and_one_terminal() {
    let (ours, other) = (host(), host());
    let (first, _) = shake(&ours, "pty-1");
    assert!(Handshake::read(&ours, "pty-1", &first).is_ok());
    assert!(Handshake::read(&ours, "pty-2", &first).is_err());
    assert!(Handshake::read(&other, "pty-1", &first).is_err());
    let later = Sealed {
        number: 1,
        ..first.clone()
    };
    assert!(Handshake::read(&ours, "pty-1", &later).is_err());
    let empty = Sealed::default();
    assert!(Handshake::read(&ours, "pty-1", &empty).is_err());
}

#[test]
fn what_is_changed_repeated_swapped_or_left_out_does_not_open() {
    let attacks: [fn(&mut Vec<Sealed>); 5] = [
        |messages| {
            let mut data = messages[0].data.to_vec();
            data[3] ^= 1;
            messages[0].data = data.into();
        },
        |messages| messages.insert(1, messages[0].clone()),
        |messages| messages.swap(0, 1),
        |messages| drop(messages.remove(0)),
        |messages| {
            // Renumbered, so that only the cipher can tell.
            messages.remove(0);
            messages[0].number = 1;
        },
    ];
    for attack in attacks {
        let (mut client, mut channel) = open_channel();
        let mut messages: Vec<_> = [&b"one"[..], b"two", b"three"]
            .map(|text| from_client(&mut client, text))
            .into();
        attack(&mut messages);
        assert!(
            messages
                .iter()
                .any(|message| channel.open(message).is_err())
        );
    }
}

#[test]
fn keys_are_replaced_after_so_many_bytes_in_each_direction() {
    let (mut client, mut channel) = open_channel();
    let plain = vec![5; 60_000];
    let (mut sent, mut replaced) = (0, 0);
    let mut opened = vec![0; 65_535];
    while replaced < 2 {
        let up = from_client(&mut client, &plain);
        assert_eq!(channel.open(&up).unwrap(), plain);
        let down = channel.seal(&plain);
        client.read_message(&down.data, &mut opened).unwrap();
        sent += up.data.len() as u64;
        if sent >= bounds::REKEY_AFTER {
            client.rekey_outgoing();
            client.rekey_incoming();
            (sent, replaced) = (0, replaced + 1);
        }
    }
    // With the keys as they were, nothing opens any more.
    let (mut lazy, mut channel) = open_channel();
    let mut failed = false;
    for _ in 0..=bounds::REKEY_AFTER / 60_000 + 1 {
        failed |= channel.open(&from_client(&mut lazy, &plain)).is_err();
    }
    assert!(failed);
}
