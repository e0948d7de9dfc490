//! What the thread reads must be what was written, whoever is slow and whoever leaves.
use super::*;
use crate::terminal::pty::{self, Size, Watch};
use std::fs::File;
use std::io::Write;
use std::os::fd::{AsRawFd, OwnedFd};
use std::thread::JoinHandle;
use std::time::Duration;

const SIZE: Size = Size {
    columns: 80,
    rows: 24,
};

/// Both ends, without the kernel's own changes to what is written.
fn raw_terminal() -> (Arc<Master>, File) {
    let (master, slave) = pty::open(SIZE, None).unwrap();
    unsafe {
        let mut settings: libc::termios = std::mem::zeroed();
        assert_eq!(libc::tcgetattr(slave.as_raw_fd(), &mut settings), 0);
        libc::cfmakeraw(&mut settings);
        assert_eq!(
            libc::tcsetattr(slave.as_raw_fd(), libc::TCSANOW, &settings),
            0
        );
    }
    (Arc::new(master), blocking(slave))
}

fn blocking(slave: OwnedFd) -> File {
    unsafe { libc::fcntl(slave.as_raw_fd(), libc::F_SETFL, libc::O_RDWR) };
    File::from(slave)
}

/// Never the same for long, so that a piece out of place shows.
fn content(bytes: usize) -> Vec<u8> {
    (0..bytes as u32 / 4)
        .flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes())
        .collect()
}

fn write(mut slave: File, bytes: Vec<u8>) -> JoinHandle<File> {
    std::thread::spawn(move || {
        slave.write_all(&bytes).unwrap();
        slave
    })
}

/// Reads by the thread until it says that there is nothing, or that nobody is there.
async fn read_all(ahead: &mut ReadAhead, all: &mut Vec<u8>, pause: Duration) -> bool {
    let mut hung_up = false;
    loop {
        while ahead.order(bounds::OUTPUT_MESSAGE) {}
        let Some(filled) = ahead.next().await else {
            panic!("the thread is gone");
        };
        match filled.bytes() {
            Some(bytes) => all.extend(bytes),
            None => hung_up = true,
        }
        if filled.bytes().is_none_or(<[u8]>::is_empty) {
            ahead.end();
        }
        ahead.give_back(filled);
        if ahead.is_done(Instant::now()) {
            return hung_up;
        }
        if all.len() < 2 * 1024 * 1024 {
            std::thread::sleep(pause);
        }
    }
}

async fn started(master: &Arc<Master>, slot: &'static Slot) -> ReadAhead {
    loop {
        // The last thread's end takes a moment.
        match ReadAhead::start(master, slot) {
            Some(ahead) => return ahead,
            None => tokio::time::sleep(Duration::from_millis(1)).await,
        }
    }
}

#[tokio::test]
async fn a_flood_is_whole_and_in_order_though_its_reader_is_slow_at_first() {
    static SLOT: Slot = Slot::new();
    let (master, slave) = raw_terminal();
    let expected = content(8 * 1024 * 1024);
    let writer = write(slave, expected.clone());
    let mut ahead = started(&master, &SLOT).await;
    let mut all: Vec<u8> = Vec::new();
    // A pause of the writer's would end it early: all that came so far must be right even then.
    while all.len() < expected.len() {
        read_all(&mut ahead, &mut all, Duration::from_millis(2)).await;
        drop(ahead);
        ahead = started(&master, &SLOT).await;
    }
    assert!(all == expected, "{} bytes", all.len());
    writer.join().unwrap();
}

#[tokio::test]
async fn no_more_is_read_than_was_ordered() {
    static SLOT: Slot = Slot::new();
    let (master, slave) = raw_terminal();
    let expected = content(256 * 1024);
    let writer = write(slave, expected.clone());
    let mut ahead = started(&master, &SLOT).await;
    assert!(!ahead.order(bounds::TERMINAL_PIECE - 1), "too little");
    let mut all: Vec<u8> = Vec::new();
    while all.len() < 100_000 {
        assert!(ahead.order(5000));
        assert_eq!(ahead.ordered(), 5000);
        let filled = ahead.next().await.unwrap();
        all.extend(filled.bytes().unwrap());
        assert!(filled.bytes().unwrap().len() <= 5000);
        ahead.give_back(filled);
    }
    assert_eq!(ahead.ordered(), 0);
    drop(ahead);
    // The rest is still there for whoever reads next.
    let mut buffer = vec![0; bounds::OUTPUT_MESSAGE];
    while all.len() < expected.len() {
        let count = master.read_waiting(&mut buffer, Duration::from_secs(5));
        all.extend(&buffer[..count.unwrap()]);
    }
    assert!(all == expected);
    writer.join().unwrap();
}

#[tokio::test]
async fn output_between_the_two_ways_of_reading_is_not_missed() {
    static SLOT: Slot = Slot::new();
    let (master, mut slave) = raw_terminal();
    for round in 0..50 {
        let expected = content(40_000 + 4 * round);
        let writer = write(slave, expected.clone());
        let mut all: Vec<u8> = Vec::new();
        // A writer that pauses looks like one that is done, and would be waited for without a reader.
        while all.len() < expected.len() {
            let mut ahead = started(&master, &SLOT).await;
            read_all(&mut ahead, &mut all, Duration::ZERO).await;
        }
        slave = writer.join().unwrap();
        let lone = write(slave, b"key".to_vec());
        let watch = Watch::new(&master).unwrap();
        let mut buffer = [0; 4096];
        while all.len() < expected.len() + 3 {
            let readable = tokio::time::timeout(Duration::from_secs(5), watch.readable()).await;
            readable.expect("the event loop is told");
            let count = watch.read(&mut buffer).unwrap();
            all.extend(&buffer[..count]);
        }
        assert!(all == [&expected[..], b"key"].concat(), "round {round}");
        slave = lone.join().unwrap();
    }
}

#[tokio::test]
async fn a_hang_up_comes_after_the_last_byte() {
    static SLOT: Slot = Slot::new();
    let (master, slave) = raw_terminal();
    let expected = content(1024 * 1024);
    let writer = write(slave, expected.clone());
    std::thread::spawn(move || drop(writer.join().unwrap()));
    let mut all: Vec<u8> = Vec::new();
    loop {
        let mut ahead = started(&master, &SLOT).await;
        if read_all(&mut ahead, &mut all, Duration::ZERO).await {
            break;
        }
    }
    assert!(all == expected, "{} bytes", all.len());
}

#[tokio::test]
async fn there_is_one_thread_and_it_ends_with_its_flood() {
    static SLOT: Slot = Slot::new();
    let (master, _slave) = raw_terminal();
    let mut first = started(&master, &SLOT).await;
    assert!(ReadAhead::start(&master, &SLOT).is_none());
    assert!(first.order(bounds::OUTPUT_MESSAGE));
    // Dropped with an order out, as when the agent ends: the thread keeps the terminal open until it is done.
    drop(first);
    started(&master, &SLOT).await;
    while Arc::strong_count(&master) > 1 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test]
async fn whoever_cannot_order_for_long_gives_the_thread_up() {
    static SLOT: Slot = Slot::new();
    let (master, _slave) = raw_terminal();
    let ahead = started(&master, &SLOT).await;
    assert!(!ahead.is_done(Instant::now()));
    assert!(ahead.is_done(ahead.rest_at().unwrap()));
}
