//! One connection to a relay, from Register until it breaks.
use super::egress::Egress;
use super::listening::listening;
use super::port_watch::PortWatch;
use super::ports::Ports;
use super::questions::Questions;
use super::wire::agent_service_client::AgentServiceClient;
use super::wire::code_service_client::CodeServiceClient;
use super::wire::egress_service_client::EgressServiceClient;
use super::wire::file_service_client::FileServiceClient;
use super::wire::port_service_client::PortServiceClient;
use super::wire::{
    AgentMessage, CommandList, Failure, Heartbeat, Pong, PortList, Register, RelayMessage,
    RequestResult, agent_message, relay_message,
};
use crate::bounds;
use crate::code::Code;
use crate::command::commands::Commands;
use crate::command::process::Place;
use crate::command::reader;
use crate::command::start_command;
use crate::config::Config;
use crate::file::Files;
use crate::launch::secrets::{self, Secrets};
use crate::usage::usage;
use futures_util::stream;
use std::io::Read;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tonic::transport::Channel;
use tonic::{Status, Streaming};

const PROTOCOL: u32 = 1;

pub struct Connection {
    pub config: Arc<Config>,
    pub commands: Arc<Commands>,
    pub boot_id: String,
    pub ports: Ports,
    pub questions: Arc<Questions>,
    pub egress: Egress,
    pub secrets: Secrets,
    pub files: Arc<Files>,
    pub code: Arc<Code>,
    pub port_watch: tokio::sync::Mutex<PortWatch>,
}

/// What an order is answered over, by its kind.
struct Calls {
    processes: AgentServiceClient<Channel>,
    ports: PortServiceClient<Channel>,
    files: FileServiceClient<Channel>,
    code: CodeServiceClient<Channel>,
}

impl Connection {
    /// Returns why it ended. `registered` is called as soon as the relay has taken us in.
    pub async fn keep(&self, channel: Channel, registered: impl FnOnce()) -> Status {
        let ports = PortServiceClient::new(channel.clone());
        let egress = EgressServiceClient::new(channel.clone());
        let files = FileServiceClient::new(channel.clone());
        let code = CodeServiceClient::new(channel.clone());
        let mut client = AgentServiceClient::new(channel);
        let (up, queue) = mpsc::channel(bounds::CONTROL_QUEUE);
        let first = match self.register() {
            Ok(first) => first,
            Err(error) => return Status::unavailable(format!("no token: {error}")),
        };
        // The register message is moved, not copied: no second token stays behind.
        let messages = stream::unfold((Some(first), queue), |(first, mut queue)| async {
            match first {
                Some(first) => Some((first, (None, queue))),
                None => Some((queue.recv().await?, (None, queue))),
            }
        });
        let opening = async {
            let mut down = client.connect(messages).await?.into_inner();
            match down.message().await?.and_then(|m| m.message) {
                Some(relay_message::Message::Registered(registered)) => Ok((down, registered)),
                _ => Err(Status::internal("the relay did not say Registered")),
            }
        };
        // An owner may come at any time; a relay that is gone is noticed by the connection's own pings.
        let opened = if self.config.awaits_owner() {
            Ok(opening.await)
        } else {
            tokio::time::timeout(bounds::REGISTER_WAIT, opening).await
        };
        let (down, answer) = match opened {
            Ok(Ok(open)) => open,
            Ok(Err(status)) => return status,
            Err(_) => return Status::deadline_exceeded("the relay did not answer"),
        };
        if self.config.owned(answer.env) {
            start_command::start(&self.commands, &self.config);
        }
        registered();
        self.egress.through(Some(egress));
        let heartbeat = match answer.heartbeat_seconds {
            0 => bounds::HEARTBEAT,
            seconds => Duration::from_secs(seconds.into())
                .clamp(bounds::SHORTEST_HEARTBEAT, bounds::LONGEST_HEARTBEAT),
        };
        let calls = Calls {
            processes: client,
            ports,
            files,
            code,
        };
        let ended = self.converse(down, up, heartbeat, calls).await;
        self.egress.through(None);
        match ended {
            Ok(()) => Status::unavailable("the relay ended the connection"),
            Err(status) => status,
        }
    }

