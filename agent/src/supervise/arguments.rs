//! The words that bubblewrap is started with.
use super::spec::{Root, Spec};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Where the sandbox finds its agent, and the agent its configuration.
const AGENT: &str = "/.bivouac/bivouac-agent";
const CONFIGURATION: &str = "/run/bivouac/agent.json";

/// What a program of the host's /usr needs of the host's /etc. All else there is generated.
const HOST_ETC: [&str; 7] = [
    "alternatives",
    "ca-certificates",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "pki",
    "ssl",
];
/// Beside /usr itself: links into it on most systems, folders on some.
const HOST_TOP: [&str; 6] = ["bin", "lib", "lib32", "lib64", "libx32", "sbin"];
/// Of an image: what the sandbox has its own of.
const NOT_FROM_TREE: [&str; 5] = ["proc", "dev", "sys", "tmp", ".bivouac"];

const MADE_ANYWAY: [&str; 3] = ["/", "/dev", "/proc"];

pub struct Arguments {
    words: Vec<OsString>,
    /// Whether what is bound to be read only is so.
    read_only: bool,
}

/// `new_user_namespace`: bubblewrap makes one with a single id, because nobody made one before.
pub fn arguments(spec: &Spec, new_user_namespace: bool, info: i32) -> Vec<OsString> {
    let guards = &spec.guards;
    let mut words = Arguments {
        words: Vec::new(),
        read_only: guards.read_only,
    };
    for (on, option) in [
        (new_user_namespace, "--unshare-user"),
        (guards.pids, "--unshare-pid"),
        (guards.network, "--unshare-net"),
        (guards.ipc, "--unshare-ipc"),
        (guards.uts, "--unshare-uts"),
        (guards.cgroup, "--unshare-cgroup"),
        (guards.new_session, "--new-session"),
        (spec.die_with_parent, "--die-with-parent"),
        // Refused without a pid namespace to be the first of.
        (guards.pids, "--as-pid-1"),
    ] {
        if on {
            words.add([option]);
        }
    }
    if !new_user_namespace {
        words.add(["--cap-add", "ALL"]);
    }
    if guards.uts {
        words.add(["--hostname", spec.hostname()]);
    }
    words.add(["--clearenv", "--chdir", "/"]);
    words.add(["--info-fd", &info.to_string()]);
    words.parents(spec);
    match &spec.root {
        Root::Host { .. } => words.host_root(&spec.targets()),
        Root::Tree { tree } => words.tree(tree, Path::new(""), &spec.targets()),
    }
    if !guards.own_root {
        words.rest_of_the_host(&spec.targets());
    }
    words.add(["--proc", "/proc"]);
    if guards.own_root {
        words.add(["--dev", "/dev"]);
    } else {
        words.add(["--dev-bind", "/dev", "/dev"]);
    }
    if !spec.targets().contains(&PathBuf::from("/tmp")) {
        words.add(["--perms", "1777", "--tmpfs", "/tmp"]);
    }
    for bind in &spec.binds {
        words.bind(bind.read_only, &bind.source, &bind.target);
    }
    words.bind(true, &spec.agent, Path::new(AGENT));
    if guards.read_only {
        words.add(["--remount-ro", "/"]);
    }
    words.add(["--", AGENT, "serve", "--config", CONFIGURATION]);
    words.words
}

impl Spec {
    fn targets(&self) -> Vec<PathBuf> {
        self.binds.iter().map(|bind| bind.target.clone()).collect()
    }
}

impl Arguments {
    fn add<const N: usize>(&mut self, words: [&str; N]) {
        self.words.extend(words.map(OsString::from));
    }

    fn bind(&mut self, read_only: bool, source: &Path, target: &Path) {
        let option = if read_only && self.read_only {
            "--ro-bind"
        } else {
            "--bind"
        };
        let words = [option.into(), source.into(), target.into()];
        self.words.extend(words);
    }

