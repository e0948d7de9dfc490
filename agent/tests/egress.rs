//! The way out: what programs send to the proxy reaches the relay as it is, and the relay's words reach them.
use crate::support;

use serde_json::json;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use support::Sandbox;
use support::wire::{CarriedDown, carried_down, carried_up};

/// Where the agent's programs are told that the proxy is.
fn proxy(sandbox: &Sandbox) -> String {
    let told = sandbox.shell("printf %s $https_proxy");
    let address = told.out();
    address.strip_prefix("http://").expect(&address).to_owned()
}

fn data(text: &str) -> CarriedDown {
    CarriedDown {
        message: Some(carried_down::Message::Data(text.to_owned().into())),
    }
}

#[test]
fn bytes_go_both_ways_and_each_side_may_end_first() {
    let sandbox = Sandbox::start();
    let mut program = TcpStream::connect(proxy(&sandbox)).unwrap();
    program.write_all(b"CONNECT it\r\n\r\n").unwrap();
    program.shutdown(Shutdown::Write).unwrap();
    let (mut up, down) = sandbox.relay.carried();
    let said = sandbox.relay.block_on(async {
        let mut said = Vec::new();
        while let Ok(Some(message)) = up.message().await {
            if let Some(carried_up::Message::Data(data)) = message.message {
                said.extend_from_slice(&data);
            }
        }
        said
    });
    assert_eq!(said, b"CONNECT it\r\n\r\n");
    let end = CarriedDown {
        message: Some(carried_down::Message::End(true)),
    };
    sandbox.relay.block_on(async {
        down.send(Ok(data("answer"))).await.unwrap();
        down.send(Ok(end)).await.unwrap();
    });
    let mut heard = String::new();
    program.read_to_string(&mut heard).unwrap();
    assert_eq!(heard, "answer");
}

#[test]
fn what_the_relay_cuts_is_cut_for_the_program() {
    let sandbox = Sandbox::start();
    let mut program = TcpStream::connect(proxy(&sandbox)).unwrap();
    program.write_all(b"x").unwrap();
    let (up, down) = sandbox.relay.carried();
    sandbox
        .relay
        .block_on(down.send(Err(tonic::Status::cancelled("cut"))))
        .unwrap();
    drop((up, down));
    let mut heard = Vec::new();
    let ended = program.read_to_end(&mut heard);
    assert!(ended.is_err() || heard.is_empty());
}

#[test]
fn a_program_that_is_gone_is_gone_for_the_relay_as_well() {
    let sandbox = Sandbox::start();
    let program = TcpStream::connect(proxy(&sandbox)).unwrap();
    let (_up, down) = sandbox.relay.carried();
    drop(program);
    sandbox.relay.block_on(async {
        while down.send(Ok(data(&"x".repeat(1024)))).await.is_ok() {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    });
}

#[test]
fn one_too_many_is_told_so() {
    let sandbox = Sandbox::start();
    let address = proxy(&sandbox);
    let held: Vec<_> = (0..128)
        .map(|_| {
            let program = TcpStream::connect(&address).unwrap();
            (program, sandbox.relay.carried())
        })
        .collect();
    let mut program = TcpStream::connect(&address).unwrap();
    program.write_all(b"CONNECT it\r\n\r\n").unwrap();
    let mut heard = String::new();
    program.read_to_string(&mut heard).unwrap();
    assert!(heard.starts_with("HTTP/1.1 503 "), "{heard}");
    assert_eq!(held.len(), 128);
}

#[test]
fn what_the_template_says_about_proxies_stands() {
    let sandbox = Sandbox::with(json!({
        "env": {"PATH": "/usr/bin:/bin", "HTTPS_PROXY": "http://own:1"},
    }));
    let told = sandbox.shell("echo $HTTPS_PROXY $NO_PROXY");
    assert_eq!(told.out(), "http://own:1 localhost,127.0.0.1,::1\n");
}
