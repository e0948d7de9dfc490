//! The names in a folder, read from the kernel a buffer at a time.
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};

const BUFFER: usize = 32 * 1024;
/// Before the name: inode and offset of eight bytes each, the length of two, the type of one.
const NAME: usize = 19;

pub struct Names<'a> {
    folder: BorrowedFd<'a>,
    buffer: Vec<u8>,
    at: usize,
    end: usize,
}

impl<'a> Names<'a> {
    pub fn of(folder: BorrowedFd<'a>) -> io::Result<Names<'a>> {
        // The same open folder may be read again.
        if unsafe { libc::lseek(folder.as_raw_fd(), 0, libc::SEEK_SET) } < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(Names {
            folder,
            buffer: vec![0; BUFFER],
            at: 0,
            end: 0,
        })
    }

    /// Without `.` and `..`.
    pub fn next(&mut self) -> io::Result<Option<&[u8]>> {
        loop {
            if self.at >= self.end {
                let read = unsafe {
                    libc::syscall(
                        libc::SYS_getdents64,
                        self.folder.as_raw_fd(),
                        self.buffer.as_mut_ptr(),
                        self.buffer.len(),
                    )
                };
                if read < 0 {
                    return Err(io::Error::last_os_error());
                }
                if read == 0 {
                    return Ok(None);
                }
                self.at = 0;
                self.end = read as usize;
            }
            let record = &self.buffer[self.at..self.end];
            let length = usize::from(u16::from_ne_bytes([record[16], record[17]]));
            let start = self.at + NAME;
            self.at += length;
            let name = &self.buffer[start..start + length - NAME];
            let ends = name
                .iter()
                .position(|byte| *byte == 0)
                .unwrap_or(name.len());
            if !matches!(&name[..ends], b"." | b"..") {
                return Ok(Some(&self.buffer[start..start + ends]));
            }
        }
    }
}