    /// The folders above the mount points, where the root has none: bubblewrap would make them for root alone.
    fn parents(&mut self, spec: &Spec) {
        let agent = PathBuf::from(AGENT);
        let targets = spec.targets();
        let own_etc = targets.contains(&PathBuf::from("/etc"));
        let etc = PathBuf::from(if own_etc { "/etc" } else { "/etc/any" });
        let mut parents: Vec<PathBuf> = Vec::new();
        for target in targets.iter().chain([&agent, &etc]) {
            for parent in target.ancestors().skip(1) {
                let lacking = match &spec.root {
                    Root::Host { .. } => {
                        let own = own_etc && parent.starts_with("/etc");
                        !own && !parent.starts_with("/usr")
                    }
                    Root::Tree { tree } => {
                        let inner = parent.strip_prefix("/").unwrap_or(parent);
                        tree.join(inner).symlink_metadata().is_err()
                    }
                };
                let made = MADE_ANYWAY.iter().any(|own| parent == Path::new(own));
                if lacking && !made && !parents.iter().any(|known| known == parent) {
                    parents.push(parent.to_owned());
                }
            }
        }
        parents.sort();
        for parent in parents {
            self.add(["--perms", "0755", "--dir"]);
            self.words.push(parent.into());
        }
    }

    fn host_root(&mut self, targets: &[PathBuf]) {
        self.bind(true, Path::new("/usr"), Path::new("/usr"));
        for name in HOST_TOP {
            self.same(&Path::new("/").join(name), &Path::new("/").join(name));
        }
        // Each mount costs a third of a millisecond: whoever brings an /etc of its own brings these files too.
        if !targets.contains(&PathBuf::from("/etc")) {
            for name in HOST_ETC {
                let path = Path::new("/etc").join(name);
                self.same(&path, &path);
            }
        }
    }

    /// What a sandbox must not see, for the proof that it would: all folders that do not stand in its own's way.
    fn rest_of_the_host(&mut self, targets: &[PathBuf]) {
        let entries = std::fs::read_dir("/").into_iter().flatten().flatten();
        for outer in entries.map(|entry| entry.path()) {
            let name = outer.file_name().unwrap_or_default();
            let own = [&HOST_TOP[..], &["usr", "proc", "dev", "tmp"]].concat();
            let shown = own.iter().any(|own| name == *own);
            let lacks_one = targets
                .iter()
                .any(|target| target.starts_with(&outer) && target.symlink_metadata().is_err());
            if !shown && !targets.contains(&outer) && !lacks_one && outer.is_dir() {
                self.bind(true, &outer, &outer);
            }
        }
    }

    /// The image read-only. Its folders are bound whole, except where a bind needs a mount point that the
    /// image lacks: such a folder is made anew, and what it holds is bound one by one.
    fn tree(&mut self, tree: &Path, inner: &Path, targets: &[PathBuf]) {
        let Ok(entries) = std::fs::read_dir(tree.join(inner)) else {
            return;
        };
        let mut names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
        names.sort();
        for name in names {
            if inner == Path::new("") && NOT_FROM_TREE.iter().any(|own| name == *own) {
                continue;
            }
            let path = inner.join(&name);
            let outer = Path::new("/").join(&path);
            let source = tree.join(&path);
            let lacks = |target: &PathBuf| {
                target != &outer
                    && target.starts_with(&outer)
                    && tree
                        .join(target.strip_prefix("/").unwrap_or(target))
                        .symlink_metadata()
                        .is_err()
            };
            if source.is_dir() && !source.is_symlink() && targets.iter().any(lacks) {
                self.words.extend(["--dir".into(), outer.into()]);
                self.tree(tree, &path, targets);
            } else {
                self.same(&source, &outer);
            }
        }
    }

    /// A link as a link, anything else bound read-only; nothing when it is not there.
    fn same(&mut self, source: &Path, target: &Path) {
        if let Ok(link) = std::fs::read_link(source) {
            self.words
                .extend(["--symlink".into(), link.into(), target.into()]);
        } else if source.exists() {
            self.bind(true, source, target);
        }
    }
}
