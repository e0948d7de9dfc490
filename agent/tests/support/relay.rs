//! The relay's half of the wire, as small as it can be.
use super::wire::agent_service_server::{AgentService, AgentServiceServer};
use super::wire::egress_service_server::{EgressService, EgressServiceServer};
use super::wire::file_service_server::{FileService, FileServiceServer};
use super::wire::*;
use super::{Reader, new_id, wait_until};
use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::Path;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::UnixListener;
use tokio::runtime::Runtime;
use tokio::sync::mpsc;
use tokio_stream::Stream;
use tokio_stream::wrappers::{ReceiverStream, UnixListenerStream};
use tonic::transport::server::{Connected, TcpIncoming};
use tonic::transport::{Identity, Server, ServerTlsConfig};
use tonic::{Request, Response, Status, Streaming};

type Down<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;
type Opened = (
    ProcessOpened,
    Streaming<ProcessUp>,
    mpsc::Sender<Result<ProcessDown, Status>>,
);

/// A connection that a program opened to the proxy.
pub type Carried = (
    Streaming<CarriedUp>,
    mpsc::Sender<Result<CarriedDown, Status>>,
);

/// An operation on files, as the relay sees it.
pub type Operation = (Streaming<FileUp>, mpsc::Sender<Result<FileDown, Status>>);

pub const WAIT: Duration = Duration::from_secs(15);

#[derive(Default)]
struct Shared {
    registers: Mutex<Vec<Register>>,
    control: Mutex<Option<mpsc::Sender<Result<RelayMessage, Status>>>>,
    received: Mutex<Vec<AgentMessage>>,
    opened: Mutex<HashMap<String, Opened>>,
    carried: Mutex<Vec<Carried>>,
    files: Mutex<HashMap<String, Operation>>,
    news: tokio::sync::Notify,
}

/// Has a runtime of its own: dropping it breaks every connection, as a crash would.
pub struct Relay {
    runtime: Option<Runtime>,
    shared: Arc<Shared>,
}

struct Service(Arc<Shared>);

#[tonic::async_trait]
impl AgentService for Service {
    type ConnectStream = Down<RelayMessage>;
    type ProcessStream = Down<ProcessDown>;

    async fn connect(
        &self,
        request: Request<Streaming<AgentMessage>>,
    ) -> Result<Response<Self::ConnectStream>, Status> {
        let mut up = request.into_inner();
        let first = up.message().await?.and_then(|m| m.message);
        let Some(agent_message::Message::Register(register)) = first else {
            return Err(Status::invalid_argument("no register"));
        };
        if register.join_token != "secret" {
            return Err(Status::unauthenticated("the token does not fit"));
        }
        let (sender, receiver) = mpsc::channel(64);
        let owner = register
            .unowned
            .then(|| ("OWNER".to_owned(), "somebody".to_owned()));
        let registered = relay_message::Message::Registered(Registered {
            heartbeat_seconds: 1,
            env: owner.into_iter().collect(),
        });
        let _ = sender
            .send(Ok(RelayMessage {
                message: Some(registered),
            }))
            .await;
        *self.0.control.lock().unwrap() = Some(sender);
        self.0.registers.lock().unwrap().push(register);
        let shared = self.0.clone();
        tokio::spawn(async move {
            while let Ok(Some(message)) = up.message().await {
                shared.received.lock().unwrap().push(message);
            }
        });
        Ok(Response::new(Box::pin(ReceiverStream::new(receiver))))
    }

    async fn process(
        &self,
        request: Request<Streaming<ProcessUp>>,
    ) -> Result<Response<Self::ProcessStream>, Status> {
        let mut up = request.into_inner();
        let first = up.message().await?.and_then(|m| m.message);
        let Some(process_up::Message::Opened(opened)) = first else {
            return Err(Status::invalid_argument("not opened"));
        };
        let (sender, receiver) = mpsc::channel(4);
        let id = opened.reader_id.clone();
        self.0
            .opened
            .lock()
            .unwrap()
            .insert(id, (opened, up, sender));
        self.0.news.notify_waiters();
        Ok(Response::new(Box::pin(ReceiverStream::new(receiver))))
    }
}

