//! What is left of root's powers in a command, and in the processes outside.
use libc::c_ulong;

const CHOWN: u32 = 0;
const DAC_OVERRIDE: u32 = 1;
const DAC_READ_SEARCH: u32 = 2;
const FOWNER: u32 = 3;
const FSETID: u32 = 4;
const KILL: u32 = 5;
const SETGID: u32 = 6;
const SETUID: u32 = 7;
const SETPCAP: u32 = 8;
const NET_BIND_SERVICE: u32 = 10;

/// Docker's default set less NET_RAW, SYS_CHROOT, MKNOD, SETFCAP and AUDIT_WRITE: enough for a package
/// manager, which is why people ask for root.
pub const ROOT: u64 = 1 << CHOWN
    | 1 << DAC_OVERRIDE
    | 1 << FOWNER
    | 1 << FSETID
    | 1 << KILL
    | 1 << SETGID
    | 1 << SETUID
    | 1 << SETPCAP
    | 1 << NET_BIND_SERVICE;

/// What the NFS server needs: to open by handles, to let users have their own files, and to become them.
pub const NFS: u64 = 1 << DAC_OVERRIDE | 1 << DAC_READ_SEARCH | 1 << SETGID | 1 << SETUID;

/// One more than the highest capability that a kernel may know.
const COUNT: u32 = 64;

const VERSION_3: u32 = 0x2008_0522;

#[repr(C)]
struct Header {
    version: u32,
    pid: i32,
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Data {
    effective: u32,
    permitted: u32,
    inheritable: u32,
}

/// This process's permitted set.
pub fn permitted() -> u64 {
    let mut header = Header {
        version: VERSION_3,
        pid: 0,
    };
    let mut data = [Data::default(); 2];
    unsafe { libc::syscall(libc::SYS_capget, &mut header, data.as_mut_ptr()) };
    u64::from(data[0].permitted) | u64::from(data[1].permitted) << 32
}

/// Takes everything but `kept` out of reach of what is executed later. Called between clone and exec:
/// system calls only.
///
/// Lowering the bounding set takes SETPCAP. A process without it has, with no_new_privs, nothing to lose.
pub fn bound(kept: u64, may_lower: bool) -> bool {
    unsafe {
        libc::syscall(
            libc::SYS_prctl,
            libc::PR_CAP_AMBIENT,
            libc::PR_CAP_AMBIENT_CLEAR_ALL,
            0,
            0,
            0,
        );
        if !may_lower {
            return true;
        }
        for capability in (0..COUNT).filter(|c| kept & (1 << c) == 0) {
            let number = c_ulong::from(capability);
            if libc::syscall(libc::SYS_prctl, libc::PR_CAPBSET_DROP, number, 0, 0, 0) != 0 {
                // EINVAL: past the last one that this kernel knows.
                return *libc::__errno_location() == libc::EINVAL;
            }
        }
    }
    true
}

/// Sets what this process may do now; nothing is inheritable. System calls only.
pub fn limit(kept: u64) -> bool {
    let mut header = Header {
        version: VERSION_3,
        pid: 0,
    };
    let half = |bits: u64| Data {
        effective: bits as u32,
        permitted: bits as u32,
        inheritable: 0,
    };
    let data = [half(kept), half(kept >> 32)];
    unsafe { libc::syscall(libc::SYS_capset, &mut header, data.as_ptr()) == 0 }
}

pub fn may_lower_bounding_set(permitted: u64) -> bool {
    permitted & (1 << SETPCAP) != 0
}
