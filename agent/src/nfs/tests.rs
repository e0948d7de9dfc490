//! Calls as a client makes them, answered in this process; and the tricks that must lead nowhere.
use super::clients::Clients;
use super::export::{Export, Order};
use super::rpc;
use super::server::Server;
use super::status::Status;
use super::xdr::{Reader, Writer};
use std::net::SocketAddr;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

pub const SANDBOX: u32 = 1_001_000;
const CALLER: u32 = 4242;

pub fn is_root() -> bool {
    unsafe { libc::geteuid() == 0 }
}

/// A workspace with something outside beside it.
pub struct Site {
    pub folder: tempfile::TempDir,
    pub server: Server,
}

pub fn order(name: &str, folder: &Path) -> Order {
    let own = std::fs::metadata(folder).unwrap();
    Order {
        name: name.to_owned(),
        folder: folder.to_owned(),
        uid: own.uid(),
        gid: own.gid(),
        key: format!("{:0>64}", name.len()),
        token: None,
        ahead_of_disk: true,
    }
}

impl Site {
    pub fn new() -> Site {
        Site::of(|export| export)
    }

    pub fn of(change: impl Fn(Export) -> Export) -> Site {
        let folder = tempfile::tempdir().unwrap();
        for name in ["work", "other", "outside"] {
            let path = folder.path().join(name);
            std::fs::create_dir(&path).unwrap();
            if is_root() && name != "outside" {
                std::os::unix::fs::chown(&path, Some(SANDBOX), Some(SANDBOX)).unwrap();
            }
        }
        std::fs::write(folder.path().join("outside/secret"), "secret").unwrap();
        let server = Server::new(Clients::parse(&[], false).unwrap()).unwrap();
        for (name, path) in [("one", "work"), ("second", "other")] {
            let export = Export::open(order(name, &folder.path().join(path))).unwrap();
            server.exports.insert(change(export)).unwrap();
        }
        Site { folder, server }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The accepted answer's results; None when the call was not accepted.
    pub fn call(&self, program: u32, procedure: u32, arguments: &Writer) -> Option<Vec<u8>> {
        let answer = self.raw(&call(program, procedure, arguments))?;
        let mut reader = Reader::new(&answer[4..]);
        let mut head = [0; 6];
        for word in &mut head {
            *word = reader.u32().ok()?;
        }
        (head[2] == 0 && head[5] == 0).then(|| answer[28..].to_vec())
    }

    pub fn raw(&self, record: &[u8]) -> Option<Vec<u8>> {
        let peer = SocketAddr::from(([127, 0, 0, 1], 40_000));
        let mut out = Writer::default();
        self.server.answer(peer, record, &mut out).ok()?;
        Some(out.as_slice().to_vec())
    }

    pub fn mount(&self, path: &str) -> Result<Vec<u8>, Status> {
        let mut arguments = Writer::default();
        arguments.opaque(path.as_bytes());
        let results = self.call(rpc::MOUNT, 1, &arguments).unwrap();
        let mut reader = Reader::new(&results);
        match Status(reader.u32().unwrap()) {
            Status::OK => Ok(reader.opaque(64).unwrap().to_vec()),
            status => Err(status),
        }
    }

    /// A call of NFS: what follows its status.
    fn nfs(&self, procedure: u32, arguments: &Writer) -> Result<Vec<u8>, Status> {
        let results = self.call(rpc::NFS, procedure, arguments).unwrap();
        match Status(Reader::new(&results).u32().unwrap()) {
            Status::OK => Ok(results[4..].to_vec()),
            status => Err(status),
        }
    }

    fn lookup(&self, folder: &[u8], name: &str) -> Result<Vec<u8>, Status> {
        let results = self.nfs(3, &named(folder, name))?;
        Ok(Reader::new(&results).opaque(64).unwrap().to_vec())
    }

    fn create(&self, folder: &[u8], name: &str, mode: u32) -> Result<Vec<u8>, Status> {
        let mut arguments = named(folder, name);
        arguments.u32(1);
        wanted(&mut arguments, Some(mode), None);
        self.made(8, &arguments)
    }

    fn made(&self, procedure: u32, arguments: &Writer) -> Result<Vec<u8>, Status> {
        let results = self.nfs(procedure, arguments)?;
        let mut reader = Reader::new(&results);
        assert!(reader.boolean().unwrap());
        Ok(reader.opaque(64).unwrap().to_vec())
    }

    fn write(&self, file: &[u8], offset: u64, data: &[u8]) -> Result<(), Status> {
        let mut arguments = Writer::default();
        arguments.opaque(file);
        arguments.u64(offset);
        arguments.u32(data.len() as u32);
        arguments.u32(2);
        arguments.opaque(data);
        self.nfs(7, &arguments).map(|_| ())
    }

    fn read(&self, file: &[u8], offset: u64, count: u32) -> Result<(Vec<u8>, bool), Status> {
        let mut arguments = Writer::default();
        arguments.opaque(file);
        arguments.u64(offset);
        arguments.u32(count);
        let results = self.nfs(6, &arguments)?;
        let mut reader = Reader::new(&results);
        assert!(reader.boolean().unwrap());
        reader.fixed(84).unwrap();
        let count = reader.u32().unwrap();
        let at_end = reader.boolean().unwrap();
        let data = reader.opaque(count as usize).unwrap();
        assert_eq!(data.len(), count as usize);
        Ok((data.to_vec(), at_end))
    }

    /// Type, mode, links, uid, gid, size.
    fn attributes(&self, file: &[u8]) -> Result<[u64; 6], Status> {
        let results = self.nfs(1, &only(file))?;
        let mut reader = Reader::new(&results);
        let mut words = [0; 6];
        for word in &mut words[..5] {
            *word = u64::from(reader.u32().unwrap());
        }
        words[5] = reader.u64().unwrap();
        Ok(words)
    }

    fn names(&self, folder: &[u8], procedure: u32, most: u32) -> Result<Vec<String>, Status> {
        let mut names = Vec::new();
        let mut cookie = 0;
        loop {
            let mut arguments = only(folder);
            arguments.u64(cookie);
            arguments.u64(0);
            arguments.u32(most);
            if procedure == 17 {
                arguments.u32(most);
            }
            let results = self.nfs(procedure, &arguments)?;
            let mut reader = Reader::new(&results);
            assert!(reader.boolean().unwrap());
            reader.fixed(84 + 8).unwrap();
            while reader.boolean().unwrap() {
                reader.u64().unwrap();
                names.push(String::from_utf8(reader.opaque(255).unwrap().to_vec()).unwrap());
                cookie = reader.u64().unwrap();
                if procedure == 17 {
                    if reader.boolean().unwrap() {
                        reader.fixed(84).unwrap();
                    }
                    if reader.boolean().unwrap() {
                        reader.opaque(64).unwrap();
                    }
                }
            }
            if reader.boolean().unwrap() {
                names.sort();
                return Ok(names);
            }
        }
    }
}

pub fn call(program: u32, procedure: u32, arguments: &Writer) -> Vec<u8> {
    let mut out = Writer::default();
    for word in [
        7, 0, 2, program, 3, procedure, 1, 24, 0, 0, CALLER, CALLER, 0,
    ] {
        out.u32(word);
    }
    // The credential above: no machine name, two ids, no groups, and four bytes of filling.
    out.u32(0);
    for word in [0, 0] {
        out.u32(word);
    }
    out.fixed(arguments.as_slice());
    out.as_slice().to_vec()
}

pub fn only(file: &[u8]) -> Writer {
    let mut out = Writer::default();
    out.opaque(file);
    out
}

pub fn named(folder: &[u8], name: &str) -> Writer {
    let mut out = only(folder);
    out.opaque(name.as_bytes());
    out
}

pub fn wanted(out: &mut Writer, mode: Option<u32>, size: Option<u64>) {
    out.boolean(mode.is_some());
    mode.into_iter().for_each(|mode| out.u32(mode));
    out.boolean(false);
    out.boolean(false);
    out.boolean(size.is_some());
    size.into_iter().for_each(|size| out.u64(size));
    out.u32(0);
    out.u32(0);
}

fn linked(file: &[u8], folder: &[u8], name: &str) -> Writer {
    let mut out = only(file);
    out.opaque(folder);
    out.opaque(name.as_bytes());
    out
}

fn renamed(from: &[u8], old: &str, to: &[u8], new: &str) -> Writer {
    let mut out = named(from, old);
    out.opaque(to);
    out.opaque(new.as_bytes());
    out
}

#[test]
fn what_is_written_outside_is_there_inside_and_the_other_way() {
    for table in [false, true] {
        let site = Site::of(|e| if table { e.with_table() } else { e });
        let root = site.mount("/one").unwrap();
        let file = site.create(&root, "a", 0o640).unwrap();
        site.write(&file, 0, b"hello").unwrap();
        site.write(&file, 5, b" world").unwrap();
        assert_eq!(std::fs::read(site.path("work/a")).unwrap(), b"hello world");
        std::fs::write(site.path("work/b"), "from inside").unwrap();
        let b = site.lookup(&root, "b").unwrap();
        assert_eq!(site.read(&b, 5, 100), Ok((b"inside".to_vec(), true)));
        assert_eq!(site.read(&b, 0, 4), Ok((b"from".to_vec(), false)));
        assert_eq!(site.read(&b, 99, 4), Ok((Vec::new(), true)));
        assert_eq!(
            site.attributes(&file),
            Ok([1, 0o640, 1, CALLER.into(), CALLER.into(), 11])
        );
        assert_eq!(site.names(&root, 16, 4096).unwrap(), [".", "..", "a", "b"]);
    }
}

#[test]
fn a_long_list_comes_in_parts_without_a_gap() {
    let site = Site::new();
    let root = site.mount("/one").unwrap();
    let mut expected = vec![".".to_owned(), "..".to_owned()];
    for number in 0..500 {
        let name = format!("file-{number:04}");
        std::fs::write(site.path("work").join(&name), "").unwrap();
        expected.push(name);
    }
    assert_eq!(site.names(&root, 16, 1024).unwrap(), expected);
    assert_eq!(site.names(&root, 17, 4096).unwrap(), expected);
    assert_eq!(site.names(&root, 17, 64), Err(Status::TOO_SMALL));
}

#[test]
fn names_are_linked_moved_and_removed() {
    for table in [false, true] {
        let site = Site::of(|e| if table { e.with_table() } else { e });
        let root = site.mount("/one").unwrap();
        let mut arguments = named(&root, "folder");
        wanted(&mut arguments, Some(0o755), None);
        let folder = site.made(9, &arguments).unwrap();
        let file = site.create(&root, "a", 0o644).unwrap();
        site.nfs(15, &linked(&file, &folder, "hard")).unwrap();
        assert_eq!(site.attributes(&file).unwrap()[2], 2);
        site.nfs(14, &renamed(&root, "a", &folder, "moved"))
            .unwrap();
        site.write(&file, 0, b"still the same").unwrap();
        assert_eq!(
            std::fs::read(site.path("work/folder/moved")).unwrap(),
            b"still the same"
        );
        let full = site.nfs(13, &named(&root, "folder"));
        assert_eq!(full, Err(Status::NOT_EMPTY));
        site.nfs(12, &named(&folder, "moved")).unwrap();
        site.nfs(12, &named(&folder, "hard")).unwrap();
        site.nfs(13, &named(&root, "folder")).unwrap();
        let gone = site.attributes(&file).unwrap_err();
        assert_eq!(gone, Status::STALE);
    }
}

#[test]
fn a_file_that_was_made_read_only_is_written_on() {
    let site = Site::new();
    let root = site.mount("/one").unwrap();
    let file = site.create(&root, "object", 0o444).unwrap();
    site.write(&file, 0, b"one").unwrap();
    site.write(&file, 3, b"two").unwrap();
    assert_eq!(site.read(&file, 0, 9).unwrap().0, b"onetwo");
}

#[test]
fn an_exclusive_create_that_is_repeated_gives_the_same_file() {
    let site = Site::new();
    let root = site.mount("/one").unwrap();
    let exclusive = |number: u64| {
        let mut arguments = named(&root, "lock");
        arguments.u32(2);
        arguments.u64(number);
        site.made(8, &arguments)
    };
    let made = exclusive(5).unwrap();
    assert_eq!(exclusive(5), Ok(made));
    assert_eq!(exclusive(6), Err(Status::EXISTS));
}

#[test]
fn attributes_are_set_and_owners_are_not() {
    let site = Site::new();
    let root = site.mount("/one").unwrap();
    let file = site.create(&root, "a", 0o644).unwrap();
    let mut arguments = only(&file);
    wanted(&mut arguments, Some(0o600), Some(3));
    arguments.boolean(false);
    site.nfs(2, &arguments).unwrap();
    let attributes = site.attributes(&file).unwrap();
    assert_eq!((attributes[1], attributes[5]), (0o600, 3));
    let chown = |uid: u32| {
        let mut arguments = only(&file);
        arguments.boolean(false);
        arguments.boolean(true);
        arguments.u32(uid);
        for word in [0, 0, 0, 0, 0] {
            arguments.u32(word);
        }
        site.nfs(2, &arguments).map(|_| ())
    };
    assert_eq!(chown(CALLER), Ok(()));
    assert_eq!(chown(0), Err(Status::PERMISSION));
}

#[test]
fn names_that_are_paths_are_refused() {
    let site = Site::new();
    let root = site.mount("/one").unwrap();
    for name in ["../outside/secret", "/etc/passwd", "a/b", "", "x\0y"] {
        assert!(site.lookup(&root, name).is_err(), "{name:?}");
        assert!(site.create(&root, name, 0o644).is_err(), "{name:?}");
        assert!(site.nfs(12, &named(&root, name)).is_err(), "{name:?}");
    }
    for name in ["..", "."] {
        assert!(site.create(&root, name, 0o644).is_err());
        assert!(site.nfs(13, &named(&root, name)).is_err());
        assert!(site.nfs(14, &renamed(&root, name, &root, "x")).is_err());
    }
    assert_eq!(site.lookup(&root, ".."), Ok(root.clone()), "nothing above");
    let long = "n".repeat(256);
    assert_eq!(site.lookup(&root, &long), Err(Status::NAME_TOO_LONG));
    for path in [
        "/one/../other",
        "/one/../../etc",
        "/../../../etc/passwd",
        "/one/..",
        "/",
        "",
        "/nobody",
        "/etc",
    ] {
        assert!(site.mount(path).is_err(), "{path}");
    }
}

#[test]
fn the_way_up_ends_at_the_export() {
    let site = Site::new();
    let root = site.mount("/one").unwrap();
    std::fs::create_dir_all(site.path("work/a/b")).unwrap();
    let a = site.lookup(&root, "a").unwrap();
    let b = site.lookup(&a, "b").unwrap();
    assert_eq!(site.lookup(&b, ".."), Ok(a.clone()));
    assert_eq!(site.lookup(&a, ".."), Ok(root.clone()));
    assert_eq!(site.lookup(&root, ".."), Ok(root));
    // A folder that has left the export, which a sandbox cannot bring about.
    std::fs::rename(site.path("work/a"), site.path("outside/a")).unwrap();
    assert_eq!(site.lookup(&a, ".."), Err(Status::ACCESS));
}

#[test]
fn a_link_is_told_and_never_followed() {
    let site = Site::new();
    let root = site.mount("/one").unwrap();
    symlink(site.path("outside"), site.path("work/out")).unwrap();
    symlink("/proc/self/root", site.path("work/magic")).unwrap();
    symlink(site.path("outside/secret"), site.path("work/file")).unwrap();
    for name in ["out", "magic", "file"] {
        let link = site.lookup(&root, name).unwrap();
        assert_eq!(site.attributes(&link).unwrap()[0], 5, "{name} is a link");
        assert!(site.lookup(&link, "secret").is_err());
        assert!(site.create(&link, "new", 0o644).is_err());
        assert!(site.read(&link, 0, 10).is_err());
        assert!(site.write(&link, 0, b"x").is_err());
        assert!(site.names(&link, 16, 4096).is_err());
        assert!(site.mount(&format!("/one/{name}")).is_err());
        let mut arguments = named(&root, name);
        arguments.u32(0);
        wanted(&mut arguments, None, Some(0));
        assert_eq!(site.made(8, &arguments), Err(Status::EXISTS));
    }
    let names: Vec<_> = std::fs::read_dir(site.path("outside")).unwrap().collect();
    assert_eq!(names.len(), 1);
    assert_eq!(
        std::fs::read(site.path("outside/secret")).unwrap(),
        b"secret"
    );
}

#[test]
fn a_folder_that_is_swapped_for_a_link_leads_nowhere() {
    for table in [false, true] {
        let site = Site::of(|e| if table { e.with_table() } else { e });
        let root = site.mount("/one").unwrap();
        std::fs::create_dir(site.path("work/real")).unwrap();
        std::fs::write(site.path("work/real/secret"), "inside").unwrap();
        if is_root() {
            let real = site.path("work/real");
            std::os::unix::fs::chown(real, Some(SANDBOX), Some(SANDBOX)).unwrap();
        }
        symlink(site.path("outside"), site.path("work/link")).unwrap();
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                // Two names change places in one step, again and again.
                let (a, b) = (site.path("work/real"), site.path("work/link"));
                let text = |path: &Path| std::ffi::CString::new(path.to_str().unwrap()).unwrap();
                let (a, b) = (text(&a), text(&b));
                while !stop.load(Ordering::Relaxed) {
                    unsafe {
                        libc::renameat2(
                            libc::AT_FDCWD,
                            a.as_ptr(),
                            libc::AT_FDCWD,
                            b.as_ptr(),
                            libc::RENAME_EXCHANGE,
                        );
                    }
                }
            });
            for round in 0..2000 {
                if let Ok(folder) = site.lookup(&root, "real") {
                    if let Ok(secret) = site.lookup(&folder, "secret")
                        && let Ok((data, _)) = site.read(&secret, 0, 100)
                    {
                        assert_eq!(data, b"inside");
                    }
                    let _ = site.create(&folder, &format!("new-{round}"), 0o644);
                    let _ = site.nfs(12, &named(&folder, &format!("new-{round}")));
                }
                let _ = site.mount("/one/real");
            }
            stop.store(true, Ordering::Relaxed);
        });
        let names: Vec<_> = std::fs::read_dir(site.path("outside")).unwrap().collect();
        assert_eq!(names.len(), 1);
    }
}

