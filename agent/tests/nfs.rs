//! The NFS process as the server runs it: its socket, its port, its powers and its end.
use crate::support;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use support::{agent_binary, is_root, wait_until};

const KEY: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

struct Nfs {
    process: Child,
    port: u16,
    control: BufReader<UnixStream>,
    folder: tempfile::TempDir,
}

impl Nfs {
    fn start(allow: &[&str]) -> Nfs {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("work")).unwrap();
        let socket = folder.path().join("control.sock");
        let file = folder.path().join("config.json");
        let configuration =
            json!({"host": "127.0.0.1", "port": 20_490, "control": socket, "allow": allow});
        std::fs::write(&file, configuration.to_string()).unwrap();
        let mut process = Command::new(agent_binary())
            .args(["nfs", "--config"])
            .arg(file)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut ready = String::new();
        BufReader::new(process.stdout.take().unwrap())
            .read_line(&mut ready)
            .unwrap();
        let ready: Value = serde_json::from_str(&ready).unwrap();
        let control = BufReader::new(UnixStream::connect(&socket).unwrap());
        Nfs {
            process,
            port: ready["port"].as_u64().unwrap() as u16,
            control,
            folder,
        }
    }

    fn open(mut self) -> Nfs {
        assert_eq!(self.order(json!({"open": {}})), json!({}));
        self
    }

    fn order(&mut self, order: Value) -> Value {
        writeln!(self.control.get_mut(), "{order}").unwrap();
        let mut answer = String::new();
        self.control.read_line(&mut answer).unwrap();
        serde_json::from_str(&answer).unwrap()
    }

    fn export(&mut self, name: &str, folder: &Path) -> Value {
        let uid = if is_root() {
            1_001_000
        } else {
            unsafe { libc::geteuid() }
        };
        self.order(
            json!({"add": {"name": name, "folder": folder, "uid": uid, "gid": uid, "key": KEY}}),
        )
    }

    fn connect(&self) -> TcpStream {
        TcpStream::connect(("127.0.0.1", self.port)).unwrap()
    }
}

impl Drop for Nfs {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A NULL call of NFS.
fn null_call() -> Vec<u8> {
    let words: [u32; 11] = [1 << 31 | 40, 1, 0, 2, 100_003, 3, 0, 0, 0, 0, 0];
    words.iter().flat_map(|word| word.to_be_bytes()).collect()
}

#[test]
fn exports_are_added_listed_and_removed() {
    let mut nfs = Nfs::start(&[]);
    let work = nfs.folder.path().join("work");
    assert_eq!(nfs.export("sbx-1", &work), json!({}));
    assert_eq!(nfs.export("sbx-2", &work), json!({}));
    assert_eq!(
        nfs.order(json!({"list": {}})),
        json!({"exports": ["sbx-1", "sbx-2"]})
    );
    assert_eq!(nfs.order(json!({"remove": {"name": "sbx-1"}})), json!({}));
    assert_eq!(nfs.order(json!({"remove": {"name": "sbx-1"}})), json!({}));
    assert_eq!(
        nfs.order(json!({"list": {}})),
        json!({"exports": ["sbx-2"]})
    );
    let gone = nfs.export("sbx-3", Path::new("/no/such/folder"));
    assert!(
        gone["error"].as_str().unwrap().contains("/no/such/folder"),
        "{gone}"
    );
    let unknown = nfs.order(json!({"mend": {}}));
    assert!(unknown["error"].is_string());
    let counters = nfs.order(json!({"counters": {}}));
    assert_eq!(counters["counters"]["calls"], 0);
}

#[test]
fn a_taken_port_is_passed_over() {
    let first = Nfs::start(&[]);
    let second = Nfs::start(&[]);
    assert_ne!(first.port, second.port);
}

#[test]
fn the_process_ends_with_its_standard_input() {
    let mut nfs = Nfs::start(&[]);
    drop(nfs.process.stdin.take());
    wait_until("it has ended", || nfs.process.try_wait().unwrap().is_some());
}

#[test]
fn four_capabilities_are_left_and_no_way_to_more() {
    if !is_root() {
        println!("skipped: only root has capabilities to lose");
        return;
    }
    let nfs = Nfs::start(&[]);
    let status = std::fs::read_to_string(format!("/proc/{}/status", nfs.process.id())).unwrap();
    let of = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_ascii_whitespace().nth(1).unwrap().to_owned()
    };
    // DAC_OVERRIDE, DAC_READ_SEARCH, SETGID and SETUID.
    assert_eq!(of("CapPrm"), "00000000000000c6");
    assert_eq!(of("CapBnd"), "00000000000000c6");
    assert_eq!(of("CapInh"), "0000000000000000");
    assert_eq!(of("NoNewPrivs"), "1");
}

#[test]
fn a_record_that_is_too_long_ends_the_connection_alone() {
    let nfs = Nfs::start(&[]).open();
    let mut hostile = nfs.connect();
    hostile.write_all(&u32::MAX.to_be_bytes()).unwrap();
    assert_eq!(hostile.read(&mut [0; 16]).unwrap_or(0), 0);
    let mut sane = nfs.connect();
    sane.write_all(&null_call()).unwrap();
    let mut answer = [0; 28];
    sane.read_exact(&mut answer).unwrap();
    assert_eq!(answer[4..8], [0, 0, 0, 1]);
}

#[test]
fn a_client_of_another_network_is_refused() {
    let mut nfs = Nfs::start(&["10.0.0.0/8"]).open();
    let mut stranger = nfs.connect();
    let _ = stranger.write_all(&null_call());
    assert_eq!(stranger.read(&mut [0; 16]).unwrap_or(0), 0);
    let counters = nfs.order(json!({"counters": {}}));
    assert!(counters["counters"]["refusedConnections"].as_u64().unwrap() > 0);
    assert_eq!(counters["counters"]["calls"], 0);
}

#[test]
fn clients_wait_until_all_exports_are_there() {
    let nfs = Nfs::start(&[]);
    let mut early = nfs.connect();
    early.write_all(&null_call()).unwrap();
    early
        .set_read_timeout(Some(std::time::Duration::from_millis(200)))
        .unwrap();
    assert!(early.read(&mut [0; 28]).is_err(), "nobody answers yet");
    let _nfs = nfs.open();
    early.set_read_timeout(None).unwrap();
    early.read_exact(&mut [0; 28]).unwrap();
}
