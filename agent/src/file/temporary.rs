//! A file that is not there yet: nameless where the file system can do that, so that nothing stays behind even when the
//! agent is killed, and elsewhere under a name that the next upload into the folder clears away.
use super::calls;
use super::folder::Names;
use std::ffi::CString;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::sync::Mutex;

const PREFIX: &str = ".bivouac-upload-";

/// One at a time gives a file its name: the look at what is there and the change belong together.
static COMMITS: Mutex<()> = Mutex::new(());

pub struct Temporary {
    pub file: File,
    folder: OwnedFd,
    /// None: nameless.
    name: Option<CString>,
}

impl Temporary {
    pub fn make(folder: BorrowedFd) -> io::Result<Temporary> {
        let flags = libc::O_TMPFILE | libc::O_RDWR;
        let nameless = calls::open_at(Some(folder), c".", flags, 0o600).and_then(|file| {
            // Such a file gets its name by way of /proc.
            calls::stat_at(folder, &by_descriptor(file.as_fd()))?;
            Ok(file)
        });
        let (file, name) = match nameless {
            Ok(file) => (file, None),
            Err(error) if is_unsupported(&error) => {
                let _ = clear(folder);
                let name = new_name();
                let flags = libc::O_RDWR | libc::O_CREAT | libc::O_EXCL;
                (
                    calls::open_at(Some(folder), &name, flags, 0o600)?,
                    Some(name),
                )
            }
            Err(error) => return Err(error),
        };
        Ok(Temporary {
            file: file.into(),
            folder: folder.try_clone_to_owned()?,
            name,
        })
    }

    /// Puts the file in its place. `check` is told what is there now, and may refuse.
    pub fn commit<E: From<io::Error>>(
        mut self,
        name: &CString,
        check: impl Fn(Option<&calls::Stat>) -> Result<(), E>,
    ) -> Result<bool, E> {
        let _one = COMMITS.lock().unwrap_or_else(|broken| broken.into_inner());
        for _ in 0..RACES {
            let present = match calls::stat_at(self.folder.as_fd(), name) {
                Ok(stat) => Some(stat),
                Err(error) if error.raw_os_error() == Some(libc::ENOENT) => None,
                Err(error) => return Err(error.into()),
            };
            check(present.as_ref())?;
            let created = present.is_none();
            match self.put(name, !created) {
                Err(error) if created && error.raw_os_error() == Some(libc::EEXIST) => {}
                done => return Ok(done.map(|()| created)?),
            }
        }
        Err(io::Error::from_raw_os_error(libc::EBUSY).into())
    }

    fn put(&mut self, name: &CString, replace: bool) -> io::Result<()> {
        let folder = self.folder.as_fd();
        match (&self.name, replace) {
            (None, false) => link(self.file.as_fd(), folder, name),
            (None, true) => {
                // A link cannot replace: the file has a name of ours for a moment.
                let moment = new_name();
                link(self.file.as_fd(), folder, &moment)?;
                let renamed = calls::rename(folder, &moment, folder, name, true);
                if renamed.is_err() {
                    let _ = calls::remove(folder, &moment, false);
                }
                renamed
            }
            (Some(ours), replace) => {
                calls::rename(folder, ours, folder, name, replace)?;
                self.name = None;
                Ok(())
            }
        }
    }
}

/// Tries of a commit while somebody makes and removes the same file.
const RACES: usize = 100;

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(name) = &self.name {
            let _ = calls::remove(self.folder.as_fd(), name, false);
        }
    }
}

fn link(file: BorrowedFd, folder: BorrowedFd, name: &CString) -> io::Result<()> {
    calls::link(
        folder,
        &by_descriptor(file),
        folder,
        name,
        libc::AT_SYMLINK_FOLLOW,
    )
}

fn by_descriptor(file: BorrowedFd) -> CString {
    CString::new(format!("/proc/self/fd/{}", file.as_raw_fd())).expect("no zero byte")
}

fn is_unsupported(error: &io::Error) -> bool {
    matches!(
        error.raw_os_error(),
        Some(libc::EOPNOTSUPP | libc::EISDIR | libc::EINVAL | libc::ENOENT | libc::EACCES)
    )
}

/// With this process's start in it: names of an agent that was killed are none of ours.
fn new_name() -> CString {
    let mut random = [0u8; 8];
    unsafe { libc::getrandom(random.as_mut_ptr().cast(), random.len(), 0) };
    let random = u64::from_ne_bytes(random);
    CString::new(format!("{PREFIX}{}-{random:016x}", run())).expect("no zero byte")
}

fn run() -> &'static str {
    static RUN: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    RUN.get_or_init(|| {
        let mut random = [0u8; 4];
        unsafe { libc::getrandom(random.as_mut_ptr().cast(), random.len(), 0) };
        format!("{:08x}", u32::from_ne_bytes(random))
    })
}

/// Removes what a killed agent left in this folder.
pub fn clear(folder: BorrowedFd) -> io::Result<()> {
    let open = calls::open_at(Some(folder), c".", libc::O_RDONLY | libc::O_DIRECTORY, 0)?;
    let ours = format!("{PREFIX}{}-", run());
    let mut names = Names::of(open.as_fd())?;
    while let Some(name) = names.next()? {
        if name.starts_with(PREFIX.as_bytes()) && !name.starts_with(ours.as_bytes()) {
            calls::remove(folder, &calls::name(name)?, false)?;
        }
    }
    Ok(())
}
