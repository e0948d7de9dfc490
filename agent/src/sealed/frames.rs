//! What is said inside a sealed channel: the frames of `bivouac.terminal.v1`, one byte of type, eight of a
//! number (big-endian), then bytes. docs/terminal-protocol.md is the authority.
use super::channel::largest_frame;
use crate::relay::wire::{Exit, process_up::Message};
use serde_json::{Value, json};

const HEADER: usize = 9;
const OUTPUT: u8 = 1;
const EXIT: u8 = 2;
const ERROR: u8 = 3;
const GAP: u8 = 4;
const CONTROL: u8 = 5;
const SCREEN: u8 = 7;
const SCREEN_PART: u8 = 9;
const INPUT: u8 = 65;
const RESIZE: u8 = 66;
const SIGNAL: u8 = 67;
const CONTROL_HEARD: u8 = 69;

/// The error table's numbers for the two that are said here.
const INVALID_REQUEST: (u32, &str) = (1003, "INVALID_REQUEST");
const FORBIDDEN: (u32, &str) = (1002, "FORBIDDEN");

/// What we say.
pub struct Frame(pub Vec<u8>);

impl Frame {
    fn new(kind: u8, number: u64, payload: &[u8]) -> Frame {
        let mut bytes = Vec::with_capacity(HEADER + payload.len());
        bytes.push(kind);
        bytes.extend(number.to_be_bytes());
        bytes.extend(payload);
        Frame(bytes)
    }

    pub fn control(message: Value) -> Frame {
        Frame::new(CONTROL, 0, message.to_string().as_bytes())
    }

    pub fn invalid(message: &str) -> Frame {
        Frame::error(INVALID_REQUEST, message)
    }

    pub fn forbidden(message: &str) -> Frame {
        Frame::error(FORBIDDEN, message)
    }

    fn error((code, name): (u32, &str), message: &str) -> Frame {
        let error = json!({"code": code, "name": name, "message": message});
        Frame::new(ERROR, 0, error.to_string().as_bytes())
    }

    /// `bytes` lets the client see that nothing was cut off.
    pub fn exit(exit: &Exit) -> Frame {
        let told = json!({"exitCode": exit.code, "bytes": exit.stdout_bytes});
        Frame::new(EXIT, 0, told.to_string().as_bytes())
    }

    /// What the terminal has for a reader, in frames that fit into messages.
    pub fn of(message: &Message) -> Vec<Frame> {
        match message {
            Message::Output(output) => {
                let mut offset = output.offset;
                let piece = |data: &[u8]| {
                    let frame = Frame::new(OUTPUT, offset, data);
                    offset += data.len() as u64;
                    frame
                };
                fit(&output.data).map(piece).collect()
            }
            Message::Screen(screen) => {
                let mut frames: Vec<_> = fit(&screen.data)
                    .map(|data| Frame::new(SCREEN_PART, 0, data))
                    .collect();
                frames.push(Frame::new(SCREEN, screen.offset, &[]));
                frames
            }
            Message::Gap(gap) => {
                let told = json!({"from": gap.from, "to": gap.to});
                vec![Frame::new(GAP, 0, told.to_string().as_bytes())]
            }
            Message::Resized(size) => vec![Frame::control(
                json!({"type": "resized", "cols": size.columns, "rows": size.rows}),
            )],
            Message::InputApplied(applied) => vec![Frame::control(
                json!({"type": "applied", "sequence": applied.sequence}),
            )],
            Message::Exit(exit) => vec![Frame::exit(exit)],
            _ => Vec::new(),
        }
    }
}

/// Cuts into pieces of about the same size, each small enough for one message.
fn fit(data: &[u8]) -> impl Iterator<Item = &[u8]> {
    let most = largest_frame() - HEADER;
    let pieces = data.len().div_ceil(most).max(1);
    data.chunks(data.len().div_ceil(pieces).max(1))
}

/// What a client says.
#[derive(Debug, PartialEq)]
pub enum Heard {
    Input { sequence: u64, data: Vec<u8> },
    Resize { columns: u32, rows: u32 },
    Signal(i32),
    Control(Value),
}

impl Heard {
    pub fn read(mut plain: Vec<u8>) -> Result<Heard, String> {
        if plain.len() < HEADER {
            return Err("too short for a frame".into());
        }
        let number = u64::from_be_bytes(plain[1..HEADER].try_into().expect("eight bytes"));
        let kind = plain[0];
        let payload = plain.split_off(HEADER);
        match kind {
            INPUT => Ok(Heard::Input {
                sequence: number,
                data: payload,
            }),
            RESIZE => {
                let size = object(&payload)?;
                let side = |name: &str| {
                    let side = size[name]
                        .as_u64()
                        .and_then(|side| u32::try_from(side).ok());
                    side.ok_or_else(|| format!("{name} must be a number"))
                };
                Ok(Heard::Resize {
                    columns: side("cols")?,
                    rows: side("rows")?,
                })
            }
            SIGNAL => Ok(Heard::Signal(i32::try_from(number).unwrap_or(-1))),
            CONTROL_HEARD => Ok(Heard::Control(object(&payload)?)),
            _ => Err(format!("there is no frame of type {kind}")),
        }
    }
}

fn object(payload: &[u8]) -> Result<Value, String> {
    match serde_json::from_slice(payload) {
        Ok(Value::Object(fields)) => Ok(Value::Object(fields)),
        _ => Err("this is no JSON object".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::relay::wire::{Output, Screen};

    #[test]
    fn large_output_and_screens_are_cut_without_a_seam() {
        let data: Vec<u8> = (0..200_000u32).map(|n| n as u8).collect();
        let output = Message::Output(Output {
            stream: 1,
            offset: 1000,
            data: data.clone().into(),
        });
        let mut next = 1000;
        let mut joined: Vec<u8> = Vec::new();
        for Frame(bytes) in Frame::of(&output) {
            assert!(bytes.len() <= largest_frame());
            assert_eq!(bytes[0], OUTPUT);
            assert_eq!(bytes[1..9], u64::to_be_bytes(next));
            next += bytes.len() as u64 - 9;
            joined.extend(&bytes[9..]);
        }
        assert_eq!(joined, data);
        let screen = Message::Screen(Screen {
            offset: 7,
            data: data.into(),
            columns: 80,
            rows: 24,
        });
        let frames = Frame::of(&screen);
        assert!(frames.len() > 3 && frames.iter().all(|f| f.0.len() <= largest_frame()));
        assert_eq!(frames.last().unwrap().0, [7, 0, 0, 0, 0, 0, 0, 0, 7]);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for bad in [&b""[..], &[65; 8], &[1; 9], &[66; 9], &[69; 12], &[200; 20]] {
            assert!(Heard::read(bad.to_vec()).is_err(), "{bad:?}");
        }
        let mut resize = vec![66, 0, 0, 0, 0, 0, 0, 0, 0];
        resize.extend(br#"{"cols":-1,"rows":2}"#);
        assert!(Heard::read(resize).is_err());
    }
}
