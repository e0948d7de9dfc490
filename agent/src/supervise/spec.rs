//! What the bubblewrap runtime asks for.
use crate::config::Relay;
use serde::Deserialize;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Spec {
    pub sandbox_id: String,
    pub folder: PathBuf,
    #[serde(default = "usual_bwrap")]
    pub bwrap: PathBuf,
    pub agent: PathBuf,
    /// The sandbox's own range of host ids. Absent: started by an ordinary user.
    pub uid_base: Option<u32>,
    #[serde(default = "whole_range")]
    pub uid_count: u32,
    #[serde(default)]
    pub cgroups: Vec<PathBuf>,
    pub hostname: Option<String>,
    pub root: Root,
    #[serde(default)]
    pub binds: Vec<Bind>,
    #[serde(default)]
    pub guards: Guards,
    #[serde(default)]
    pub die_with_parent: bool,
    pub view: Option<View>,
    /// Absent: the agent finds its relays by itself.
    pub forward: Option<Forward>,
    /// Absent: no table of mounts of its own is needed.
    pub own_disk: Option<OwnDisk>,
}

/// Where the sandbox's disk is mounted, and the mount that this and all other disks are below.
#[derive(Deserialize)]
pub struct OwnDisk {
    pub all: PathBuf,
    pub content: PathBuf,
}

/// A socket for the agent, and the relays on the network behind it. The socket is in a folder that is bound into the
/// sandbox.
#[derive(Deserialize)]
pub struct Forward {
    pub socket: PathBuf,
    pub relay: Relay,
}

/// A Pod's folder, of which the sandbox sees what a table lets it. The table is in our folder, in `view`; so is the
/// mount, from which the binds are.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct View {
    pub folder: PathBuf,
    /// Whom files seem to belong to, as the host counts.
    pub uid: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", untagged)]
pub enum Root {
    /// An unpacked image.
    Tree { tree: PathBuf },
    /// The host's own /usr.
    Host { host: bool },
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Bind {
    pub source: PathBuf,
    pub target: PathBuf,
    #[serde(default)]
    pub read_only: bool,
}

/// Each on by default. Each can be switched off alone, to prove that it is the one that isolates.
#[derive(Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Guards {
    pub network: bool,
    pub pids: bool,
    pub ipc: bool,
    pub uts: bool,
    pub cgroup: bool,
    pub user_range: bool,
    pub new_session: bool,
    /// Off: the host's other folders lie open beside those that the sandbox is given.
    pub own_root: bool,
    /// Off: what is bound to be read only can be written, as far as its owner allows.
    pub read_only: bool,
}

impl Default for Guards {
    fn default() -> Guards {
        Guards {
            network: true,
            pids: true,
            ipc: true,
            uts: true,
            cgroup: true,
            user_range: true,
            new_session: true,
            own_root: true,
            read_only: true,
        }
    }
}

fn usual_bwrap() -> PathBuf {
    "/usr/bin/bwrap".into()
}

fn whole_range() -> u32 {
    65536
}

impl Spec {
    pub fn read(path: &Path) -> Result<Spec, String> {
        let text =
            std::fs::read(path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
        let spec: Spec =
            serde_json::from_slice(&text).map_err(|e| format!("{}: {e}", path.display()))?;
        if spec.uid_base == Some(0) || spec.uid_count == 0 {
            return Err("uidBase and uidCount must be above 0".into());
        }
        if let Root::Host { host: false } = spec.root {
            return Err("root must be the host or a tree".into());
        }
        Ok(spec)
    }

    pub fn hostname(&self) -> &str {
        self.hostname.as_deref().unwrap_or(&self.sandbox_id)
    }
}
