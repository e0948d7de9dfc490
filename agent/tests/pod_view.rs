//! A Pod's folder inside a real sandbox, by the real supervisor, bubblewrap and kernel.
use crate::support;
use serde_json::json;
use std::fs;
use std::os::unix::fs::MetadataExt;
use support::pod::{OWNER, PodBubble, obstacle};
use support::wire::process_down::Message;
use support::{alive, wait_until};

macro_rules! needs_fuse {
    () => {
        if let Some(reason) = obstacle() {
            println!("skipped: {reason}");
            return;
        }
    };
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