#[tonic::async_trait]
impl EgressService for Service {
    type CarryStream = Down<CarriedDown>;

    async fn carry(
        &self,
        request: Request<Streaming<CarriedUp>>,
    ) -> Result<Response<Self::CarryStream>, Status> {
        let (sender, receiver) = mpsc::channel(4);
        let carried = (request.into_inner(), sender);
        self.0.carried.lock().unwrap().push(carried);
        Ok(Response::new(Box::pin(ReceiverStream::new(receiver))))
    }
}

#[tonic::async_trait]
impl FileService for Service {
    type OperateStream = Down<FileDown>;

    async fn operate(
        &self,
        request: Request<Streaming<FileUp>>,
    ) -> Result<Response<Self::OperateStream>, Status> {
        let mut up = request.into_inner();
        let first = up.message().await?.and_then(|m| m.message);
        let Some(file_up::Message::Opened(opened)) = first else {
            return Err(Status::invalid_argument("not opened"));
        };
        let (sender, receiver) = mpsc::channel(4);
        self.0
            .files
            .lock()
            .unwrap()
            .insert(opened.call_id, (up, sender));
        Ok(Response::new(Box::pin(ReceiverStream::new(receiver))))
    }
}

impl Relay {
    pub fn start(socket: &Path) -> Relay {
        let _ = std::fs::remove_file(socket);
        Relay::serve(Server::builder(), || {
            UnixListenerStream::new(UnixListener::bind(socket).unwrap())
        })
    }

    /// By TCP with TLS, at an address of this machine that must be free.
    pub fn start_tls(address: SocketAddr, identity: Identity) -> Relay {
        let tls = ServerTlsConfig::new().identity(identity);
        let server = Server::builder().tls_config(tls).unwrap();
        Relay::serve(server, || TcpIncoming::bind(address).unwrap())
    }

    fn serve<I, IO, E>(server: Server, listen: impl FnOnce() -> I) -> Relay
    where
        I: Stream<Item = Result<IO, E>> + Send + 'static,
        IO: AsyncRead + AsyncWrite + Connected + Unpin + Send + 'static,
        E: Into<Box<dyn std::error::Error + Send + Sync>> + Send + 'static,
    {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let shared = Arc::new(Shared::default());
        let incoming = {
            let _inside = runtime.enter();
            listen()
        };
        let service = AgentServiceServer::new(Service(shared.clone()));
        runtime.spawn(
            server
                .initial_stream_window_size(256 * 1024)
                .initial_connection_window_size(1 << 30)
                .add_service(service)
                .add_service(EgressServiceServer::new(Service(shared.clone())))
                .add_service(FileServiceServer::new(Service(shared.clone())))
                .serve_with_incoming(incoming),
        );
        Relay {
            runtime: Some(runtime),
            shared,
        }
    }

    pub fn wait_for_agent(&self) -> Register {
        wait_until("the agent registers", || {
            !self.shared.registers.lock().unwrap().is_empty()
        });
        self.shared.registers.lock().unwrap()[0].clone()
    }

    pub fn has_agent(&self) -> bool {
        !self.shared.registers.lock().unwrap().is_empty()
    }

