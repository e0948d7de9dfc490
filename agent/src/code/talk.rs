//! One call about code: what is said on it, at the pace of the other side, and whether that side has left.
use crate::relay::wire::{CodeUp, code_up::Message};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tokio::sync::{Notify, mpsc};

pub struct Talk {
    pub up: mpsc::Sender<CodeUp>,
    pub left: Arc<Left>,
}

/// Nobody waits for the answer any more.
#[derive(Default)]
pub struct Left {
    left: AtomicBool,
    told: Notify,
}

impl Left {
    pub fn leave(&self) {
        self.left.store(true, Relaxed);
        self.told.notify_one();
    }

    pub fn is_set(&self) -> bool {
        self.left.load(Relaxed)
    }

    /// Once.
    pub async fn heard(&self) {
        if !self.is_set() {
            self.told.notified().await;
        }
    }
}

impl Talk {
    /// False when nobody hears it.
    pub async fn say(&self, message: Message) -> bool {
        self.up.send(up(message)).await.is_ok()
    }
}

pub fn up(message: Message) -> CodeUp {
    CodeUp {
        message: Some(message),
    }
}
