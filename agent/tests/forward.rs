//! Sandboxes without a network whose supervisor carries their agent's connection to relays by TLS.
use crate::support;
use serde_json::{Value, json};
use std::net::SocketAddr;
use support::bubble::{Bubble, missing};
use support::tls::{Authority, free_address};
use support::{Relay, alive, shell, wait_until};

/// Ends the test, saying why, where these cannot run.
macro_rules! needs_bubblewrap {
    () => {
        if let Some(reason) = missing() {
            println!("skipped: {reason}");
            return;
        }
    };
}

/// Prepared, but without any relay on a socket.
fn prepared(authority: &Authority, addresses: &[SocketAddr]) -> Bubble {
    let bubble = Bubble::prepare(json!({}));
    let at = |name: &str| bubble.folder.path().join(name);
    std::fs::remove_file(at("run/relay/relay.sock")).unwrap();
    std::fs::write(at("ca.pem"), authority.pem()).unwrap();
    let addresses = addresses.iter().map(|address| format!("https://{address}"));
    let mut spec: Value = serde_json::from_str(&bubble.read("spec.json")).unwrap();
    spec["forward"] = json!({
        "socket": at("run/relay/forward.sock"),
        "relay": {"addresses": addresses.collect::<Vec<_>>(), "caFile": at("ca.pem")},
    });
    std::fs::write(at("spec.json"), spec.to_string()).unwrap();
    bubble
}

fn started(authority: &Authority, addresses: &[SocketAddr]) -> Bubble {
    let bubble = prepared(authority, addresses);
    let output = bubble.supervise();
    assert!(output.status.success(), "{output:?}");
    bubble
}

#[test]
fn a_sandbox_moves_to_the_other_relay_with_its_commands() {
    needs_bubblewrap!();
    let authority = Authority::new();
    let [first, second] = [free_address(), free_address()];
    let relay = Relay::start_tls(first, authority.identity());
    let other = Relay::start_tls(second, authority.identity());
    let bubble = started(&authority, &[first, second]);
    assert_eq!(relay.wait_for_agent().sandbox_id, "sbx-bubble");
    let interfaces = relay.run(shell("tail -n +3 /proc/net/dev | cut -d: -f1"));
    assert_eq!(interfaces.finish().out().trim(), "lo");
    let flood = relay.run(shell("seq 1 1000000 | tail -c 5000000")).finish();
    assert_eq!(flood.stdout.len(), 5_000_000);
    let run = shell("echo before; until [ -e go ]; do sleep 0.01; done; echo after");
    let id = run.command_id.clone();
    drop(relay.run(run));
    drop(relay);

    other.wait_for_agent();
    let reader = other.attach(&id, 0);
    std::fs::write(bubble.folder.path().join("workspace/go"), "").unwrap();
    assert_eq!(reader.finish().out(), "before\nafter\n");

    // The thread keeps neither the supervisor nor the sandbox alive.
    let supervisor = bubble.supervisor();
    unsafe { libc::kill(supervisor, libc::SIGTERM) };
    assert_eq!(bubble.exit()["code"], 0);
    wait_until("the supervisor is gone", || !alive(supervisor));
}

#[test]
fn a_certificate_by_another_authority_is_refused() {
    needs_bubblewrap!();
    let address = free_address();
    let relay = Relay::start_tls(address, Authority::new().identity());
    let bubble = started(&Authority::new(), &[address]);
    let log = bubble.folder.path().join("forward.jsonl");
    let reason = format!(
        "no relay at https://{address}: its certificate is not by the installation's authority"
    );
    wait_until(&reason, || {
        std::fs::read_to_string(&log).is_ok_and(|text| text.contains(&reason))
    });
    assert!(!relay.has_agent());
}

#[test]
fn a_way_to_nowhere_is_refused_before_anything_starts() {
    needs_bubblewrap!();
    let bubble = prepared(&Authority::new(), &[]);
    let output = bubble.supervise();
    assert!(!output.status.success());
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("relay.addresses needs 1 to 64"), "{error}");
    assert!(!bubble.folder.path().join("supervisor.pid").exists());
}
