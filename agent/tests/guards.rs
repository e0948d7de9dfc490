//! Each guard is the one that holds: with it an attempt fails, without it the same attempt succeeds.
use crate::support;
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use support::bubble::{Bubble, missing};
use support::wire::Run;
use support::{Sandbox, WORKLOAD, argv, shell};

macro_rules! needs_bubblewrap {
    () => {
        if let Some(reason) = missing() {
            println!("skipped: {reason}");
            return;
        }
    };
}

/// A sandbox whose agent has these guards, and one with all of them.
fn with_and_without(guards: Value) -> (Bubble, Bubble) {
    let without = Bubble::prepare(json!({}));
    let file = without.folder.path().join("run/agent.json");
    let mut config: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    config["guards"] = guards;
    std::fs::write(&file, config.to_string()).unwrap();
    assert!(without.supervise().status.success());
    without.relay.wait_for_agent();
    (Bubble::start(json!({})), without)
}

fn code(bubble: &Bubble, line: &str) -> i32 {
    bubble.relay.run(shell(line)).finish().code()
}

#[test]
fn seccomp_is_what_keeps_new_namespaces_away() {
    needs_bubblewrap!();
    for guards in [json!({"seccomp": false}), json!({"nestedSandbox": true})] {
        let (with, without) = with_and_without(guards);
        assert_ne!(code(&with, "unshare -U true"), 0);
        assert_eq!(code(&without, "unshare -U true"), 0);
    }
}

#[test]
fn the_switch_of_user_is_what_keeps_the_token_secret() {
    needs_bubblewrap!();
    let (with, without) = with_and_without(json!({"switchUser": false}));
    assert_ne!(code(&with, "cat /run/bivouac/token"), 0);
    assert_eq!(code(&without, "cat /run/bivouac/token"), 0);
}

#[test]
fn dropped_capabilities_are_what_keeps_root_from_mounting() {
    needs_bubblewrap!();
    let guards = json!({"dropCapabilities": false, "nestedSandbox": true});
    let (with, without) = with_and_without(guards);
    let attempt = || Run {
        user: "root".into(),
        ..argv(&["mount", "-t", "tmpfs", "none", "/tmp"])
    };
    assert_ne!(with.relay.run(attempt()).finish().code(), 0);
    assert_eq!(without.relay.run(attempt()).finish().code(), 0);
}

/// Without bubblewrap, which sets it as well.
#[test]
fn no_new_privs_is_off_only_when_asked() {
    needs_bubblewrap!();
    let look = "grep -q 'NoNewPrivs:.1' /proc/self/status";
    assert_eq!(Sandbox::start().shell(look).code(), 0);
    let without = Sandbox::with(json!({"guards": {"noNewPrivs": false}}));
    assert_eq!(without.shell(look).code(), 1);
}

/// Without bubblewrap, whose mounts would take the bit's effect away as well.
#[test]
fn no_new_privs_is_what_makes_a_setuid_program_harmless() {
    needs_bubblewrap!();
    let identity = |guards: Value| {
        let sandbox = Sandbox::with(json!({"guards": guards}));
        let program = sandbox.folder.path().join("id");
        std::fs::copy("/usr/bin/id", &program).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o4755)).unwrap();
        let line = format!("{} -u", program.display());
        sandbox.shell(&line).out().trim().to_owned()
    };
    assert_eq!(identity(json!({})), WORKLOAD.to_string());
    assert_eq!(identity(json!({"noNewPrivs": false})), "0");
}

/// Where agent and workload have the same id, nothing else keeps one from the other's memory.
#[test]
fn an_agent_that_is_not_dumpable_cannot_be_read_by_its_own_user() {
    needs_bubblewrap!();
    let read = |guards: Value| {
        let sandbox = Sandbox::ordinary(json!({"guards": guards}));
        sandbox.shell("head -c 0 /proc/$PPID/environ").code()
    };
    assert_ne!(read(json!({})), 0);
    assert_eq!(read(json!({"notDumpable": false})), 0);
}

#[test]
fn the_range_of_ids_is_what_keeps_the_sandbox_from_being_the_hosts_root() {
    needs_bubblewrap!();
    let bubble = Bubble::start(json!({"guards": {"userRange": false}}));
    let map = std::fs::read_to_string(format!("/proc/{}/uid_map", bubble.init())).unwrap();
    let map: Vec<&str> = map.split_ascii_whitespace().collect();
    assert_eq!(map, ["0", "0", "4294967295"]);
}

#[test]
fn an_image_tree_is_read_only_and_may_lack_mount_points() {
    needs_bubblewrap!();
    let tree = tempfile::tempdir().unwrap();
    support::open_to_all(tree.path());
    for folder in ["bin", "home", "home/other", "proc"] {
        std::fs::create_dir(tree.path().join(folder)).unwrap();
    }
    std::fs::copy(support::agent_binary(), tree.path().join("bin/hello")).unwrap();
    let bubble = Bubble::prepare(json!({"root": {"tree": tree.path()}}));
    let file = bubble.folder.path().join("spec.json");
    let mut spec: Value = serde_json::from_str(&bubble.read("spec.json")).unwrap();
    let home = json!({"source": bubble.folder.path().join("workspace"), "target": "/home/sandbox"});
    spec["binds"].as_array_mut().unwrap().push(home);
    std::fs::write(file, spec.to_string()).unwrap();
    assert!(bubble.supervise().status.success());
    assert!(
        bubble.relay.has_agent_soon(),
        "{}",
        bubble.read("start.log")
    );
    let hello = |cwd: &str| Run {
        cwd: cwd.into(),
        ..argv(&["hello", "--version"])
    };
    for folder in ["/home/sandbox", "/home/other"] {
        let outcome = bubble.relay.run(hello(folder)).finish();
        assert!(outcome.out().starts_with("bivouac-agent "), "{outcome:?}");
    }
    assert!(!tree.path().join("home/sandbox").exists());
}

#[test]
fn the_sandbox_joins_its_cgroups() {
    needs_bubblewrap!();
    let hierarchy = ["/sys/fs/cgroup/pids", "/sys/fs/cgroup"]
        .into_iter()
        .find(|folder| std::path::Path::new(folder).join("cgroup.procs").exists());
    let Some(hierarchy) = hierarchy else {
        println!("skipped: no cgroups here");
        return;
    };
    let cgroup = format!("{hierarchy}/bivouac-agent-test-{}", std::process::id());
    if let Err(error) = std::fs::create_dir(&cgroup) {
        println!("skipped: cannot make a cgroup: {error}");
        return;
    }
    let bubble = Bubble::start(json!({"cgroups": [cgroup]}));
    let members = std::fs::read_to_string(format!("{cgroup}/cgroup.procs")).unwrap();
    assert!(members.lines().any(|pid| pid == bubble.init().to_string()));
    assert!(
        !members
            .lines()
            .any(|pid| pid == bubble.supervisor().to_string())
    );
    drop(bubble);
    support::wait_until("the cgroup is empty", || {
        std::fs::remove_dir(&cgroup).is_ok()
    });
}
