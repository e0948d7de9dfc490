//! A Pod's folder inside a real sandbox, by the real supervisor, bubblewrap and kernel.
mod support;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};
use support::bubble::{Bubble, UID_BASE, missing};
use support::wire::process_down::Message;
use support::{alive, shell, wait_until};

/// The Pod's owner on the host.
const OWNER: u32 = 4242;

macro_rules! needs_fuse {
    () => {
        if let Some(reason) = missing() {
            println!("skipped: {reason}");
            return;
        }
        if !Path::new("/dev/fuse").exists() {
            println!("skipped: there is no /dev/fuse");
            return;
        }
    };
}

struct PodBubble {
    bubble: Bubble,
    pod: tempfile::TempDir,
}

impl PodBubble {
    fn start(files: &[&str], acls: Value) -> PodBubble {
        let pod = tempfile::tempdir().unwrap();
        let bubble = Bubble::prepare(json!({"dieWithParent": true}));
        let view = bubble.folder.path().join("view");
        fs::create_dir_all(view.join("mount")).unwrap();
        fs::set_permissions(&view, fs::Permissions::from_mode(0o711)).unwrap();
        let spec = bubble.folder.path().join("spec.json");
        let mut text: Value = serde_json::from_slice(&fs::read(&spec).unwrap()).unwrap();
        text["view"] = json!({"folder": pod.path(), "uid": UID_BASE + 1000});
        let bind = json!({"source": view.join("mount"), "target": "/pod"});
        text["binds"].as_array_mut().unwrap().push(bind);
        fs::write(&spec, text.to_string()).unwrap();
        let started = PodBubble { bubble, pod };
        for name in files {
            started.put(name);
        }
        chown(started.pod.path(), Some(OWNER), Some(OWNER)).unwrap();
        started.grant(acls);
        let output = started.bubble.supervise();
        assert!(output.status.success(), "{output:?}");
        assert!(started.bubble.relay.has_agent_soon());
        started
    }

    fn on_host(&self, name: &str) -> PathBuf {
        self.pod.path().join(name)
    }

    /// A file with its own name in it, or a folder.
    fn put(&self, name: &str) {
        let path = self.on_host(name);
        let mut made = vec![path.clone()];
        if name.ends_with('/') {
            fs::create_dir_all(&path).unwrap();
        } else {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, name).unwrap();
        }
        made.extend(path.ancestors().map(Path::to_owned));
        for path in made.iter().filter(|path| path.starts_with(self.pod.path())) {
            chown(path, Some(OWNER), Some(OWNER)).unwrap();
        }
    }

    fn grant(&self, acls: Value) {
        self.write_table(&json!({"leaseSeconds": 60, "within": null, "acls": acls}).to_string());
    }

    fn write_table(&self, text: &str) {
        let folder = self.bubble.folder.path().join("view");
        fs::write(folder.join("part"), text).unwrap();
        fs::rename(folder.join("part"), folder.join("rights.json")).unwrap();
    }

    fn out(&self, line: &str) -> String {
        self.bubble.relay.run(shell(line)).finish().out()
    }

    fn code(&self, line: &str) -> i32 {
        self.bubble.relay.run(shell(line)).finish().code()
    }

    fn refuses(&self, lines: &[&str]) {
        for line in lines {
            assert_ne!(self.code(line), 0, "{line}");
        }
    }

    /// Children of the supervisor: bubblewrap and the view.
    fn view_process(&self) -> i32 {
        let supervisor = self.bubble.supervisor();
        let children = format!("/proc/{supervisor}/task/{supervisor}/children");
        let children = fs::read_to_string(children).unwrap();
        let is_view = |pid: &&str| {
            let name = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
            name.trim() == "bivouac-agent"
        };
        let view = children.split_ascii_whitespace().find(is_view).unwrap();
        view.parse().unwrap()
    }
}

