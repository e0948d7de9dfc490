//! A sandbox that was started before anybody asked for it.
use crate::support::{Sandbox, shell, wait_until};
use serde_json::json;

#[test]
fn an_unowned_agent_takes_its_owners_variables_before_its_first_command() {
    let sandbox = Sandbox::with(json!({
        "unowned": true,
        "startCommand": ["sh", "-c", "echo started for $OWNER"],
    }));
    assert!(sandbox.relay.wait_for_agent().unowned);
    let log = sandbox.folder.path().join("agent.jsonl");
    wait_until("the start command runs with them", || {
        std::fs::read_to_string(&log).is_ok_and(|text| text.contains("started for somebody"))
    });
    let out = sandbox.run(shell("echo $BASE $OWNER")).finish().out();
    assert_eq!(out, "base somebody\n");
}

#[test]
fn an_ordinary_agent_does_not_say_that_it_is_unowned() {
    let sandbox = Sandbox::start();
    assert!(!sandbox.relay.wait_for_agent().unowned);
}