    fn register(&self) -> std::io::Result<AgentMessage> {
        let mut token = String::new();
        std::fs::File::open(&self.config.token_file)?
            .take(bounds::TOKEN as u64)
            .read_to_string(&mut token)?;
        token.truncate(token.trim_end().len());
        Ok(agent_message::Message::Register(Register {
            protocol: PROTOCOL,
            sandbox_id: self.config.sandbox_id.clone(),
            join_token: token,
            agent_version: env!("CARGO_PKG_VERSION").into(),
            boot_id: self.boot_id.clone(),
            secrets_key: self.secrets.public_key(),
            unowned: self.config.awaits_owner(),
        })
        .into())
    }

    async fn converse(
        &self,
        mut down: Streaming<RelayMessage>,
        up: mpsc::Sender<AgentMessage>,
        heartbeat: Duration,
        calls: Calls,
    ) -> Result<(), Status> {
        let mut beat = tokio::time::interval(heartbeat);
        self.questions.reconnected();
        // Connections follow each other; nobody else has it.
        let mut port_watch = self.port_watch.lock().await;
        port_watch.reconnected();
        loop {
            let answer = tokio::select! {
                _ = beat.tick() => Some(agent_message::Message::Heartbeat(Heartbeat {
                    usage: Some(usage(&self.config.cwd)),
                })),
                question = self.questions.next() => Some(question),
                ports = port_watch.next(&self.commands) => Some(ports),
                message = down.message() => match message? {
                    None => return Ok(()),
                    Some(message) => self.answer(message, &calls),
                },
            };
            if let Some(answer) = answer
                && up.send(answer.into()).await.is_err()
            {
                return Ok(());
            }
        }
    }

    fn answer(&self, message: RelayMessage, calls: &Calls) -> Option<agent_message::Message> {
        use relay_message::Message::*;
        match message.message? {
            Registered(_) => None,
            Ping(ping) => Some(agent_message::Message::Pong(Pong { nonce: ping.nonce })),
            Run(mut run) => {
                let unsealed = self.secrets.unseal(&mut run, &self.config.sandbox_id);
                let place = unsealed.and_then(|()| self.commands.run(&run));
                secrets::wipe(&mut run);
                open(&calls.processes, run.reader_id, run.command_id, place);
                None
            }
            Attach(attach) => {
                let place = self.commands.attach(&attach);
                open(&calls.processes, attach.reader_id, attach.command_id, place);
                None
            }
            Kill(kill) => {
                let failure = self.commands.kill(&kill).err();
                Some(agent_message::Message::RequestResult(RequestResult {
                    request_id: kill.request_id,
                    ok: failure.is_none(),
                    failure,
                }))
            }
            ListCommands(list) => Some(agent_message::Message::CommandList(CommandList {
                request_id: list.request_id,
                commands: self.commands.list(),
            })),
            ListPorts(list) => Some(agent_message::Message::PortList(PortList {
                request_id: list.request_id,
                ports: listening(),
            })),
            PermissionAnswered(answer) => {
                self.questions.answered(answer);
                None
            }
            OpenPort(order) => {
                tokio::spawn(self.ports.clone().carry(calls.ports.clone(), order));
                None
            }
            FileOrder(order) => {
                tokio::spawn(self.files.clone().serve(calls.files.clone(), order));
                None
            }
            CodeOrder(order) => {
                tokio::spawn(self.code.clone().serve(calls.code.clone(), order));
                None
            }
        }
    }
}

fn open(
    client: &AgentServiceClient<Channel>,
    reader_id: String,
    command_id: String,
    place: Result<Place, Failure>,
) {
    let client = client.clone();
    match place {
        Ok(place) => tokio::spawn(place.serve(client, reader_id)),
        Err(failure) => tokio::spawn(reader::refuse(client, reader_id, command_id, failure)),
    };
}
