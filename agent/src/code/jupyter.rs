//! A Jupyter server of the sandbox, for clients that speak its protocol: started when somebody connects to its port.
use crate::bounds;
use crate::command::commands::Commands;
use crate::relay::wire::{Argv, Failure, Run, run};
use std::net::Ipv4Addr;
use std::sync::Arc;
use tokio::net::TcpStream;
use tokio::sync::Mutex;
use tokio::time::Instant;

pub const PORT: u16 = 44771;
const COMMAND: &str = "jupyter-server";

/// Nobody but the sandbox reaches its loopback address, except by the gateway, which asks for a token of its own.
const WORDS: [&str; 9] = [
    COMMAND,
    "--no-browser",
    "--ServerApp.ip=127.0.0.1",
    "--ServerApp.port=44771",
    "--ServerApp.port_retries=0",
    "--IdentityProvider.token=",
    "--ServerApp.allow_remote_access=True",
    "--ServerApp.allow_origin=*",
    "--ServerApp.disable_check_xsrf=True",
];

pub struct Jupyter {
    commands: Arc<Commands>,
    /// Held by the one that starts it; counts the starts.
    starts: Mutex<u64>,
}

impl Jupyter {
    pub fn new(commands: Arc<Commands>) -> Jupyter {
        Jupyter {
            commands,
            starts: Mutex::new(0),
        }
    }

    /// Returns when it listens.
    pub async fn start(&self) -> Result<(), Failure> {
        let mut starts = self.starts.lock().await;
        if listens().await {
            return Ok(());
        }
        *starts += 1;
        let run = Run {
            command_id: format!("{COMMAND}-{starts}"),
            command: Some(run::Command::Argv(Argv {
                words: WORDS.iter().map(|word| (*word).into()).collect(),
            })),
            background: true,
            ..Run::default()
        };
        // Its output stays in its rings, for whoever reads the command.
        drop(self.commands.run(&run)?);
        let deadline = Instant::now() + bounds::KERNEL_START;
        while !listens().await {
            let ended = !self.commands.is_running(&run.command_id);
            if ended || Instant::now() >= deadline {
                return Err(Failure::cannot_start("the Jupyter server did not start"));
            }
            tokio::time::sleep(bounds::GROUP_LOOK).await;
        }
        Ok(())
    }
}

async fn listens() -> bool {
    TcpStream::connect((Ipv4Addr::LOCALHOST, PORT))
        .await
        .is_ok()
}
