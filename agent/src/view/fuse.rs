//! The kernel's questions about the view, and our answers as it wants them.
use super::contents::Change;
use super::handles::Handle;
use super::nodes::ROOT;
use super::pod::{Found, file};
use super::shown::{View, time_spec};
use fuser::{
    AccessFlags, BsdFileFlags, Errno, FileHandle, Filesystem, FopenFlags, Generation, INodeNo,
    InitFlags, KernelConfig, LockOwner, OpenFlags, RenameFlags, ReplyAttr, ReplyCreate, ReplyData,
    ReplyDirectory, ReplyEmpty, ReplyEntry, ReplyOpen, ReplyStatfs, ReplyWrite, Request, TimeOrNow,
    WriteFlags,
};
use nix::fcntl::OFlag;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, SystemTime};

/// For so long the kernel may answer by itself what it has been told.
const REMEMBERED: Duration = Duration::from_secs(1);
const LONGEST_NAME: u32 = 255;
const LARGEST_WRITE: u32 = 256 << 10;
const GENERATION: Generation = Generation(0);

/// Sends what was found, or why nothing was.
macro_rules! answer {
    ($reply:ident, $result:expr, $found:pat => $send:expr) => {
        match $result {
            Ok($found) => $send,
            Err(code) => $reply.error(Errno::from_i32(code as i32)),
        }
    };
}

impl View {
    fn entry(&self, result: Result<Found, nix::errno::Errno>, reply: ReplyEntry) {
        answer!(reply, result, found => reply.entry(&REMEMBERED, &self.attributes(&found), GENERATION));
    }
}

impl Filesystem for View {
    fn init(&mut self, _: &Request, config: &mut KernelConfig) -> std::io::Result<()> {
        // Without these it is only slower, or a file that somebody else changes is seen a little later.
        let _ = config.add_capabilities(InitFlags::FUSE_AUTO_INVAL_DATA);
        let _ = config.add_capabilities(InitFlags::FUSE_PARALLEL_DIROPS);
        let _ = config.set_max_write(LARGEST_WRITE);
        Ok(())
    }

    fn lookup(&self, _: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEntry) {
        self.entry(self.look_up(parent, name), reply);
    }

    fn forget(&self, _: &Request, ino: INodeNo, nlookup: u64) {
        self.pod.nodes().forget(ino.0, nlookup);
    }

    fn getattr(&self, _: &Request, ino: INodeNo, _: Option<FileHandle>, reply: ReplyAttr) {
        answer!(reply, self.pod.describe(ino.0), found => reply.attr(&REMEMBERED, &self.attributes(&found)));
    }

    fn setattr(
        &self,
        _: &Request,
        ino: INodeNo,
        mode: Option<u32>,
        uid: Option<u32>,
        gid: Option<u32>,
        size: Option<u64>,
        atime: Option<TimeOrNow>,
        mtime: Option<TimeOrNow>,
        _: Option<SystemTime>,
        _: Option<FileHandle>,
        _: Option<SystemTime>,
        _: Option<SystemTime>,
        _: Option<SystemTime>,
        _: Option<BsdFileFlags>,
        reply: ReplyAttr,
    ) {
        if uid.is_some_and(|uid| uid != self.uid) || gid.is_some_and(|gid| gid != self.gid) {
            return reply.error(Errno::EPERM);
        }
        let changes_times = atime.is_some() || mtime.is_some();
        let change = Change {
            mode,
            size,
            times: changes_times.then(|| (time_spec(atime), time_spec(mtime))),
        };
        let changed = self.pod.change(ino.0, &change);
        let result = changed.and_then(|()| self.pod.describe(ino.0));
        answer!(reply, result, found => reply.attr(&REMEMBERED, &self.attributes(&found)));
    }

    fn readlink(&self, _: &Request, ino: INodeNo, reply: ReplyData) {
        let found = self.pod.describe(ino.0).and_then(|_| self.pod.place(ino.0));
        let target = found.and_then(|place| self.pod.backing.link(&place.path));
        answer!(reply, target, target => reply.data(target.as_bytes()));
    }

    fn mknod(
        &self,
        _: &Request,
        parent: INodeNo,
        name: &OsStr,
        mode: u32,
        _: u32,
        _: u32,
        reply: ReplyEntry,
    ) {
        if mode & libc::S_IFMT != libc::S_IFREG {
            return reply.error(Errno::EPERM);
        }
        let path = self.pod.child(parent.0, name);
        let made = path.and_then(|path| self.pod.make_file(&path, mode, OFlag::O_WRONLY));
        let found = made.map(|(found, handle)| {
            self.pod.handles().close(handle);
            found
        });
        self.entry(found, reply);
    }

    fn mkdir(&self, _: &Request, parent: INodeNo, name: &OsStr, _: u32, _: u32, reply: ReplyEntry) {
        let path = self.pod.child(parent.0, name);
        self.entry(path.and_then(|path| self.pod.make_folder(&path)), reply);
    }

    fn unlink(&self, _: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEmpty) {
        let path = self.pod.child(parent.0, name);
        answer!(reply, path.and_then(|path| self.pod.remove(&path, false)), () => reply.ok());
    }

