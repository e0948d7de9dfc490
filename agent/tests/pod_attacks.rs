//! What a session tries in order to have more of a Pod than its ACLs grant.
use crate::support;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::{chown, symlink};
use support::bubble::{Bubble, UID_BASE};
use support::pod::{PodBubble, obstacle};
use support::shell;

macro_rules! needs_fuse {
    () => {
        if let Some(reason) = obstacle() {
            println!("skipped: {reason}");
            return;
        }
    };
}

/// What whoever can write a folder tries in order to have more than that; in this order each works without a guard.
const TAKEOVERS: [&str; 10] = [
    "cat /pod/.acl",
    "cat /pod/.secrets/token",
    "echo x > /pod/.acl",
    "echo x > /pod/d/.acl",
    "echo x > '/pod/d/.acl$.ttl'",
    "mkdir /pod/d/.secrets",
    "ln /pod/a /pod/d/.meta",
    "ln -s a /pod/b",
    "cp /pod/a /pod/d/.acr",
    "mv /pod/a /pod/a.acl",
];

#[test]
fn who_may_use_the_pod_is_never_the_sessions_to_say() {
    needs_fuse!();
    let files = ["a", ".acl", "a.acl", ".meta", ".secrets/token", "d/x"];
    let sandbox = PodBubble::start(&files, json!({"/": {"own": "rw", "below": "rw"}}));
    assert_eq!(sandbox.out("ls -A /pod | tr '\\n' ' '"), "a d ");
    sandbox.refuses(&TAKEOVERS);
    sandbox.refuses(&[
        "echo x > /pod/b.acl",
        "echo x > /pod/d/.meta",
        "echo x > /pod/d/.ACR",
        "mkdir /pod/.acl",
        "mkdir /pod/d/.acl",
        "mv /pod/a /pod/d/.acl",
        "mv /pod/d /pod/.secrets",
        "ln /pod/a /pod/d/.acl",
        "ln /pod/a /pod/b",
        "ln -s a /pod/d/.acl",
        "rm -f /pod/.acl && test ! -e /pod/a",
    ]);
    for kept in files {
        assert_eq!(fs::read_to_string(sandbox.on_host(kept)).unwrap(), kept);
    }
    assert_eq!(fs::read_dir(sandbox.on_host("d")).unwrap().count(), 1);
}

/// So it is the view that refuses them.
#[test]
fn a_plain_bind_lets_the_same_attacks_through() {
    needs_fuse!();
    let pod = tempfile::tempdir().unwrap();
    for folder in ["d", ".secrets"] {
        fs::create_dir(pod.path().join(folder)).unwrap();
    }
    for file in ["a", ".acl", ".secrets/token"] {
        fs::write(pod.path().join(file), file).unwrap();
    }
    for path in ["", "a", "d", ".acl", ".secrets", ".secrets/token"] {
        let owner = Some(UID_BASE + 1000);
        chown(pod.path().join(path), owner, owner).unwrap();
    }
    let bubble = Bubble::prepare(json!({}));
    let spec = bubble.folder.path().join("spec.json");
    let mut text: Value = serde_json::from_slice(&fs::read(&spec).unwrap()).unwrap();
    let bind = json!({"source": pod.path(), "target": "/pod"});
    text["binds"].as_array_mut().unwrap().push(bind);
    fs::write(&spec, text.to_string()).unwrap();
    assert!(bubble.supervise().status.success());
    assert!(bubble.relay.has_agent_soon());
    for attack in TAKEOVERS {
        assert_eq!(
            bubble.relay.run(shell(attack)).finish().code(),
            0,
            "{attack}"
        );
    }
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

/// A Pod's server may follow links, so a session must not turn one into a way out of the Pod.
#[test]
fn a_link_is_not_moved_to_where_it_leads_out() {
    needs_fuse!();
    let sandbox = PodBubble::start(
        &["a/b/c/d/file", "a/b/near", "up/x"],
        json!({"/": {"own": "rw", "below": "rw"}}),
    );
    symlink("../../up/x", sandbox.on_host("a/b/link")).unwrap();
    symlink("../../../../up/x", sandbox.on_host("a/b/c/d/link")).unwrap();
    symlink("near", sandbox.on_host("a/b/beside")).unwrap();
    sandbox.refuses(&[
        &rename("a/b/link", "a/link"),
        &rename("a/b/link", "link"),
        &rename("a/b/c/d/link", "a/b/c/link"),
        &rename("a/b/c/d", "d"),
        &rename("a/b/c", "c"),
    ]);
    for made in ["a/link", "link", "a/b/c/link", "d", "c"] {
        assert!(fs::symlink_metadata(sandbox.on_host(made)).is_err());
    }
    for (from, to) in [
        ("a/b/link", "a/b/c/link"),
        ("a/b/c/link", "a/b/other"),
        ("a/b/beside", "beside"),
        ("a/b/c", "a/b/e"),
    ] {
        let moved = format!("{} && echo moved", rename(from, to));
        assert_eq!(sandbox.out(&moved), "moved\n", "{from}");
    }
}

/// The call itself: `mv` would go on to copy.
fn rename(from: &str, to: &str) -> String {
    format!("perl -e 'exit !rename(\"/pod/{from}\", \"/pod/{to}\")'")
}
