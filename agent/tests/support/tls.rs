//! Relays on the network: their certificates, and an agent that dials them.
use super::{agent_binary, wait_until};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use serde_json::{Value, json};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tonic::transport::Identity;

pub const NAME: &str = "relay.bivouac.internal";

/// An installation's authority. All of them have the same name, as two installations' would.
pub struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    pub fn new() -> Authority {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        Authority(CertifiedIssuer::self_signed(params, key).unwrap())
    }

    pub fn pem(&self) -> String {
        self.0.pem()
    }

    /// A certificate chain and its key, as PEM.
    pub fn issue(&self, name: &str, change: impl FnOnce(&mut CertificateParams)) -> [String; 2] {
        let mut params = CertificateParams::new([name.to_owned()]).unwrap();
        change(&mut params);
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.0).unwrap();
        [certificate.pem(), key.serialize_pem()]
    }

    pub fn identity(&self) -> Identity {
        let [certificate, key] = self.issue(NAME, |_| {});
        Identity::from_pem(certificate, key)
    }
}

/// An address of this machine that was free a moment ago.
pub fn free_address() -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    listener.local_addr().unwrap()
}

/// An agent that dials addresses, as an ordinary process.
pub struct Dialer {
    agent: Child,
    folder: tempfile::TempDir,
}

impl Dialer {
    pub fn start(authority: &Authority, addresses: &[SocketAddr]) -> Dialer {
        let texts = addresses.iter().map(|address| format!("https://{address}"));
        Dialer::with(authority, json!({"addresses": texts.collect::<Vec<_>>()}))
    }

    /// With `relay` laid over the part of the configuration that names the authority.
    pub fn with(authority: &Authority, relay: Value) -> Dialer {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("ca.pem"), authority.pem()).unwrap();
        std::fs::write(at("token"), "secret\n").unwrap();
        let mut config = json!({
            "sandboxId": "sbx-test",
            "tokenFile": at("token"),
            "relay": {"caFile": at("ca.pem")},
            "cwd": folder.path(),
            "env": {"PATH": "/usr/bin:/bin"},
            "logFile": at("agent.jsonl"),
            "egressPort": 0,
        });
        for (key, value) in relay.as_object().unwrap() {
            config["relay"][key] = value.clone();
        }
        std::fs::write(at("agent.json"), config.to_string()).unwrap();
        let agent = Command::new(agent_binary())
            .args(["serve", "--config"])
            .arg(at("agent.json"))
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        Dialer { agent, folder }
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("agent.jsonl")).unwrap_or_default()
    }

    pub fn wait_for_log(&self, text: &str) {
        wait_until(text, || self.log().contains(text));
    }
}

impl Drop for Dialer {
    fn drop(&mut self) {
        unsafe { libc::kill(self.agent.id() as i32, libc::SIGTERM) };
        let _ = self.agent.wait();
    }
}
