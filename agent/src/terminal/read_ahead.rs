//! Reads a flood on a thread of its own, while the loop passes on what was read before.
//!
//! The kernel hands a terminal's output over in small pieces and waits for each to be taken: whatever the
//! reader does between two reads, the program waits for. The thread reads only what was ordered, so that
//! the loop alone decides how much that is, and sleeps when nothing is. It ends when its orders do.
use super::pty::Master;
use crate::bounds;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::time::Instant;
use tokio::sync::mpsc as replies;

/// Taken by a thread for as long as it runs: a sandbox with many floods still has but one.
pub struct Slot(AtomicBool);

/// The agent's only one.
pub static SLOT: Slot = Slot::new();

/// Whoever reads by the thread must take back all that was ordered before reading by itself, and before
/// this is dropped.
pub struct ReadAhead {
    orders: SyncSender<Order>,
    filled: replies::Receiver<Filled>,
    spare: Vec<Box<[u8]>>,
    /// What the orders that are out may read, together.
    ordered: usize,
    /// Nothing more is ordered.
    over: bool,
    /// When it has been without orders for so long that somebody else may have the thread.
    rest_at: Option<Instant>,
}

struct Order {
    buffer: Box<[u8]>,
    most: usize,
}

/// An order that came back.
pub struct Filled {
    order: Order,
    count: Option<usize>,
}

impl ReadAhead {
    /// None: the thread is taken, or the sandbox has as many as it may.
    pub fn start(master: &Arc<Master>, slot: &'static Slot) -> Option<ReadAhead> {
        let place = slot.take()?;
        let (orders, taken) = mpsc::sync_channel(bounds::READ_AHEAD_ORDERS);
        let (replies, filled) = replies::channel(bounds::READ_AHEAD_ORDERS);
        let master = master.clone();
        std::thread::Builder::new()
            .name("read-ahead".into())
            .stack_size(bounds::READ_AHEAD_STACK)
            .spawn(move || {
                let _place = place;
                serve(&master, &taken, &replies);
            })
            .ok()?;
        let buffer = || vec![0; bounds::OUTPUT_MESSAGE].into_boxed_slice();
        Some(ReadAhead {
            orders,
            filled,
            spare: (0..bounds::READ_AHEAD_ORDERS).map(|_| buffer()).collect(),
            ordered: 0,
            over: false,
            rest_at: Some(Instant::now() + bounds::READ_AHEAD_REST),
        })
    }

    /// Has some of the room filled; false when there is too little of it, or enough is ordered.
    pub fn order(&mut self, room: usize) -> bool {
        if self.over || room < bounds::TERMINAL_PIECE {
            return false;
        }
        let Some(buffer) = self.spare.pop() else {
            return false;
        };
        let most = room.min(buffer.len());
        self.ordered += most;
        self.rest_at = None;
        // As many fit as there are buffers. If the thread is gone, `next` tells.
        let _ = self.orders.try_send(Order { buffer, most });
        true
    }

    pub fn ordered(&self) -> usize {
        self.ordered
    }

    /// What was read next, in order; pending while nothing is ordered. None: the thread is gone.
    pub async fn next(&mut self) -> Option<Filled> {
        match self.ordered {
            0 => std::future::pending().await,
            _ => self.filled.recv().await,
        }
    }

    /// Its buffer can be ordered again.
    pub fn give_back(&mut self, filled: Filled) {
        self.ordered -= filled.order.most;
        self.spare.push(filled.order.buffer);
        if self.ordered == 0 {
            self.rest_at = Some(Instant::now() + bounds::READ_AHEAD_REST);
        }
    }

    pub fn end(&mut self) {
        self.over = true;
    }

    /// Everything is taken back, and there is no more to come or nobody to take it.
    pub fn is_done(&self, now: Instant) -> bool {
        self.ordered == 0 && (self.over || self.rest_at.is_some_and(|at| at <= now))
    }

    pub fn rest_at(&self) -> Option<Instant> {
        self.rest_at
    }
}

impl Filled {
    /// As `Master::read` has it: None when nobody has the other end any more, and nothing when nothing came.
    pub fn bytes(&self) -> Option<&[u8]> {
        self.count.map(|count| &self.order.buffer[..count])
    }
}

fn serve(master: &Master, orders: &Receiver<Order>, replies: &replies::Sender<Filled>) {
    while let Ok(mut order) = orders.recv() {
        let count = master.read_waiting(&mut order.buffer[..order.most], bounds::READ_AHEAD_WAIT);
        // As many fit as there are orders.
        if replies.try_send(Filled { order, count }).is_err() {
            return;
        }
    }
}

struct Place(&'static Slot);

impl Slot {
    pub const fn new() -> Slot {
        Slot(AtomicBool::new(false))
    }

    fn take(&'static self) -> Option<Place> {
        let taken = self.0.swap(true, Ordering::AcqRel);
        (!taken).then_some(Place(self))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.0.store(false, Ordering::Release);
    }
}

#[cfg(test)]
#[path = "read_ahead_tests.rs"]
mod tests;