#[test]
fn each_resource_is_there_as_far_as_its_nearest_acl_says() {
    needs_fuse!();
    let files = [
        "card",
        "shared/a",
        "shared/run",
        "shared/private/b",
        "shared/private/note$.ttl",
        "log",
        "shared/.acl",
        "shared/a.meta",
        ".secrets/token",
        ".terminal/config",
        "drop/old",
    ];
    let sandbox = PodBubble::start(
        &files,
        json!({
            "/": {"own": "r", "below": "r"},
            "/shared/": {"own": "rw", "below": "rw"},
            "/shared/private/": {"own": "", "below": ""},
            "/shared/private/note": {"own": "r"},
            "/log": {"own": "ra"},
            "/drop/": {"own": "a", "below": "a"},
        }),
    );
    assert_eq!(sandbox.out("cat /pod/card"), "card");
    assert_eq!(
        sandbox.out("ls -A /pod | tr '\\n' ' '"),
        "card drop log shared "
    );
    assert_eq!(
        sandbox.out("ls -A /pod/shared | tr '\\n' ' '"),
        "a private run "
    );
    assert_eq!(sandbox.out("ls -A /pod/shared/private"), "note$.ttl\n");
    assert_eq!(
        sandbox.out("cat '/pod/shared/private/note$.ttl'"),
        "shared/private/note$.ttl"
    );
    // Written by whom the sandbox knows as itself, for whom the host knows as the Pod's owner.
    let wrote = "cd /pod/shared && echo new > a && mkdir -p d/e && echo x > d/e/f && chmod +x run && stat -c '%u %a' a run";
    assert_eq!(sandbox.out(wrote), "1000 600\n1000 700\n");
    assert_eq!(
        fs::read_to_string(sandbox.on_host("shared/a")).unwrap(),
        "new\n"
    );
    for made in ["shared/d", "shared/d/e/f", "shared/a"] {
        assert_eq!(fs::metadata(sandbox.on_host(made)).unwrap().uid(), OWNER);
    }
    assert_eq!(
        sandbox.out("cd /pod/shared && mv d/e/f g && rm a && rm -r d && ls"),
        "g\nprivate\nrun\n"
    );
    // Appending adds at the end, and makes new files; it neither changes nor removes.
    assert_eq!(
        sandbox.out("echo more >> /pod/log; cat /pod/log"),
        "logmore\n"
    );
    assert_eq!(
        sandbox.code("echo one > /pod/drop/new && echo two >> /pod/drop/new"),
        0
    );
    assert_eq!(
        fs::read_to_string(sandbox.on_host("drop/new")).unwrap(),
        "one\ntwo\n"
    );
    sandbox.refuses(&[
        "echo x > /pod/card",
        "echo x > /pod/new",
        "rm -f /pod/card",
        "chmod +x /pod/card",
        "cat /pod/shared/private/b",
        "ls /pod/shared/private/b",
        "echo x > /pod/shared/private/b",
        "echo x > /pod/shared/private/c",
        "rm -r /pod/shared/private",
        "mv /pod/shared/private /pod/shared/public",
        "mv /pod/card /pod/shared/card",
        "cat /pod/drop/old",
        "echo x > /pod/log",
        "truncate -s 0 /pod/log",
        "rm -f /pod/log",
        "rm -f /pod/drop/new",
        "dd if=/dev/zero of=/pod/log bs=1 count=1 conv=notrunc",
        "chmod u+s /pod/shared/run",
        "chown 0 /pod/shared/run",
        "mkfifo /pod/shared/pipe",
        "mknod /pod/shared/null c 1 3",
        "cd /pod/shared && python3 -c 'import os; os.setxattr(\"run\", \"user.a\", b\"x\")'",
        "cat /pod/../pod/.secrets/token",
        "cat /pod/.terminal/config",
    ]);
    assert!(sandbox.on_host("shared/private/b").exists());
    assert_eq!(fs::read_to_string(sandbox.on_host("card")).unwrap(), "card");
}

