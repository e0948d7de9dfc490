//! Compiles the wire vocabulary without a protoc: the agent's half, and the relay's half for the tests.
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=proto/agent.proto");
    let files = protox::compile(["proto/agent.proto"], ["proto"])?;
    let relay = PathBuf::from(std::env::var("OUT_DIR")?).join("relay");
    std::fs::create_dir_all(&relay)?;
    tonic_prost_build::configure()
        .build_server(false)
        .bytes(".")
        .compile_fds(files.clone())?;
    tonic_prost_build::configure()
        .build_client(false)
        .bytes(".")
        .out_dir(relay)
        .compile_fds(files)?;
    Ok(())
}
