//! One client's connection: the handshake's two messages, then messages that are counted in each
//! direction. What is changed, repeated, left out or comes out of turn does not open.
use super::host_key::HostKey;
use super::keys::Key;
use crate::bounds;
use crate::relay::wire::Sealed;
use snow::{Builder, HandshakeState, TransportState};

pub const PATTERN: &str = "Noise_IK_25519_ChaChaPoly_SHA256";
/// Both sides begin with this and the terminal's id: a handshake fits one terminal only.
const PROLOGUE: &str = "bivouac.sealed.v1 ";
const TAG: usize = 16;
const LARGEST: usize = 65_535;

/// The most that one message can hold.
pub const fn largest_frame() -> usize {
    LARGEST - TAG
}

/// After the client's first message; what it says of itself is not proven to be fresh yet.
pub struct Handshake {
    state: Box<HandshakeState>,
    pub client: Key,
}

impl Handshake {
    pub fn read(host: &HostKey, terminal: &str, first: &Sealed) -> Result<Handshake, String> {
        if first.number != 0 {
            return Err(format!("message {} came where 0 was due", first.number));
        }
        let prologue = format!("{PROLOGUE}{terminal}");
        let mut state = responder(host, &prologue).map_err(|e| e.to_string())?;
        let mut payload = [0; LARGEST];
        let length = state
            .read_message(&first.data, &mut payload)
            .map_err(|_| "the handshake does not fit this host and terminal".to_owned())?;
        if length > 0 {
            return Err("the handshake carries something".into());
        }
        let client = Key::read(state.get_remote_static().unwrap_or_default())?;
        Ok(Handshake {
            state: Box::new(state),
            client,
        })
    }

    /// Our answer, with what the client should know before it says anything.
    pub fn answer(mut self, payload: &[u8]) -> Result<(Sealed, Channel), String> {
        let mut data = vec![0; payload.len() + 128];
        let length = self
            .state
            .write_message(payload, &mut data)
            .map_err(|e| e.to_string())?;
        data.truncate(length);
        let transport = self.state.into_transport_mode();
        let channel = Channel::new(transport.map_err(|e| e.to_string())?);
        let answer = Sealed {
            number: 0,
            data: data.into(),
        };
        Ok((answer, channel))
    }
}

fn responder(host: &HostKey, prologue: &str) -> Result<HandshakeState, snow::Error> {
    Builder::new(PATTERN.parse()?)
        .local_private_key(&host.private)?
        .prologue(prologue.as_bytes())?
        .build_responder()
}

pub struct Channel {
    noise: TransportState,
    /// Bytes since each direction's key was last replaced.
    sent: u64,
    received: u64,
}

impl Channel {
    fn new(noise: TransportState) -> Channel {
        Channel {
            noise,
            sent: 0,
            received: 0,
        }
    }

    pub fn seal(&mut self, plain: &[u8]) -> Sealed {
        let number = self.noise.sending_nonce() + 1;
        let mut data = vec![0; plain.len() + TAG];
        self.noise
            .write_message(plain, &mut data)
            .expect("a frame fits into a message");
        self.sent += data.len() as u64;
        if self.sent >= bounds::REKEY_AFTER {
            self.sent = 0;
            self.noise.rekey_outgoing();
        }
        Sealed {
            number,
            data: data.into(),
        }
    }

    pub fn open(&mut self, message: &Sealed) -> Result<Vec<u8>, String> {
        let due = self.noise.receiving_nonce() + 1;
        if message.number != due {
            return Err(format!(
                "message {} came where {due} was due",
                message.number
            ));
        }
        let mut plain = vec![0; message.data.len()];
        let length = self
            .noise
            .read_message(&message.data, &mut plain)
            .map_err(|_| format!("message {due} was changed on its way"))?;
        plain.truncate(length);
        self.received += message.data.len() as u64;
        if self.received >= bounds::REKEY_AFTER {
            self.received = 0;
            self.noise.rekey_incoming();
        }
        Ok(plain)
    }
}
