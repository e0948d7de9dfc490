//! What an ordinary client does.
use super::*;

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
