//! One sandbox's workspace as clients reach it.
use super::handle::{ExportId, FileId, Handle, Key};
use super::identity::Identity;
use super::kernel;
use super::status::Status;
use super::table::{self, Table};
use serde::Deserialize;
use std::ffi::CStr;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::PathBuf;

/// What the server is told to export.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// The sandbox's id, which is the first name of the path to mount.
    pub name: String,
    pub folder: PathBuf,
    pub uid: u32,
    pub gid: u32,
    /// Hexadecimal; the same for the same sandbox after every start.
    pub key: String,
    /// The second name of the path, where clients come from beyond the loopback address.
    pub token: Option<String>,
    /// Whether answers may run ahead of the disk.
    #[serde(default, rename = "async")]
    pub ahead_of_disk: bool,
}

pub struct Export {
    pub name: String,
    pub id: ExportId,
    pub identity: Identity,
    pub token: Option<String>,
    pub ahead_of_disk: bool,
    key: Key,
    root: OwnedFd,
    mount: i32,
    device: u64,
    inode: u64,
    files: Files,
}

/// How files are named.
enum Files {
    ByKernel { root: kernel::KernelHandle },
    ByTable(Table),
}

impl Export {
    pub fn open(order: Order) -> Result<Export, String> {
        let shown = order.folder.display();
        let failed = |e: std::io::Error| format!("cannot export {shown}: {e}");
        let identity = Identity {
            uid: order.uid,
            gid: order.gid,
        };
        if !identity.can_be_assumed() {
            return Err(format!(
                "cannot export {shown}: this process may not act for uid {}",
                order.uid
            ));
        }
        let root: OwnedFd = {
            use std::os::unix::fs::OpenOptionsExt;
            let flags = libc::O_DIRECTORY | libc::O_NOFOLLOW;
            let mut options = std::fs::OpenOptions::new();
            options.read(true).custom_flags(flags);
            options.open(&order.folder).map_err(failed)?.into()
        };
        let stat = kernel::stat(root.as_fd()).map_err(failed)?;
        let (files, mount) = naming(root.as_fd());
        Ok(Export {
            id: ExportId::of(&order.name),
            key: Key::new(&bytes_of(&order.key)?)?,
            name: order.name,
            identity,
            token: order.token,
            ahead_of_disk: order.ahead_of_disk,
            root,
            mount,
            device: stat.st_dev,
            inode: stat.st_ino,
            files,
        })
    }

    /// As if the file system gave no handles.
    #[cfg(test)]
    pub fn with_table(mut self) -> Export {
        self.files = Files::ByTable(Table::default());
        self
    }

    pub fn root(&self) -> BorrowedFd<'_> {
        self.root.as_fd()
    }

    pub fn root_id(&self) -> FileId {
        match &self.files {
            Files::ByKernel { root } => FileId::Kernel(*root),
            Files::ByTable(_) => FileId::Table(table::ROOT),
        }
    }

    pub fn is_root(&self, stat: &libc::stat) -> bool {
        stat.st_ino == self.inode && stat.st_dev == self.device
    }

    pub fn has_kernel_handles(&self) -> bool {
        matches!(self.files, Files::ByKernel { .. })
    }

    pub fn seal(&self, file: &FileId) -> Handle {
        Handle::seal(self.id, file, &self.key)
    }

    pub fn unseal(&self, handle: &[u8]) -> Option<FileId> {
        super::handle::open(handle, &self.key)
    }

    /// Opens a file as a place only, with this process's own rights: what may be done there is decided later.
    pub fn place(&self, file: &FileId) -> Result<OwnedFd, Status> {
        match (file, &self.files) {
            (FileId::Kernel(handle), Files::ByKernel { .. }) => {
                let flags = libc::O_PATH | libc::O_NOFOLLOW;
                Ok(kernel::open_handle(self.root(), handle, flags)?)
            }
            (FileId::Table(number), Files::ByTable(table)) => table.open(self.root(), *number),
            _ => Err(Status::STALE),
        }
    }

    /// What to call a file that was found at a name of a folder.
    pub fn identify(
        &self,
        parent: &FileId,
        name: &CStr,
        file: BorrowedFd,
    ) -> Result<FileId, Status> {
        match (&self.files, parent) {
            (Files::ByKernel { .. }, _) => {
                let (handle, mount) = kernel::handle_of(file, c"")?;
                self.within(mount, handle)
            }
            (Files::ByTable(table), FileId::Table(parent)) => {
                Ok(FileId::Table(table.number(*parent, name, file)?))
            }
            _ => Err(Status::STALE),
        }
    }

    /// The same for a name that was only read in a folder.
    pub fn identify_name(
        &self,
        parent: &FileId,
        folder: BorrowedFd,
        name: &CStr,
    ) -> Result<FileId, Status> {
        if self.has_kernel_handles() {
            let (handle, mount) = kernel::handle_of(folder, name)?;
            return self.within(mount, handle);
        }
        let file = kernel::open_name(folder, name, libc::O_PATH, 0)?;
        self.identify(parent, name, file.as_fd())
    }

    fn within(&self, mount: i32, handle: kernel::KernelHandle) -> Result<FileId, Status> {
        if mount == self.mount {
            Ok(FileId::Kernel(handle))
        } else {
            Err(Status::OTHER_DEVICE)
        }
    }
}

/// Handles of the kernel where it gives them and takes them back from us.
fn naming(root: BorrowedFd) -> (Files, i32) {
    if let Ok((handle, mount)) = kernel::handle_of(root, c"") {
        let back = kernel::open_handle(root, &handle, libc::O_PATH);
        let same = |back: OwnedFd| {
            let inode = |fd| kernel::stat(fd).map(|stat| stat.st_ino);
            inode(back.as_fd()).ok() == inode(root).ok()
        };
        if back.is_ok_and(same) {
            return (Files::ByKernel { root: handle }, mount);
        }
    }
    (Files::ByTable(Table::default()), 0)
}

fn bytes_of(hexadecimal: &str) -> Result<Vec<u8>, String> {
    const SHORTEST: usize = 32;
    let wrong = || "the key of an export is not 32 bytes in hexadecimal".to_owned();
    if hexadecimal.len() < 2 * SHORTEST || !hexadecimal.is_ascii() {
        return Err(wrong());
    }
    (0..hexadecimal.len() / 2)
        .map(|at| u8::from_str_radix(&hexadecimal[2 * at..2 * at + 2], 16).map_err(|_| wrong()))
        .collect()
}
