//! The ports on which programs of the sandbox listen, as the kernel's tables have them.
use super::wire::ListeningPort;
use crate::bounds;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::Read;

/// What the kernel calls a socket that listens.
const LISTEN: &str = "0A";

/// Each port that a connection to the loopback address reaches, once, by its number; without the agent's own.
pub fn listening() -> Vec<ListeningPort> {
    with_programs(sockets_by_port())
}

/// The socket that listens at each such port.
pub fn sockets_by_port() -> BTreeMap<u16, u64> {
    let mut inodes = BTreeMap::new();
    for table in ["/proc/self/net/tcp", "/proc/self/net/tcp6"] {
        for (port, inode) in sockets(&read(table)) {
            inodes.entry(port).or_insert(inode);
        }
    }
    inodes.remove(&bounds::EGRESS_PORT);
    inodes
}

/// The same with the names of the programs, which take longer to find.
pub fn with_programs(inodes: BTreeMap<u16, u64>) -> Vec<ListeningPort> {
    if inodes.is_empty() {
        return Vec::new();
    }
    let programs = programs();
    inodes
        .into_iter()
        .take(bounds::LISTED_PORTS)
        .map(|(port, inode)| ListeningPort {
            port: port.into(),
            program: programs.get(&inode).cloned().unwrap_or_default(),
        })
        .collect()
}

fn read(table: &str) -> String {
    let mut text = String::new();
    if let Ok(file) = fs::File::open(table) {
        // A table that is cut off or not text lists what came before.
        let _ = file.take(bounds::SOCKET_TABLE).read_to_string(&mut text);
    }
    text
}

/// Port and inode of each line that listens where the loopback address leads.
fn sockets(table: &str) -> impl Iterator<Item = (u16, u64)> + '_ {
    table.lines().skip(1).filter_map(|line| {
        let mut fields = line.split_ascii_whitespace();
        let (address, port) = fields.nth(1)?.split_once(':')?;
        let state = fields.nth(1)?;
        let inode = fields.nth(5)?.parse().ok()?;
        let port = u16::from_str_radix(port, 16).ok()?;
        (state == LISTEN && is_reached(address)).then_some((port, inode))
    })
}

/// Any address, 127.0.0.0/8, ::1 or an IPv4 address in IPv6's clothes; in the kernel's byte order.
fn is_reached(address: &str) -> bool {
    const MAPPED: &str = "0000000000000000FFFF0000";
    let four = address.strip_prefix(MAPPED).unwrap_or(address);
    match four.len() {
        8 => four == "00000000" || four.ends_with("7F"),
        _ => {
            address.bytes().all(|digit| digit == b'0')
                || address == "00000000000000000000000001000000"
        }
    }
}

/// The name of the program that has each socket, as far as the agent may look.
fn programs() -> HashMap<u64, String> {
    let mut programs = HashMap::new();
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    for process in processes
        .filter(|entry| {
            entry
                .file_name()
                .to_string_lossy()
                .bytes()
                .all(|digit| digit.is_ascii_digit())
        })
        .take(bounds::PROCESSES_COUNTED)
    {
        let descriptors = fs::read_dir(process.path().join("fd"));
        for descriptor in descriptors
            .into_iter()
            .flatten()
            .flatten()
            .take(bounds::DESCRIPTORS_LOOKED_AT)
        {
            let Some(inode) = fs::read_link(descriptor.path())
                .ok()
                .and_then(|link| socket_inode(&link.to_string_lossy()))
            else {
                continue;
            };
            programs.entry(inode).or_insert_with(|| {
                let name = fs::read_to_string(process.path().join("comm")).unwrap_or_default();
                name.trim_end().to_owned()
            });
        }
    }
    programs
}

fn socket_inode(link: &str) -> Option<u64> {
    link.strip_prefix("socket:[")?
        .strip_suffix(']')?
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    #[test]
    fn a_port_is_listed_with_its_program_while_somebody_listens() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = u32::from(listener.local_addr().unwrap().port());
        let found = listening().into_iter().find(|found| found.port == port);
        assert!(found.is_some_and(|found| found.program.starts_with("bivouac")));
        drop(listener);
        assert!(!listening().iter().any(|found| found.port == port));
    }

    #[test]
    fn only_what_the_loopback_address_reaches_is_listed() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n\
            0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 11 1 0 100\n\
            1: 0100007F:1F91 0100007F:1F90 01 00000000:00000000 00:00000000 00000000     0        0 12 1 0 100\n\
            2: 0A00000A:1F92 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 13 1 0 100\n\
            3: 00000000000000000000000000000000:1F93 00000000000000000000000000000000:0000 0A 0:0 00:0 0 0 0 14 1\n\
            nonsense\n";
        assert_eq!(sockets(table).collect::<Vec<_>>(), [(8080, 11), (8083, 14)]);
    }
}