    fn rmdir(&self, _: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEmpty) {
        let path = self.pod.child(parent.0, name);
        answer!(reply, path.and_then(|path| self.pod.remove(&path, true)), () => reply.ok());
    }

    /// The Pod's server might follow it to where the session itself could not go.
    fn symlink(&self, _: &Request, _: INodeNo, _: &OsStr, _: &Path, reply: ReplyEntry) {
        reply.error(Errno::EPERM);
    }

    /// A second name would be under a second ACL.
    fn link(&self, _: &Request, _: INodeNo, _: INodeNo, _: &OsStr, reply: ReplyEntry) {
        reply.error(Errno::EPERM);
    }

    fn rename(
        &self,
        _: &Request,
        parent: INodeNo,
        name: &OsStr,
        newparent: INodeNo,
        newname: &OsStr,
        flags: RenameFlags,
        reply: ReplyEmpty,
    ) {
        let flags = nix::fcntl::RenameFlags::from_bits_retain(flags.bits());
        let renamed = self.pod.child(parent.0, name).and_then(|from| {
            let to = self.pod.child(newparent.0, newname)?;
            self.pod.rename(&from, &to, flags)
        });
        answer!(reply, renamed, () => reply.ok());
    }

    fn open(&self, _: &Request, ino: INodeNo, flags: OpenFlags, reply: ReplyOpen) {
        let opened = self.pod.open(ino.0, OFlag::from_bits_truncate(flags.0));
        answer!(reply, opened, handle => reply.opened(FileHandle(handle), FopenFlags::empty()));
    }

    fn create(
        &self,
        _: &Request,
        parent: INodeNo,
        name: &OsStr,
        mode: u32,
        _: u32,
        flags: i32,
        reply: ReplyCreate,
    ) {
        let path = self.pod.child(parent.0, name);
        let flags = OFlag::from_bits_truncate(flags);
        let made = path.and_then(|path| View::create(self, &path, mode, flags));
        answer!(reply, made, (found, handle) => reply.created(
            &REMEMBERED, &self.attributes(&found), GENERATION, FileHandle(handle), FopenFlags::empty()));
    }

    fn read(
        &self,
        _: &Request,
        _: INodeNo,
        fh: FileHandle,
        offset: u64,
        size: u32,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyData,
    ) {
        answer!(reply, self.pod.read(fh.0, offset, size), bytes => reply.data(&bytes));
    }

    fn write(
        &self,
        _: &Request,
        _: INodeNo,
        fh: FileHandle,
        offset: u64,
        data: &[u8],
        _: WriteFlags,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyWrite,
    ) {
        answer!(reply, self.pod.write(fh.0, offset, data), count => reply.written(count as u32));
    }

    fn flush(&self, _: &Request, _: INodeNo, _: FileHandle, _: LockOwner, reply: ReplyEmpty) {
        reply.ok();
    }

    fn release(
        &self,
        _: &Request,
        _: INodeNo,
        fh: FileHandle,
        _: OpenFlags,
        _: Option<LockOwner>,
        _: bool,
        reply: ReplyEmpty,
    ) {
        self.pod.handles().close(fh.0);
        reply.ok();
    }

    fn fsync(&self, _: &Request, _: INodeNo, fh: FileHandle, _: bool, reply: ReplyEmpty) {
        let handle = self.pod.handles().get(fh.0);
        let synced = handle.and_then(|handle| nix::unistd::fsync(&file(&handle)?.file));
        answer!(reply, synced, () => reply.ok());
    }

    fn opendir(&self, _: &Request, ino: INodeNo, _: OpenFlags, reply: ReplyOpen) {
        let described = self.pod.describe(ino.0);
        let listing = Handle::Listing(Mutex::default());
        let opened = described.and_then(|_| self.pod.handles().add(listing));
        answer!(reply, opened, handle => reply.opened(FileHandle(handle), FopenFlags::empty()));
    }

    fn readdir(
        &self,
        _: &Request,
        ino: INodeNo,
        fh: FileHandle,
        offset: u64,
        mut reply: ReplyDirectory,
    ) {
        answer!(reply, self.fill(ino.0, fh.0, offset, &mut reply), () => reply.ok());
    }

    fn releasedir(&self, _: &Request, _: INodeNo, fh: FileHandle, _: OpenFlags, reply: ReplyEmpty) {
        self.pod.handles().close(fh.0);
        reply.ok();
    }

    fn statfs(&self, _: &Request, _: INodeNo, reply: ReplyStatfs) {
        answer!(reply, self.pod.backing.space(), space => reply.statfs(
            space.blocks(),
            space.blocks_free(),
            space.blocks_available(),
            space.files(),
            space.files_free(),
            space.block_size() as u32,
            LONGEST_NAME,
            space.fragment_size() as u32,
        ));
    }

    fn access(&self, _: &Request, ino: INodeNo, mask: AccessFlags, reply: ReplyEmpty) {
        let allowed = if ino.0 == ROOT && mask == AccessFlags::F_OK {
            Ok(())
        } else {
            self.may_access(ino.0, mask)
        };
        answer!(reply, allowed, () => reply.ok());
    }
}
