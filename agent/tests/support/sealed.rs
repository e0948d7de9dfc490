//! Somebody at a sealed terminal, with a Noise of its own: what the agent says must open with the library
//! used plainly.
use super::wire::*;
use super::{Reader, Relay, terminal_of};
use serde_json::{Value, json};
use snow::{Builder, Keypair, TransportState};

pub const PATTERN: &str = "Noise_IK_25519_ChaChaPoly_SHA256";
const REKEY_AFTER: u64 = 16 * 1024 * 1024;

pub fn new_key() -> Keypair {
    Builder::new(PATTERN.parse().unwrap())
        .generate_keypair()
        .unwrap()
}

pub fn base64(bytes: &[u8]) -> String {
    use base64::Engine;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

/// A shell in a sealed terminal that belongs to whoever comes first.
pub fn sealed_terminal(words: &[&str]) -> Run {
    let mut run = terminal_of(words);
    run.terminal.as_mut().unwrap().sealed = Some(SealedTerms::default());
    run
}

pub struct Client {
    pub reader: Reader,
    noise: TransportState,
    /// What the host said of our key.
    pub standing: String,
    pub attached: Value,
    pub output: Vec<u8>,
    pub offset: u64,
    pub controls: Vec<Value>,
    pub errors: Vec<Value>,
    pub exit: Option<Value>,
    pub screen: Option<Vec<u8>>,
    drawn: Vec<u8>,
    pub sequence: u64,
    looked: usize,
    sent: u64,
    received: u64,
}

/// One more stream to a sealed terminal, on which nothing was said yet.
pub fn stream(relay: &Relay, id: &str) -> Reader {
    relay.attach_as(Attach {
        command_id: id.into(),
        stdout: true,
        driver: true,
        ..Attach::default()
    })
}

/// The client's first message, and its half of the handshake.
pub fn first_message(id: &str, host: &[u8], key: &Keypair) -> (Sealed, snow::HandshakeState) {
    let prologue = format!("bivouac.sealed.v1 {id}");
    let mut state = Builder::new(PATTERN.parse().unwrap())
        .prologue(prologue.as_bytes())
        .unwrap()
        .local_private_key(&key.private)
        .unwrap()
        .remote_public_key(host)
        .unwrap()
        .build_initiator()
        .unwrap();
    let mut data = vec![0; 256];
    let length = state.write_message(&[], &mut data).unwrap();
    let data = data[..length].to_vec().into();
    (Sealed { number: 0, data }, state)
}

impl Client {
    /// Shakes hands and says how it wants to look.
    pub fn open(mut reader: Reader, key: &Keypair, begin: Value) -> Client {
        let opened = reader.opened.clone();
        let (first, mut state) = first_message(&opened.command_id, &opened.host_key, key);
        reader.send(process_down::Message::Sealed(first));
        let Some(process_up::Message::Sealed(answer)) = reader.next() else {
            panic!("no answer to the handshake");
        };
        assert_eq!(answer.number, 0);
        let mut told = vec![0; 1024];
        let length = state.read_message(&answer.data, &mut told).unwrap();
        let told: Value = serde_json::from_slice(&told[..length]).unwrap();
        let mut client = Client {
            reader,
            noise: state.into_transport_mode().unwrap(),
            standing: told["standing"].as_str().unwrap().to_owned(),
            attached: Value::Null,
            output: Vec::new(),
            offset: begin["from"].as_u64().unwrap_or(0),
            controls: Vec::new(),
            errors: Vec::new(),
            exit: None,
            screen: None,
            drawn: Vec::new(),
            sequence: 0,
            looked: 0,
            sent: 0,
            received: 0,
        };
        if client.standing != "stranger" {
            client.control(begin);
            while client.attached.is_null() && client.errors.is_empty() {
                client.hears().expect("ended before it was attached");
            }
            client.sequence = client.attached["applied"].as_u64().unwrap_or(0);
        }
        client
    }

    /// From the first byte.
    pub fn drive(reader: Reader, key: &Keypair) -> Client {
        Client::open(
            reader,
            key,
            json!({"type": "begin", "source": "typist", "from": 0}),
        )
    }

    pub fn seal(&mut self, kind: u8, number: u64, payload: &[u8]) -> Sealed {
        let plain = [&[kind], &number.to_be_bytes()[..], payload].concat();
        let number = self.noise.sending_nonce() + 1;
        let mut data = vec![0; plain.len() + 16];
        self.noise.write_message(&plain, &mut data).unwrap();
        self.sent += data.len() as u64;
        if self.sent >= REKEY_AFTER {
            self.sent = 0;
            self.noise.rekey_outgoing();
        }
        let data = data.into();
        Sealed { number, data }
    }

    pub fn says(&mut self, kind: u8, number: u64, payload: &[u8]) {
        let sealed = self.seal(kind, number, payload);
        self.reader.send(process_down::Message::Sealed(sealed));
    }

    pub fn control(&mut self, message: Value) {
        self.says(69, 0, message.to_string().as_bytes());
    }

    pub fn types(&mut self, text: &str) {
        self.sequence += 1;
        self.says(65, self.sequence, text.as_bytes());
    }

    /// None: the stream is over, or something clear came, which is its last word.
    pub fn hears(&mut self) -> Option<()> {
        let sealed = match self.reader.next()? {
            process_up::Message::Sealed(sealed) => sealed,
            process_up::Message::Exit(_) | process_up::Message::Failure(_) => return None,
            other => panic!("a clear message: {other:?}"),
        };
        assert_eq!(sealed.number, self.noise.receiving_nonce() + 1);
        let mut plain = vec![0; sealed.data.len()];
        let length = self.noise.read_message(&sealed.data, &mut plain).unwrap();
        self.received += sealed.data.len() as u64;
        if self.received >= REKEY_AFTER {
            self.received = 0;
            self.noise.rekey_incoming();
        }
        let number = u64::from_be_bytes(plain[1..9].try_into().unwrap());
        let payload = &plain[9..length];
        let object = || serde_json::from_slice::<Value>(payload).unwrap();
        match plain[0] {
            1 => {
                assert_eq!(number, self.offset, "output is without a seam");
                self.offset += payload.len() as u64;
                self.output.extend(payload);
            }
            2 => self.exit = Some(object()),
            3 => self.errors.push(object()),
            4 => self.offset = object()["to"].as_u64().unwrap(),
            5 if object()["type"] == "attached" => self.attached = object(),
            5 => self.controls.push(object()),
            7 => {
                self.offset = number;
                self.screen = Some(std::mem::take(&mut self.drawn));
            }
            9 => self.drawn.extend(payload),
            kind => panic!("frame of type {kind}"),
        }
        Some(())
    }

    pub fn until(&mut self, text: &str) {
        loop {
            let found = memchr::memmem::find(&self.output[self.looked..], text.as_bytes());
            if let Some(at) = found {
                self.looked += at + text.len();
                return;
            }
            let so_far = String::from_utf8_lossy(&self.output[self.looked..]).into_owned();
            self.hears()
                .unwrap_or_else(|| panic!("ended without {text:?}: {so_far:?} {:?}", self.errors));
        }
    }

    pub fn until_control(&mut self, kind: &str) -> Value {
        loop {
            if let Some(at) = self.controls.iter().position(|c| c["type"] == kind) {
                return self.controls.remove(at);
            }
            self.hears().expect("ended early");
        }
    }

    pub fn until_error(&mut self) -> Value {
        while self.errors.is_empty() {
            self.hears().expect("ended early");
        }
        self.errors.remove(0)
    }

    pub fn finish(&mut self) {
        while self.hears().is_some() {}
    }
}
