//! A Pod's folder inside a real sandbox.
use super::bubble::{Bubble, UID_BASE, missing};
use super::shell;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};

/// The Pod's owner on the host.
pub const OWNER: u32 = 4242;

/// Why such a sandbox cannot be made here, if it cannot.
pub fn obstacle() -> Option<&'static str> {
    let no_device = !Path::new("/dev/fuse").exists();
    missing().or(no_device.then_some("there is no /dev/fuse"))
}

/// A sandbox that sees a Pod.
pub struct PodBubble {
    pub bubble: Bubble,
    pub pod: tempfile::TempDir,
}

impl PodBubble {
    pub fn start(files: &[&str], acls: Value) -> PodBubble {
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

    pub fn on_host(&self, name: &str) -> PathBuf {
        self.pod.path().join(name)
    }

    /// A file with its own name in it, or a folder.
    pub fn put(&self, name: &str) {
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

    pub fn grant(&self, acls: Value) {
        self.write_table(&json!({"leaseSeconds": 60, "within": null, "acls": acls}).to_string());
    }

    pub fn write_table(&self, text: &str) {
        let folder = self.bubble.folder.path().join("view");
        fs::write(folder.join("part"), text).unwrap();
        fs::rename(folder.join("part"), folder.join("rights.json")).unwrap();
    }

    pub fn out(&self, line: &str) -> String {
        self.bubble.relay.run(shell(line)).finish().out()
    }

    pub fn code(&self, line: &str) -> i32 {
        self.bubble.relay.run(shell(line)).finish().code()
    }

    pub fn refuses(&self, lines: &[&str]) {
        for line in lines {
            assert_ne!(self.code(line), 0, "{line}");
        }
    }

    /// Children of the supervisor: bubblewrap and the view.
    pub fn view_process(&self) -> i32 {
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