    pub fn has_agent_soon(&self) -> bool {
        let soon = std::time::Instant::now() + Duration::from_secs(5);
        while self.shared.registers.lock().unwrap().is_empty() {
            if std::time::Instant::now() > soon {
                return false;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        true
    }

    /// The connection to the proxy that came first and was not taken yet.
    pub fn carried(&self) -> Carried {
        wait_until("a connection is carried", || {
            !self.shared.carried.lock().unwrap().is_empty()
        });
        self.shared.carried.lock().unwrap().remove(0)
    }

    /// Begins an operation on files, as this user.
    pub fn files(&self, user: &str, operation: file_order::Operation) -> Operation {
        let call_id = new_id("file");
        self.tell(relay_message::Message::FileOrder(FileOrder {
            call_id: call_id.clone(),
            user: user.into(),
            operation: Some(operation),
        }));
        let mut opened = None;
        wait_until("the operation is opened", || {
            opened = self.shared.files.lock().unwrap().remove(&call_id);
            opened.is_some()
        });
        opened.unwrap()
    }

    /// All that the agent says of it.
    pub fn told(&self, (mut up, _down): Operation) -> Vec<file_up::Message> {
        self.block_on(async {
            let mut all = Vec::new();
            while let Ok(Some(message)) = up.message().await {
                all.extend(message.message);
            }
            all
        })
    }

    pub fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        let bounded = async {
            tokio::time::timeout(WAIT, future)
                .await
                .expect("took too long")
        };
        self.runtime.as_ref().unwrap().block_on(bounded)
    }

    pub fn tell(&self, message: relay_message::Message) {
        let control = self.shared.control.lock().unwrap().clone().unwrap();
        let message = RelayMessage {
            message: Some(message),
        };
        self.block_on(control.send(Ok(message))).unwrap();
    }

    /// The first message from the agent that `wanted` takes.
    pub fn hear<T>(&self, wanted: impl Fn(&agent_message::Message) -> Option<T>) -> T {
        let mut found = None;
        wait_until("the agent answers", || {
            let received = self.shared.received.lock().unwrap();
            found = received
                .iter()
                .filter_map(|m| m.message.as_ref())
                .find_map(&wanted);
            found.is_some()
        });
        found.unwrap()
    }

    pub fn run(&self, run: Run) -> Reader {
        let id = run.reader_id.clone();
        self.tell(relay_message::Message::Run(run));
        self.reader(&id)
    }

    pub fn attach(&self, command_id: &str, stdout_offset: u64) -> Reader {
        self.attach_as(Attach {
            command_id: command_id.into(),
            stdout_offset,
            stdout: true,
            stderr: true,
            ..Attach::default()
        })
    }

    pub fn attach_as(&self, attach: Attach) -> Reader {
        let reader_id = new_id("reader");
        self.tell(relay_message::Message::Attach(Attach {
            reader_id: reader_id.clone(),
            ..attach
        }));
        self.reader(&reader_id)
    }

    pub fn kill(&self, command_id: &str, signal: i32, kill_after_millis: u64) -> RequestResult {
        let request_id = rand_id();
        self.tell(relay_message::Message::Kill(Kill {
            request_id,
            command_id: command_id.into(),
            signal,
            kill_after_millis,
        }));
        self.hear(|message| match message {
            agent_message::Message::RequestResult(r) if r.request_id == request_id => {
                Some(r.clone())
            }
            _ => None,
        })
    }

    pub fn list(&self) -> Vec<CommandInfo> {
        let request_id = rand_id();
        self.tell(relay_message::Message::ListCommands(ListCommands {
            request_id,
        }));
        self.hear(|message| match message {
            agent_message::Message::CommandList(l) if l.request_id == request_id => {
                Some(l.commands.clone())
            }
            _ => None,
        })
    }

    pub fn ping(&self) {
        let nonce = rand_id();
        self.tell(relay_message::Message::Ping(Ping { nonce }));
        self.hear(|message| match message {
            agent_message::Message::Pong(pong) if pong.nonce == nonce => Some(()),
            _ => None,
        });
    }

    fn reader(&self, id: &str) -> Reader {
        let (opened, up, down) = self.block_on(async {
            loop {
                let news = self.shared.news.notified();
                let found = self.shared.opened.lock().unwrap().remove(id);
                match found {
                    Some(found) => return found,
                    None => news.await,
                }
            }
        });
        let handle = self.runtime.as_ref().unwrap().handle().clone();
        Reader {
            opened,
            up,
            down: Some(down),
            handle,
        }
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.runtime.take().unwrap().shutdown_background();
    }
}

fn rand_id() -> u64 {
    new_id("").trim_start_matches('-').parse().unwrap()
}