#[test]
fn a_handle_is_worth_nothing_elsewhere() {
    let site = Site::new();
    let root = site.mount("/one").unwrap();
    let file = site.create(&root, "a", 0o644).unwrap();
    let other = site.mount("/second").unwrap();
    // The same file under the other export's number.
    let mut carried = file.clone();
    carried[1..9].copy_from_slice(&other[1..9]);
    assert_eq!(site.attributes(&carried), Err(Status::BAD_HANDLE));
    assert_eq!(site.read(&carried, 0, 1), Err(Status::BAD_HANDLE));
    for bit in 0..file.len() * 8 {
        let mut forged = file.clone();
        forged[bit / 8] ^= 1 << (bit % 8);
        assert!(site.attributes(&forged).is_err(), "bit {bit}");
    }
    let across = site.nfs(14, &renamed(&root, "a", &other, "a"));
    assert_eq!(across, Err(Status::OTHER_DEVICE));
    let across = site.nfs(15, &linked(&file, &other, "a"));
    assert_eq!(across, Err(Status::OTHER_DEVICE));
    let forged = &site.server.counters.forged_handles;
    assert!(forged.load(Ordering::Relaxed) > 100);
}

#[test]
fn files_of_others_keep_their_owners_and_their_secrets() {
    if !is_root() {
        println!("skipped: only root can give files to others");
        return;
    }
    let site = Site::new();
    let root = site.mount("/one").unwrap();
    std::fs::write(site.path("work/roots"), "root's").unwrap();
    let mode = |mode| std::fs::Permissions::from_mode(mode);
    std::fs::set_permissions(site.path("work/roots"), mode(0o600)).unwrap();
    let roots = site.lookup(&root, "roots").unwrap();
    assert_eq!(site.attributes(&roots).unwrap()[3], u64::from(rpc::NOBODY));
    assert_eq!(site.read(&roots, 0, 9), Err(Status::ACCESS));
    assert_eq!(site.write(&roots, 0, b"x"), Err(Status::ACCESS));
    std::fs::create_dir(site.path("work/closed")).unwrap();
    std::fs::set_permissions(site.path("work/closed"), mode(0o700)).unwrap();
    let closed = site.lookup(&root, "closed").unwrap();
    assert_eq!(site.names(&closed, 16, 4096), Err(Status::ACCESS));
    assert_eq!(site.create(&closed, "a", 0o644), Err(Status::ACCESS));
    let made = site.create(&root, "own", 0o644).unwrap();
    assert_eq!(site.attributes(&made).unwrap()[3], u64::from(CALLER));
    let own = std::fs::metadata(site.path("work/own")).unwrap();
    assert_eq!((own.uid(), own.gid()), (SANDBOX, SANDBOX));
}

