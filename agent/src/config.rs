//! What the runtime tells the agent: /run/bivouac/agent.json.
use crate::bounds;
use crate::relay::address::Address;
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Config {
    pub sandbox_id: String,
    pub token_file: PathBuf,
    pub relay: Relay,
    /// Absent: there is only one uid here, the agent's own.
    pub workload: Option<Workload>,
    #[serde(default = "workspace")]
    pub cwd: String,
    #[serde(default)]
    env: BTreeMap<String, String>,
    /// Started before anybody asked for this sandbox: the relay says when it has an owner.
    #[serde(default)]
    pub unowned: bool,
    /// What the owner of such a sandbox adds to the variables; set once.
    #[serde(skip)]
    owners: OnceLock<BTreeMap<String, String>>,
    pub start_command: Option<Vec<String>>,
    /// Absent: standard output.
    pub log_file: Option<PathBuf>,
    /// Where programs ask for permission: a name in the sandbox's own network namespace, so that nobody
    /// outside of it gets there.
    #[serde(default = "ask_socket")]
    pub ask_socket: String,
    /// Where programs find the way out, on the sandbox's own loopback address. 0: any port that is free.
    #[serde(default = "egress_port")]
    pub egress_port: u16,
    #[serde(default)]
    pub guards: Guards,
    #[serde(default)]
    pub limits: Limits,
}

/// Where relays are found.
#[derive(Clone)]
#[cfg_attr(test, derive(Debug))]
pub enum Relay {
    /// One Unix socket for each relay of this machine.
    Folder(PathBuf),
    /// Relays on the network, the preferred one first.
    Addresses(Vec<Address>, Trust),
}

/// How a relay on the network proves that it is one.
#[derive(Clone)]
#[cfg_attr(test, derive(Debug))]
pub struct Trust {
    /// PEM. No other authority is trusted, the system's neither.
    pub ca_file: PathBuf,
    /// In the certificates of all relays of an installation, wherever they are.
    pub server_name: String,
}

const SERVER_NAME: &str = "relay.bivouac.internal";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RelayFields {
    socket_folder: Option<PathBuf>,
    addresses: Option<Vec<String>>,
    ca_file: Option<PathBuf>,
    server_name: Option<String>,
}

impl<'de> Deserialize<'de> for Relay {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Relay, D::Error> {
        relay(RelayFields::deserialize(from)?).map_err(D::Error::custom)
    }
}

fn relay(fields: RelayFields) -> Result<Relay, String> {
    let addresses = match (fields.socket_folder, fields.addresses) {
        (Some(folder), None) => return Ok(Relay::Folder(folder)),
        (None, Some(addresses)) => addresses,
        _ => return Err("relay needs either socketFolder or addresses".into()),
    };
    if addresses.is_empty() || addresses.len() > bounds::RELAYS {
        return Err(format!("relay.addresses needs 1 to {}", bounds::RELAYS));
    }
    let addresses = addresses.into_iter().map(Address::try_from);
    let addresses = addresses.collect::<Result<_, _>>()?;
    let ca_file = fields.ca_file.ok_or("relay.addresses needs relay.caFile")?;
    let server_name = fields.server_name.unwrap_or(SERVER_NAME.into());
    Ok(Relay::Addresses(
        addresses,
        Trust {
            ca_file,
            server_name,
        },
    ))
}

#[derive(Clone, Deserialize)]
pub struct Workload {
    pub uid: u32,
    pub gid: u32,
    pub user: String,
    pub home: String,
    pub shell: Option<String>,
}

/// What holds a command back. Each can be switched off alone, to prove that it is the one that does.
#[derive(Clone, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Guards {
    pub seccomp: bool,
    pub no_new_privs: bool,
    pub drop_capabilities: bool,
    pub switch_user: bool,
    /// The agent's memory and descriptors are closed even to processes of its own id.
    pub not_dumpable: bool,
    pub nested_sandbox: bool,
}

impl Default for Guards {
    fn default() -> Guards {
        Guards {
            seccomp: true,
            no_new_privs: true,
            drop_capabilities: true,
            switch_user: true,
            not_dumpable: true,
            nested_sandbox: false,
        }
    }
}

#[derive(Clone, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Limits {
    pub commands: usize,
    pub ring_bytes: usize,
    pub finished_kept: usize,
    pub finished_seconds: u64,
    pub hold_millis: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            commands: bounds::COMMANDS,
            ring_bytes: bounds::RING,
            finished_kept: bounds::FINISHED_KEPT,
            finished_seconds: bounds::FINISHED_FOR.as_secs(),
            hold_millis: bounds::HOLD_AFTER_READER.as_millis() as u64,
        }
    }
}

impl Limits {
    /// How long a full ring holds the process back after its reader left.
    pub fn hold(&self) -> Duration {
        Duration::from_millis(self.hold_millis).min(bounds::LONGEST_TIMER)
    }

