//! What the sandbox uses, as far as its own /proc shows.
use crate::bounds;
use crate::relay::wire::Usage;
use std::ffi::CString;

/// CPU of all processes that live and of all that were reaped: as PID 1 that is the whole sandbox.
pub fn usage(folder: &str) -> Usage {
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) }.max(1) as u64;
    let tick_micros = 1_000_000 / unsafe { libc::sysconf(libc::_SC_CLK_TCK) }.max(1) as u64;
    let mut usage = Usage {
        disk_bytes: disk(folder),
        ..Usage::default()
    };
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes = entries.filter(|e| e.file_name().as_encoded_bytes()[0].is_ascii_digit());
    for process in processes.take(bounds::PROCESSES_COUNTED) {
        let Ok(stat) = std::fs::read(process.path().join("stat")) else {
            continue;
        };
        if let Some((ticks, pages)) = parse(&String::from_utf8_lossy(&stat)) {
            usage.processes += 1;
            usage.cpu_micros += ticks * tick_micros;
            usage.memory_bytes += pages * page;
        }
    }
    usage
}

/// Clock ticks, own and of reaped children, and resident pages. The name in brackets is the process's own
/// choice and may hold brackets itself: what counts comes after the last one.
fn parse(stat: &str) -> Option<(u64, u64)> {
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_ascii_whitespace().collect();
    let number = |index: usize| fields.get(index)?.parse::<u64>().ok();
    let ticks = (11..=14).map(|index| number(index).unwrap_or(0)).sum();
    Some((ticks, number(21)?))
}

fn disk(folder: &str) -> u64 {
    let Ok(path) = CString::new(folder) else {
        return 0;
    };
    unsafe {
        let mut found: libc::statvfs = std::mem::zeroed();
        match libc::statvfs(path.as_ptr(), &mut found) {
            0 => (found.f_blocks - found.f_bfree) * found.f_frsize,
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn a_process_cannot_lie_by_its_name() {
        let stat = "7 (a) 9 9 (b) S 1 7 7 0 -1 4194304 1 2 3 4 10 20 30 40 20 0 1 0 5 6 77 8";
        assert_eq!(parse(stat), Some((100, 77)));
        assert_eq!(parse("7 (x"), None);
    }
}
