//! The tricks that must lead nowhere.
use super::*;

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
fn every_attack_of_the_documentation_is_a_test() {
    let page = include_str!("../../../../docs/attacks.md");
    let tests = [
        include_str!("attacks.rs"),
        include_str!("work.rs"),
        include_str!("../fuzz.rs"),
        include_str!("../record.rs"),
        include_str!("../../../tests/nfs.rs"),
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