#[test]
fn devices_are_nobodys_to_make() {
    let site = Site::new();
    let root = site.mount("/one").unwrap();
    let special = |kind: u32| {
        let mut arguments = named(&root, &format!("special-{kind}"));
        arguments.u32(kind);
        wanted(&mut arguments, Some(0o666), None);
        arguments.u64(0);
        site.made(11, &arguments).map(|_| ())
    };
    assert_eq!(special(3), Err(Status::PERMISSION));
    assert_eq!(special(4), Err(Status::PERMISSION));
    assert_eq!(special(7), Ok(()));
    let fifo = site.lookup(&root, "special-7").unwrap();
    assert_eq!(site.read(&fifo, 0, 1), Err(Status::INVALID), "and no wait");
}

#[test]
fn handles_outlive_a_restart_and_the_verifier_does_not() {
    let site = Site::new();
    let root = site.mount("/one").unwrap();
    let file = site.create(&root, "a", 0o644).unwrap();
    site.write(&file, 0, b"kept").unwrap();
    let again = Server::new(Clients::parse(&[], false).unwrap()).unwrap();
    again.exports.add(order("one", &site.path("work"))).unwrap();
    assert_ne!(again.verifier, site.server.verifier);
    let site = Site {
        server: again,
        folder: site.folder,
    };
    assert_eq!(site.read(&file, 0, 9).unwrap().0, b"kept");
}

