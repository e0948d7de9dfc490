//! The sandbox's log: JSON lines in one file of bounded size, and the file before it.
use crate::bounds;
use crate::clock;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;

pub struct Log {
    path: Option<PathBuf>,
    open: Mutex<Option<(File, u64)>>,
}

impl Log {
    /// Without a path lines go to standard output.
    pub fn new(path: Option<PathBuf>) -> Log {
        Log {
            path,
            open: Mutex::new(None),
        }
    }

    pub fn is_stdout(&self) -> bool {
        self.path.is_none()
    }

    pub fn agent(&self, text: &str) {
        self.line("agent", text.as_bytes());
    }

    /// A log that cannot be written must not stop the sandbox: errors end here.
    pub fn line(&self, stream: &str, text: &[u8]) {
        let text = String::from_utf8_lossy(&text[..text.len().min(bounds::LOG_LINE)]);
        let mut line = serde_json::json!({"time": clock::now(), "stream": stream, "text": text})
            .to_string()
            .into_bytes();
        line.push(b'\n');
        if self.path.is_none() {
            let _ = std::io::stdout().write_all(&line);
        } else if let Ok(mut open) = self.open.lock() {
            let _ = self.append(&mut open, &line);
        }
    }

    fn append(&self, open: &mut Option<(File, u64)>, line: &[u8]) -> std::io::Result<()> {
        let Some(path) = &self.path else {
            return Ok(());
        };
        if matches!(open, Some((_, size)) if size.saturating_add(line.len() as u64) > bounds::LOG_FILE)
        {
            *open = None;
            let mut old = path.clone().into_os_string();
            old.push(".1");
            std::fs::rename(path, old)?;
        }
        let (file, size) = match open {
            Some(open) => open,
            None => {
                let file = OpenOptions::new().create(true).append(true).open(path)?;
                let size = file.metadata()?.len();
                open.insert((file, size))
            }
        };
        file.write_all(line)?;
        *size += line.len() as u64;
        Ok(())
    }
}

/// Cuts a stream of bytes into lines, none longer than a log line.
#[derive(Default)]
pub struct Lines {
    partial: Vec<u8>,
}

impl Lines {
    pub fn push(&mut self, data: &[u8], mut line: impl FnMut(&[u8])) {
        for byte in data {
            if *byte == b'\n' {
                line(&self.partial);
                self.partial.clear();
            } else if self.partial.len() < bounds::LOG_LINE {
                self.partial.push(*byte);
            }
        }
    }

    pub fn finish(&mut self, mut line: impl FnMut(&[u8])) {
        if !self.partial.is_empty() {
            line(&self.partial);
            self.partial.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_keeps_one_old_file_and_stays_small() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("agent.jsonl");
        let log = Log::new(Some(path.clone()));
        for _ in 0..400 {
            log.line("stdout", &[b'x'; 20_000]);
        }
        let old = folder.path().join("agent.jsonl.1");
        for file in [&path, &old] {
            let size = std::fs::metadata(file).unwrap().len();
            assert!(size > 0 && size <= bounds::LOG_FILE, "{size}");
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn an_endless_line_is_cut() {
        let mut lines = Lines::default();
        let mut seen = Vec::new();
        lines.push(&vec![b'a'; 100_000], |l| seen.push(l.len()));
        lines.push(b"\nshort\nrest", |l| seen.push(l.len()));
        lines.finish(|l| seen.push(l.len()));
        assert_eq!(seen, [bounds::LOG_LINE, 5, 4]);
    }
}
