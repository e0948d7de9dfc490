//! `bivouac-agent usage FOLDER`: what the sandbox uses, as one line of JSON. For runtimes that can run a program inside,
//! but see nothing from outside.
use crate::usage::usage;
use serde_json::json;

pub fn print(folder: &str) {
    let used = usage(folder);
    let (received, sent) = network(&std::fs::read_to_string("/proc/net/dev").unwrap_or_default());
    println!(
        "{}",
        json!({
            "cpuMicros": used.cpu_micros,
            "memoryBytes": used.memory_bytes,
            "diskBytes": used.disk_bytes,
            // This program is none of the sandbox's.
            "processes": used.processes.saturating_sub(1),
            "receivedBytes": received,
            "sentBytes": sent,
        })
    );
}

/// Of all interfaces but the loopback: the first and the ninth number after the name.
fn network(table: &str) -> (u64, u64) {
    table
        .lines()
        .filter_map(|line| line.split_once(':'))
        .filter(|(name, _)| name.trim() != "lo")
        .map(|(_, numbers)| {
            let numbers: Vec<u64> = numbers
                .split_ascii_whitespace()
                .map(|number| number.parse().unwrap_or(0))
                .collect();
            let number = |index: usize| numbers.get(index).copied().unwrap_or(0);
            (number(0), number(8))
        })
        .fold((0, 0), |(received, sent), (more, most)| {
            (received + more, sent + most)
        })
}

#[cfg(test)]
mod tests {
    use super::network;

    #[test]
    fn all_interfaces_but_the_loopback_count() {
        let table = "Inter-|   Receive  |  Transmit\n face |bytes packets\n\
            \x20   lo: 100 1 0 0 0 0 0 0 100 1 0 0 0 0 0 0\n\
            \x20 eth0: 7 1 0 0 0 0 0 0 9 1 0 0 0 0 0 0\n\
            \x20 eth1:10 1 0 0 0 0 0 0 20 1 0 0 0 0 0 0\n";
        assert_eq!(network(table), (17, 29));
        assert_eq!(network(""), (0, 0));
    }
}