#[test]
fn an_export_that_was_removed_holds_nothing_open() {
    let site = Site::new();
    let root = site.mount("/one").unwrap();
    let file = site.create(&root, "a", 0o644).unwrap();
    assert_eq!(site.server.exports.descriptors.count(), 1);
    site.server.exports.remove("one").unwrap();
    assert_eq!(site.server.exports.descriptors.count(), 0);
    assert_eq!(site.attributes(&file), Err(Status::STALE));
    assert_eq!(site.mount("/one"), Err(Status::NO_ENTRY));
    site.server.exports.remove("one").unwrap();
}

#[test]
fn beyond_loopback_a_mount_takes_the_token() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("sub")).unwrap();
    let clients = Clients::parse(&["127.0.0.0/8".to_owned()], true).unwrap();
    let server = Server::new(clients).unwrap();
    let mut order = order("one", folder.path());
    order.token = Some("0123456789abcdef".to_owned());
    server.exports.add(order).unwrap();
    let mount = |path: &str, port: u16| {
        let mut arguments = Writer::default();
        arguments.opaque(path.as_bytes());
        let mut out = Writer::default();
        let peer = SocketAddr::from(([127, 0, 0, 1], port));
        let record = call(rpc::MOUNT, 1, &arguments);
        server.answer(peer, &record, &mut out).ok()?;
        Reader::new(&out.as_slice()[28..]).u32().ok()
    };
    assert_eq!(mount("/one/0123456789abcdef", 700), Some(0));
    assert_eq!(mount("/one/0123456789abcdef/sub", 700), Some(0));
    for wrong in [
        "/one",
        "/one/0123456789abcdee",
        "/one/sub",
        "/two/x",
        "/one/0123456789abcdeff",
    ] {
        assert_eq!(mount(wrong, 700), Some(13), "{wrong}");
    }
    assert_eq!(mount("/one/0123456789abcdef", 40_000), None);
}

