//! `bivouac-agent serve`: PID 1 of a sandbox, or an ordinary process that behaves like one.
use crate::bounds;
use crate::code::Code;
use crate::code::jupyter::Jupyter;
use crate::command::commands::Commands;
use crate::command::start_command;
use crate::config::{Config, Relay};
use crate::file::Files;
use crate::launch::secrets::Secrets;
use crate::launch::{harden, watchdog};
use crate::log::Log;
use crate::relay::connection::Connection;
use crate::relay::dial;
use crate::relay::egress::{self, Egress};
use crate::relay::ports::Ports;
use crate::relay::questions::Questions;
use crate::relay::tls;
use crate::signals::{self, Signals};
use std::path::Path;
use std::sync::Arc;
use tokio::time::Instant;

pub fn serve(file: &Path) -> Result<(), String> {
    harden::one_arena();
    let mut config = Config::read(file)?;
    let log = Log::new(config.log_file.take());
    let prepare = || -> std::io::Result<()> {
        harden::leave_the_starter(log.is_stdout())?;
        signals::block();
        harden::protect(&config.guards)?;
        watchdog::start()
    };
    prepare().map_err(|e| format!("cannot protect the agent: {e}"))?;
    if let Relay::Addresses(..) = config.relay {
        tls::look_names_up_without_plugins();
    }
    let way_out = egress::bind(config.egress_port).and_then(|listener| {
        egress::announce(&listener, config.env_mut())?;
        Ok(listener)
    });
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .build()
        .map_err(|e| format!("cannot start: {e}"))?;
    runtime
        .block_on(run(Arc::new(config), file, log, way_out))
        .map_err(|e| format!("cannot go on: {e}"))
}

async fn run(
    config: Arc<Config>,
    file: &Path,
    log: Log,
    way_out: std::io::Result<std::net::TcpListener>,
) -> std::io::Result<()> {
    let signals = Signals::open()?;
    let commands = Arc::new(Commands::new(config.clone(), log));
    let boot_id = boot_id();
    let questions = Arc::new(Questions::default());
    // Before anything of the workload's runs: the name cannot be taken by another.
    if let Err(error) = questions.listen(&config.ask_socket, boot_id.clone(), commands.clone()) {
        let message = format!("nobody can ask for permission here: {error}");
        commands.log.agent(&message);
    }
    let egress = Egress::new();
    if let Err(error) = way_out.and_then(|listener| egress.listen(listener)) {
        let message = format!("nothing can be reached from here: {error}");
        commands.log.agent(&message);
    }
    // Also before: the agent's folders are told from others by what is there now.
    let files = Arc::new(Files::new(config.clone(), file));
    let code = Arc::new(Code::new(config.clone(), commands.clone()));
    if !config.awaits_owner() {
        start_command::start(&commands, &config);
    }
    let connection = Connection {
        config,
        commands: commands.clone(),
        boot_id,
        ports: Ports::new(Jupyter::new(commands.clone())),
        questions,
        egress,
        secrets: Secrets::new(),
        files,
        code: code.clone(),
        port_watch: Default::default(),
    };
    harden::trim_memory();
    tokio::spawn(async move { dial::dial_for_ever(&connection).await });
    loop {
        match signals.next().await? {
            libc::SIGCHLD => {
                commands.reaper.reap();
            }
            _ => {
                code.kill_all();
                return end(&commands, &signals).await;
            }
        }
    }
}

/// TERM to everything, a while to obey, KILL.
async fn end(commands: &Commands, signals: &Signals) -> std::io::Result<()> {
    commands.log.agent("asked to end");
    signal_everything(commands, libc::SIGTERM);
    let deadline = Instant::now() + bounds::SHUTDOWN_GRACE;
    while commands.reaper.reap() {
        if tokio::time::timeout_at(deadline, signals.next())
            .await
            .is_err()
        {
            signal_everything(commands, libc::SIGKILL);
            break;
        }
    }
    Ok(())
}

/// As PID 1 "everything" is everything; elsewhere it would be the whole machine.
fn signal_everything(commands: &Commands, signal: i32) {
    if std::process::id() == 1 {
        unsafe { libc::kill(-1, signal) };
    } else {
        commands.signal_all(signal);
    }
}

fn boot_id() -> String {
    let mut bytes = [0u8; 16];
    unsafe { libc::getrandom(bytes.as_mut_ptr().cast(), bytes.len(), 0) };
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