#[test]
fn who_may_use_the_pod_is_never_the_sessions_to_say() {
    needs_fuse!();
    let files = ["a", ".acl", "a.acl", ".meta", ".secrets/token", "d/x"];
    let sandbox = PodBubble::start(&files, json!({"/": {"own": "rw", "below": "rw"}}));
    assert_eq!(sandbox.out("ls -A /pod | tr '\\n' ' '"), "a d ");
    sandbox.refuses(&[
        "cat /pod/.acl",
        "echo x > /pod/.acl",
        "echo x > /pod/d/.acl",
        "echo x > '/pod/d/.acl$.ttl'",
        "echo x > /pod/b.acl",
        "echo x > /pod/d/.meta",
        "echo x > /pod/d/.ACR",
        "mkdir /pod/.acl",
        "mkdir /pod/d/.secrets",
        "mkdir /pod/d/.acl",
        "mv /pod/a /pod/d/.acl",
        "mv /pod/a /pod/a.acl",
        "mv /pod/d /pod/.secrets",
        "ln /pod/a /pod/d/.acl",
        "ln /pod/a /pod/b",
        "ln -s a /pod/d/.acl",
        "ln -s a /pod/b",
        "cp /pod/a /pod/d/.acl",
        "rm -f /pod/.acl && test ! -e /pod/a",
    ]);
    for kept in files {
        assert_eq!(fs::read_to_string(sandbox.on_host(kept)).unwrap(), kept);
    }
    assert_eq!(fs::read_dir(sandbox.on_host("d")).unwrap().count(), 1);
}

#[test]
fn links_lead_to_what_is_granted_and_nowhere_else() {
    needs_fuse!();
    let outside = tempfile::tempdir().unwrap();
    support::open_to_all(outside.path());
    fs::write(outside.path().join("secret"), "secret").unwrap();
    let sandbox = PodBubble::start(
        &["shared/a", "private/b"],
        json!({"/shared/": {"own": "rw", "below": "rw"}}),
    );
    let shared = sandbox.on_host("shared");
    symlink(outside.path(), shared.join("out")).unwrap();
    symlink("/etc/passwd", shared.join("passwd")).unwrap();
    symlink("../../../../../../etc/passwd", shared.join("far")).unwrap();
    symlink("../private/b", shared.join("forbidden")).unwrap();
    symlink("a", shared.join("good")).unwrap();
    symlink(
        outside.path().join("secret"),
        sandbox.on_host("shared/file"),
    )
    .unwrap();
    assert_eq!(sandbox.out("cat /pod/shared/good"), "shared/a");
    assert_eq!(
        sandbox.out("ls /pod/shared | tr '\\n' ' '"),
        "a forbidden good "
    );
    sandbox.refuses(&[
        "cat /pod/shared/out/secret",
        "cat /pod/shared/passwd",
        "cat /pod/shared/far",
        "cat /pod/shared/forbidden",
        "cat /pod/shared/file",
        "echo x > /pod/shared/file",
        "echo x > /pod/shared/out/new",
        "cat /pod/shared/../private/b",
        "cat /pod/private/b",
    ]);
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
    // The attack works where the host follows the link: it is the view that does not.
    assert_eq!(fs::read_to_string(shared.join("file")).unwrap(), "secret");
}

#[test]
fn a_right_that_is_withdrawn_is_gone_from_open_files_and_memory_too() {
    needs_fuse!();
    let all = json!({"/": {"own": "rw", "below": "rw"}});
    let sandbox = PodBubble::start(&["open", "mapped", "kept"], all.clone());
    let program = "
import mmap, os, signal, sys, time
f = open('/pod/open', 'r+'); f.read()
m = mmap.mmap(os.open('/pod/mapped', os.O_RDONLY), 0, prot=mmap.PROT_READ); m[0]
print('ready', flush=True); sys.stdin.readline()
for what in (lambda: os.pread(f.fileno(), 4, 0), lambda: os.pwrite(f.fileno(), b'x', 0), lambda: os.fstat(f.fileno()), lambda: open('/pod/open')):
    try: what(); print('still there')
    except OSError as e: print(e.strerror)
sys.stdout.flush()
if os.fork() == 0:
    m[0]; print('still mapped', flush=True); os._exit(0)
print(os.WTERMSIG(os.wait()[1]) == signal.SIGBUS)
";
    let mut run = support::argv(&["python3", "-c", program]);
    run.stdin = true;
    let mut running = sandbox.bubble.relay.run(run);
    running.read("ready\n".len());
    sandbox.grant(json!({"/kept": {"own": "r"}}));
    wait_until("the right is withdrawn", || {
        sandbox.out("ls /pod") == "kept\n"
    });
    running.send(Message::Stdin(b"go\n".as_slice().into()));
    let denied = "Permission denied\n";
    let gone = "No such file or directory\n";
    assert_eq!(
        running.finish().out(),
        format!("{denied}{denied}{denied}{gone}True\n")
    );
    sandbox.grant(all);
    wait_until("the right is back", || {
        sandbox.out("cat /pod/open") == "open"
    });
    for unreadable in [
        "",
        "{}",
        "{\"leaseSeconds\": 60, \"acls\": {\"/\": {\"own\": \"x\"}}}",
    ] {
        sandbox.write_table(unreadable);
        wait_until("nothing is visible", || sandbox.out("ls /pod").is_empty());
        sandbox.grant(json!({"/kept": {"own": "r"}}));
        wait_until("it is back", || sandbox.out("ls /pod") == "kept\n");
    }
    let over = json!({"leaseSeconds": 1, "within": null, "acls": {"/kept": {"own": "r"}}});
    sandbox.write_table(&over.to_string());
    wait_until("nobody has renewed it", || {
        sandbox.out("ls /pod").is_empty()
    });
}