#[test]
fn nobody_is_told_which_exports_there_are() {
    let site = Site::new();
    for procedure in [2, 5] {
        let list = site.call(rpc::MOUNT, procedure, &Writer::default());
        assert_eq!(list, Some(vec![0, 0, 0, 0]));
    }
}

#[test]
fn the_space_is_that_of_the_disk() {
    let site = Site::new();
    let root = site.mount("/one").unwrap();
    let results = site.nfs(18, &only(&root)).unwrap();
    let total = Reader::new(&results[88..]).u64().unwrap();
    let all = nix_space(&site.path("work"));
    assert_eq!(total, all);
    for procedure in [19, 20] {
        site.nfs(procedure, &only(&root)).unwrap();
    }
}

fn nix_space(path: &Path) -> u64 {
    let path = std::ffi::CString::new(path.to_str().unwrap()).unwrap();
    let mut all: libc::statvfs = unsafe { std::mem::zeroed() };
    assert_eq!(unsafe { libc::statvfs(path.as_ptr(), &raw mut all) }, 0);
    all.f_blocks * all.f_frsize
}

#[test]
fn locks_and_other_versions_are_refused_clearly() {
    const LOCKS: u32 = 100_021;
    const NO_SUCH_PROGRAM: u32 = 1;
    const NO_SUCH_VERSION: u32 = 2;
    const NO_SUCH_PROCEDURE: u32 = 3;
    let site = Site::new();
    let state = |record: Vec<u8>| {
        let answer = site.raw(&record).unwrap();
        Reader::new(&answer[24..]).u32().unwrap()
    };
    let empty = Writer::default();
    assert_eq!(state(call(LOCKS, 0, &empty)), NO_SUCH_PROGRAM);
    assert_eq!(state(call(rpc::NFS, 22, &empty)), NO_SUCH_PROCEDURE);
    let mut fourth = call(rpc::NFS, 0, &empty);
    fourth[19] = 4;
    assert_eq!(state(fourth), NO_SUCH_VERSION);
}

#[test]
fn every_attack_of_the_documentation_is_a_test() {
    let page = include_str!("../../../docs/attacks.md");
    let tests = [
        include_str!("tests.rs"),
        include_str!("fuzz.rs"),
        include_str!("record.rs"),
        include_str!("../../tests/nfs.rs"),
    ];
    let (_, mounts) = page.split_once("## Mounts").unwrap();
    let names: Vec<&str> = mounts
        .lines()
        .filter_map(|line| line.strip_prefix("- `")?.split('`').next())
        .collect();
    assert!(names.len() > 10);
    for name in names {
        let function = format!("fn {name}() {{");
        let found = tests.iter().any(|file| file.contains(&function));
        assert!(found, "there is no test {name}");
    }
}