    pub fn finished_for(&self) -> Duration {
        Duration::from_secs(self.finished_seconds).min(bounds::LONGEST_TIMER)
    }
}

fn ask_socket() -> String {
    crate::ask::SOCKET.into()
}

fn egress_port() -> u16 {
    bounds::EGRESS_PORT
}

fn workspace() -> String {
    "/workspace".into()
}

impl Config {
    pub fn read(path: &Path) -> Result<Config, String> {
        let text =
            std::fs::read(path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
        let mut config: Config =
            serde_json::from_slice(&text).map_err(|e| format!("{}: {e}", path.display()))?;
        config.limits.ring_bytes = config.limits.ring_bytes.max(bounds::SMALLEST_RING);
        Ok(config)
    }

    /// Adds what is missing.
    pub fn env_mut(&mut self) -> &mut BTreeMap<String, String> {
        &mut self.env
    }

    /// The variables of every command.
    pub fn environment(&self) -> BTreeMap<String, String> {
        let mut env = self.env.clone();
        if let Some(owners) = self.owners.get() {
            env.extend(owners.clone());
        }
        env
    }

    /// Whether this sandbox was started ahead, and nobody has it yet.
    pub fn awaits_owner(&self) -> bool {
        self.unowned && self.owners.get().is_none()
    }

    /// From now on it is somebody's. False when it was before.
    pub fn owned(&self, env: impl IntoIterator<Item = (String, String)>) -> bool {
        self.unowned && self.owners.set(env.into_iter().collect()).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_configuration_has_every_guard_on() {
        let config: Config = serde_json::from_str(
            r#"{"sandboxId":"sbx-1","tokenFile":"/t","relay":{"socketFolder":"/s"},"later":1}"#,
        )
        .unwrap();
        assert!(config.guards.seccomp && config.guards.no_new_privs);
        assert!(config.guards.drop_capabilities && config.guards.switch_user);
        assert!(config.guards.not_dumpable);
        assert!(!config.guards.nested_sandbox);
        assert_eq!(config.cwd, "/workspace");
        assert_eq!(config.limits.commands, 256);
        assert_eq!(config.limits.hold(), Duration::from_secs(60));
        assert!(config.workload.is_none());
    }

    #[test]
    fn an_owner_comes_once_and_its_variables_win() {
        let config: Config = serde_json::from_str(
            r#"{"sandboxId":"sbx-1","tokenFile":"/t","relay":{"socketFolder":"/s"},
                "env":{"A":"template","B":"template"},"unowned":true}"#,
        )
        .unwrap();
        assert!(config.awaits_owner());
        assert_eq!(config.environment()["A"], "template");
        assert!(config.owned([("A".to_owned(), "owner".to_owned())]));
        assert!(!config.awaits_owner());
        assert!(!config.owned([("A".to_owned(), "another".to_owned())]));
        assert_eq!(config.environment()["A"], "owner");
        assert_eq!(config.environment()["B"], "template");
    }

    #[test]
    fn an_ordinary_sandbox_takes_no_owner() {
        let config: Config = serde_json::from_str(
            r#"{"sandboxId":"sbx-1","tokenFile":"/t","relay":{"socketFolder":"/s"}}"#,
        )
        .unwrap();
        assert!(!config.awaits_owner());
        assert!(!config.owned([("A".to_owned(), "owner".to_owned())]));
        assert!(!config.environment().contains_key("A"));
    }

    #[test]
    fn a_relay_is_a_folder_or_addresses_with_an_authority() {
        let relay: Relay = serde_json::from_str(
            r#"{"addresses":["https://a:50051","https://b:50051"],"caFile":"/ca.pem"}"#,
        )
        .unwrap();
        let Relay::Addresses(addresses, trust) = relay else {
            panic!("addresses expected");
        };
        assert_eq!(addresses[1].to_string(), "https://b:50051");
        assert_eq!(trust.ca_file, Path::new("/ca.pem"));
        assert_eq!(trust.server_name, "relay.bivouac.internal");
    }

    #[test]
    fn an_incomplete_relay_is_refused_with_the_reason() {
        for (text, reason) in [
            ("{}", "either socketFolder or addresses"),
            (
                r#"{"socketFolder":"/s","addresses":["https://a:1"],"caFile":"/c"}"#,
                "either socketFolder or addresses",
            ),
            (r#"{"addresses":[],"caFile":"/c"}"#, "1 to 64"),
            (r#"{"addresses":["https://a:1"]}"#, "caFile"),
            (
                r#"{"addresses":["a:1"],"caFile":"/c"}"#,
                "https://HOST:PORT",
            ),
        ] {
            let error = serde_json::from_str::<Relay>(text).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
