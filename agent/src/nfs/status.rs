//! How a call ended (RFC 1813, section 2.6).
use std::io::Error;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status(pub u32);

impl Status {
    pub const OK: Status = Status(0);
    pub const PERMISSION: Status = Status(1);
    pub const NO_ENTRY: Status = Status(2);
    pub const IO: Status = Status(5);
    pub const NO_DEVICE: Status = Status(6);
    pub const ACCESS: Status = Status(13);
    pub const EXISTS: Status = Status(17);
    pub const OTHER_DEVICE: Status = Status(18);
    pub const NOT_A_FOLDER: Status = Status(20);
    pub const IS_A_FOLDER: Status = Status(21);
    pub const INVALID: Status = Status(22);
    pub const TOO_LARGE: Status = Status(27);
    pub const NO_SPACE: Status = Status(28);
    pub const READ_ONLY: Status = Status(30);
    pub const TOO_MANY_LINKS: Status = Status(31);
    pub const NAME_TOO_LONG: Status = Status(63);
    pub const NOT_EMPTY: Status = Status(66);
    pub const QUOTA: Status = Status(69);
    pub const STALE: Status = Status(70);
    pub const BAD_HANDLE: Status = Status(10_001);
    pub const NOT_SYNCHRONIZED: Status = Status(10_002);
    pub const BAD_COOKIE: Status = Status(10_003);
    pub const NOT_SUPPORTED: Status = Status(10_004);
    pub const TOO_SMALL: Status = Status(10_005);
    pub const BAD_TYPE: Status = Status(10_007);
    pub const TRY_LATER: Status = Status(10_008);

    /// The error that the last system call of this thread ended with.
    pub fn last() -> Status {
        Error::last_os_error().into()
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Status {
        match error.raw_os_error().unwrap_or(libc::EIO) {
            libc::EPERM => Status::PERMISSION,
            libc::ENOENT => Status::NO_ENTRY,
            libc::ENXIO | libc::ENODEV => Status::NO_DEVICE,
            libc::EACCES => Status::ACCESS,
            libc::EEXIST => Status::EXISTS,
            libc::EXDEV => Status::OTHER_DEVICE,
            libc::ENOTDIR => Status::NOT_A_FOLDER,
            libc::EISDIR => Status::IS_A_FOLDER,
            // A symbolic link where a file or folder is needed.
            libc::EINVAL | libc::ELOOP => Status::INVALID,
            libc::EFBIG | libc::EOVERFLOW => Status::TOO_LARGE,
            libc::ENOSPC => Status::NO_SPACE,
            libc::EROFS => Status::READ_ONLY,
            libc::EMLINK => Status::TOO_MANY_LINKS,
            libc::ENAMETOOLONG => Status::NAME_TOO_LONG,
            libc::ENOTEMPTY => Status::NOT_EMPTY,
            libc::EDQUOT => Status::QUOTA,
            libc::ESTALE => Status::STALE,
            libc::EOPNOTSUPP => Status::NOT_SUPPORTED,
            libc::EAGAIN | libc::EMFILE | libc::ENFILE | libc::ENOMEM | libc::EBUSY => {
                Status::TRY_LATER
            }
            _ => Status::IO,
        }
    }
}
