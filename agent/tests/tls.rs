//! Relays that are dialled by TCP with TLS: who is believed, and what happens when one of them dies.
use crate::support;
use serde_json::json;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use support::tls::{Authority, Dialer, NAME, free_address};
use support::{Relay, shell};
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::version::TLS12;
use tokio_rustls::rustls::{ServerConfig, ServerConnection};
use tonic::transport::Identity;

/// The agent logs the reason and shows its token to nobody.
fn is_refused([certificate, key]: [String; 2], trusted: &Authority, reason: &str) {
    let address = free_address();
    let relay = Relay::start_tls(address, Identity::from_pem(certificate, key));
    let agent = Dialer::start(trusted, &[address]);
    agent.wait_for_log(&format!("no relay at https://{address}: {reason}"));
    assert!(!relay.has_agent());
}

#[test]
fn an_agent_registers_and_runs_commands() {
    let (authority, address) = (Authority::new(), free_address());
    let relay = Relay::start_tls(address, authority.identity());
    let agent = Dialer::start(&authority, &[address]);
    assert_eq!(relay.wait_for_agent().sandbox_id, "sbx-test");
    agent.wait_for_log(&format!("registered at the relay https://{address}"));
    let outcome = relay.run(shell("seq 1 200000; exit 7")).finish();
    assert!(outcome.stdout.ends_with(b"\n200000\n"));
    assert_eq!(outcome.code(), 7);
}

#[test]
fn a_certificate_by_another_authority_is_refused() {
    let [own, other] = [Authority::new(), Authority::new()];
    is_refused(
        other.issue(NAME, |_| {}),
        &own,
        "its certificate is not by the installation's authority",
    );
}

#[test]
fn an_expired_certificate_is_refused() {
    let authority = Authority::new();
    let expired = authority.issue(NAME, |params| {
        params.not_before = rcgen::date_time_ymd(2020, 1, 1);
        params.not_after = rcgen::date_time_ymd(2021, 1, 1);
    });
    is_refused(expired, &authority, "its certificate has expired");
}

#[test]
fn a_certificate_for_another_name_is_refused() {
    let authority = Authority::new();
    // The host that is dialled, which is not the name that relays have.
    is_refused(
        authority.issue("127.0.0.1", |_| {}),
        &authority,
        "its certificate is not for the name relay.bivouac.internal",
    );
}

#[test]
fn the_name_of_the_relays_can_be_configured() {
    let (authority, address) = (Authority::new(), free_address());
    let [certificate, key] = authority.issue("localhost", |_| {});
    let relay = Relay::start_tls(address, Identity::from_pem(certificate, key));
    let place = json!({
        "addresses": [format!("https://localhost:{}", address.port())],
        "serverName": "localhost",
    });
    let _agent = Dialer::with(&authority, place);
    relay.wait_for_agent();
}

#[test]
fn a_replaced_authority_is_believed_without_a_restart() {
    let [old, new] = [Authority::new(), Authority::new()];
    let address = free_address();
    let relay = Relay::start_tls(address, new.identity());
    let agent = Dialer::start(&old, &[address]);
    agent.wait_for_log("not by the installation's authority");
    let both = old.pem() + &new.pem();
    std::fs::write(agent.folder().join("ca.pem"), both).unwrap();
    relay.wait_for_agent();
}

#[test]
fn an_authority_that_cannot_be_read_is_named() {
    let (authority, address) = (Authority::new(), free_address());
    let place = json!({"addresses": [format!("https://{address}")], "caFile": "/nowhere/ca.pem"});
    Dialer::with(&authority, place).wait_for_log("/nowhere/ca.pem: No such file");
}

#[test]
fn an_agent_moves_to_the_other_relay_with_its_commands() {
    let authority = Authority::new();
    let [first, second] = [free_address(), free_address()];
    let relay = Relay::start_tls(first, authority.identity());
    let other = Relay::start_tls(second, authority.identity());
    let agent = Dialer::start(&authority, &[first, second]);
    relay.wait_for_agent();
    assert!(!other.has_agent());
    let run = shell("echo before; until [ -e go ]; do sleep 0.01; done; echo after");
    let id = run.command_id.clone();
    let reader = relay.run(run);
    drop(reader);
    drop(relay);

    other.wait_for_agent();
    let reader = other.attach(&id, 0);
    std::fs::write(agent.folder().join("go"), "").unwrap();
    assert_eq!(reader.finish().stdout, b"before\nafter\n");

    // And back again.
    let relay = Relay::start_tls(first, authority.identity());
    drop(other);
    relay.wait_for_agent();
    relay.ping();
}

#[test]
fn an_address_where_nobody_listens_is_passed_over() {
    let authority = Authority::new();
    let [dead, address] = [free_address(), free_address()];
    let relay = Relay::start_tls(address, authority.identity());
    let agent = Dialer::start(&authority, &[dead, address]);
    relay.wait_for_agent();
    agent.wait_for_log(&format!("no relay at https://{dead}: Connection refused"));
}

#[test]
fn a_peer_that_never_answers_is_given_up() {
    let authority = Authority::new();
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = free_address();
    let relay = Relay::start_tls(address, authority.identity());
    let _agent = Dialer::start(&authority, &[silent.local_addr().unwrap(), address]);
    relay.wait_for_agent();
}

#[test]
fn an_older_tls_is_refused() {
    let authority = Authority::new();
    let address = old_tls_server(authority.issue(NAME, |_| {}));
    let agent = Dialer::start(&authority, &[address]);
    agent.wait_for_log("ProtocolVersion");
}

/// Takes connections for as long as the test runs, and speaks TLS 1.2 only.
fn old_tls_server([certificate, key]: [String; 2]) -> SocketAddr {
    let certificate = CertificateDer::from_pem_slice(certificate.as_bytes()).unwrap();
    let key = PrivateKeyDer::from_pem_slice(key.as_bytes()).unwrap();
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_protocol_versions(&[&TLS12])
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    config.alpn_protocols = vec![b"h2".to_vec()];
    let config = Arc::new(config);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for mut connection in listener.incoming().flatten() {
            let mut tls = ServerConnection::new(config.clone()).unwrap();
            let _refused = tls.complete_io(&mut connection);
        }
    });
    address
}
