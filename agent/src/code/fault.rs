//! Why something with code was not done, in the wire's terms.
use crate::bounds;
use crate::relay::wire::{CodeFailure, Failure, code_failure::Kind, cut};

pub type Outcome<T> = Result<T, CodeFailure>;

pub fn fault(kind: Kind, message: impl Into<String>) -> CodeFailure {
    let mut message = message.into();
    cut(&mut message, bounds::FAILURE_TEXT);
    CodeFailure {
        kind: kind.into(),
        message,
    }
}

pub fn invalid(message: impl Into<String>) -> CodeFailure {
    fault(Kind::Invalid, message)
}

pub fn no_session(id: &str) -> CodeFailure {
    let mut shown = id.to_owned();
    cut(&mut shown, bounds::ID);
    fault(Kind::NoSuchSession, format!("There is no session {shown}."))
}

pub fn cannot_start(failure: Failure) -> CodeFailure {
    fault(
        Kind::CannotStart,
        format!("The interpreter did not start: {}.", failure.message),
    )
}