#[test]
fn what_somebody_else_moved_away_is_no_longer_had_by_an_open_file() {
    needs_fuse!();
    let sandbox = PodBubble::start(
        &["shared/a", "private/"],
        json!({"/shared/": {"own": "rw", "below": "rw"}}),
    );
    let program = "
import os, sys
f = os.open('/pod/shared/a', os.O_RDWR); gone = os.open('/pod/shared/gone', os.O_RDWR | os.O_CREAT)
os.write(gone, b'unlinked'); os.unlink('/pod/shared/gone')
print('ready', flush=True); sys.stdin.readline()
print(os.pread(gone, 10, 0).decode(), os.fstat(gone).st_size)
try: os.pwrite(f, b'x', 0); print('still there')
except OSError as e: print(e.strerror)
";
    let mut run = support::argv(&["python3", "-c", program]);
    run.stdin = true;
    let mut running = sandbox.bubble.relay.run(run);
    running.read("ready\n".len());
    fs::rename(sandbox.on_host("shared/a"), sandbox.on_host("private/a")).unwrap();
    running.send(Message::Stdin(b"go\n".as_slice().into()));
    assert_eq!(running.finish().out(), "unlinked 8\nPermission denied\n");
    assert_eq!(
        fs::read_to_string(sandbox.on_host("private/a")).unwrap(),
        "shared/a"
    );
}

#[test]
fn view_and_sandbox_end_together_and_leave_nothing() {
    needs_fuse!();
    let all = json!({"/": {"own": "rw", "below": "rw"}});
    for ending in ["sandbox", "supervisor", "view"] {
        let sandbox = PodBubble::start(&["a"], all.clone());
        let (view, agent) = (sandbox.view_process(), sandbox.bubble.init());
        let supervisor = sandbox.bubble.supervisor();
        // Nobody but the sandbox sees the mount, and the view has no powers.
        let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap();
        let folder = sandbox.bubble.folder.path().to_str().unwrap();
        assert!(!mounts.contains(folder));
        let status = fs::read_to_string(format!("/proc/{view}/status")).unwrap();
        assert!(status.contains("CapEff:\t0000000000000000"), "{status}");
        assert!(status.contains(&format!("Uid:\t{OWNER}\t{OWNER}\t{OWNER}\t{OWNER}")));
        let victim = match ending {
            "sandbox" => agent,
            "supervisor" => supervisor,
            _ => view,
        };
        unsafe { libc::kill(victim, libc::SIGKILL) };
        for process in [agent, view, supervisor] {
            wait_until("all have ended", || !alive(process));
        }
        if ending == "view" {
            let message = sandbox.bubble.exit()["message"].to_string();
            assert!(message.contains("view of the Pod has ended"), "{message}");
        }
        fs::remove_dir_all(sandbox.bubble.folder.path().join("view")).unwrap();
        assert_eq!(fs::read_to_string(sandbox.on_host("a")).unwrap(), "a");
    }
}
