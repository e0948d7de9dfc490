//! The agent as the first process of a Pod. A mounted volume would cost its start a third of a second, so everything
//! that the agent reads comes in one variable, and is put where `serve` looks for it.
mod folders;
pub mod reach;
pub mod usage;

use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

/// Holds what the runtime tells the agent, as JSON.
const VARIABLE: &str = "BIVOUAC_AGENT";

/// Says where the cluster is. The sandbox does not get there, and has no business there.
const CLUSTERS: &str = "KUBERNETES_";

const RUN: &str = "/run/bivouac";
const COMMANDS: &str = "/.bivouac/bin";
const OWN: &str = "/proc/self/exe";
const USUAL_PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Told {
    token: String,
    /// PEM: the authority that relays are known by.
    authority: String,
    /// As in agent.json; the variables of the image are added to its own.
    config: Map<String, Value>,
    /// Below /etc, for everybody to read.
    files: BTreeMap<String, String>,
}

/// Does not return, unless something is wrong.
pub fn pod() -> Result<(), String> {
    let text = std::env::var(VARIABLE).map_err(|_| format!("{VARIABLE} is not set"))?;
    let mut told: Told = serde_json::from_str(&text).map_err(|e| format!("{VARIABLE}: {e}"))?;
    add_environment(&mut told.config, std::env::vars());
    put(&told).map_err(|e| format!("cannot write the agent's files: {e}"))?;
    folders::make(&told.config).map_err(|e| format!("cannot make the sandbox's folders: {e}"))?;
    let error = Command::new(OWN)
        .args(["serve", "--config", &format!("{RUN}/agent.json")])
        .env_clear()
        .exec();
    Err(format!("cannot go on as the agent: {error}"))
}

/// Copies the agent into a folder that another container mounts: its image does not carry one.
pub fn install(folder: &str) -> Result<(), String> {
    let place = |name: &str| Path::new(folder).join(name);
    let put = || -> std::io::Result<()> {
        std::fs::copy(OWN, place("bivouac-agent"))?;
        self::folder(place("bin"), 0o755)?;
        std::os::unix::fs::symlink("../bivouac-agent", place("bin/bivouac-ask"))
    };
    put().map_err(|e| format!("cannot put the agent into {folder}: {e}"))
}

/// The container's variables are the image's and the sandbox's.
fn add_environment(
    config: &mut Map<String, Value>,
    variables: impl Iterator<Item = (String, String)>,
) {
    let mut all: Map<String, Value> = variables
        .filter(|(name, _)| name != VARIABLE && !name.starts_with(CLUSTERS))
        .map(|(name, value)| (name, Value::String(value)))
        .collect();
    if let Some(Value::Object(own)) = config.remove("env") {
        all.extend(own);
    }
    let path = all.get("PATH").and_then(Value::as_str);
    let path = format!("{COMMANDS}:{}", path.unwrap_or(USUAL_PATH));
    all.insert("PATH".into(), Value::String(path));
    config.insert("env".into(), Value::Object(all));
}

fn put(told: &Told) -> std::io::Result<()> {
    folder(RUN, 0o700)?;
    write(Path::new(RUN).join("token"), 0o600, &told.token)?;
    write(Path::new(RUN).join("relay-ca.pem"), 0o600, &told.authority)?;
    let config = serde_json::to_string(&told.config)?;
    write(Path::new(RUN).join("agent.json"), 0o600, &config)?;
    for (path, text) in &told.files {
        let path = Path::new("/etc").join(path);
        folder(path.parent().unwrap_or(Path::new("/etc")), 0o755)?;
        write(path, 0o644, text)?;
    }
    Ok(())
}

fn folder(path: impl AsRef<Path>, mode: u32) -> std::io::Result<()> {
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(mode)
        .create(path)
}

fn write(path: impl AsRef<Path>, mode: u32, text: &str) -> std::io::Result<()> {
    let mut file = std::fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(mode)
        .open(path)?;
    file.write_all(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn with(config: Value, variables: &[(&str, &str)]) -> Value {
        let Value::Object(mut config) = config else {
            panic!("an object expected");
        };
        let variables = variables.iter();
        add_environment(
            &mut config,
            variables.map(|(name, value)| (name.to_string(), value.to_string())),
        );
        config.remove("env").unwrap()
    }

    #[test]
    fn the_images_variables_are_kept_and_the_sandboxes_own_win() {
        let env = with(
            json!({"env": {"A": "own"}}),
            &[("A", "image"), ("B", "image"), ("PATH", "/opt/bin")],
        );
        assert_eq!(
            env,
            json!({"A": "own", "B": "image", "PATH": "/.bivouac/bin:/opt/bin"})
        );
    }

    #[test]
    fn neither_the_token_nor_the_clusters_address_is_among_them() {
        let env = with(
            json!({}),
            &[
                ("BIVOUAC_AGENT", "secret"),
                ("KUBERNETES_SERVICE_HOST", "10.0.0.1"),
            ],
        );
        assert_eq!(env, json!({"PATH": format!("/.bivouac/bin:{USUAL_PATH}")}));
    }
}
