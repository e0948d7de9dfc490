//! The sandbox's files, for whoever may reach them from outside.
//!
//! Each operation has a thread of its own, which becomes the user that it acts for (`actor.rs`), does its work by open folders
//! (`walk.rs`) and ends: file systems may make it wait, and the agent's one loop must not. Nothing runs while nobody asks.
mod actor;
mod archive;
mod calls;
mod change;
mod crc;
mod entry;
mod fault;
mod folder;
mod list;
mod pieces;
mod read;
mod remove;
mod talk;
mod tar;
mod temporary;
mod tree;
mod unpack;
mod unpack_input;
mod uploads;
mod walk;
mod watch;
mod watched;
mod write;
mod zip;

use crate::bounds;
use crate::config::Config;
use crate::relay::wire::file_order::Operation;
use crate::relay::wire::file_service_client::FileServiceClient;
use crate::relay::wire::{
    FileDone, FileOpened, FileOrder, FileUp, file_down, file_failure::Kind, file_up::Message,
};
use actor::Actor;
use fault::{Fault, Outcome};
use futures_util::stream;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use talk::Talk;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tonic::transport::Channel;
use uploads::Uploads;
use walk::{Closed, Walk};

/// The operations of one agent, bounded in number.
pub struct Files {
    config: Arc<Config>,
    closed: Closed,
    places: Arc<Semaphore>,
    watches: Semaphore,
    uploads: Uploads,
}

impl Files {
    /// `file` is the configuration's own, in a folder that is the agent's.
    pub fn new(config: Arc<Config>, file: &Path) -> Files {
        Files {
            closed: Closed::of(&config, file),
            config,
            places: Arc::new(Semaphore::new(bounds::FILE_OPERATIONS)),
            watches: Semaphore::new(bounds::FILE_WATCHES),
            uploads: Uploads::default(),
        }
    }

    /// Returns when the operation is over, or nobody waits for it.
    pub async fn serve(self: Arc<Self>, mut client: FileServiceClient<Channel>, order: FileOrder) {
        let (up, said) = mpsc::channel(bounds::FILE_PIECES);
        let (to_thread, down) = mpsc::channel(bounds::FILE_PIECES);
        let left = Arc::new(AtomicBool::new(false));
        let wake = match order.operation {
            Some(Operation::Watch(_)) => event_descriptor(),
            _ => None,
        };
        let leave = || {
            left.store(true, Relaxed);
            if let Some(wake) = &wake {
                unsafe { libc::write(wake.as_raw_fd(), 1u64.to_ne_bytes().as_ptr().cast(), 8) };
            }
        };
        let opened = Message::Opened(FileOpened {
            call_id: order.call_id.clone(),
        });
        let talk = Talk {
            up,
            down,
            left: left.clone(),
            wake: wake.clone(),
        };
        self.begin(order, talk);
        let first = FileUp {
            message: Some(opened),
        };
        let messages = stream::unfold((Some(first), said), |(first, mut said)| async {
            match first {
                Some(first) => Some((first, (None, said))),
                None => Some((said.recv().await?, (None, said))),
            }
        });
        if let Ok(answer) = client.operate(messages).await {
            let mut answer = answer.into_inner();
            while let Ok(Some(message)) = answer.message().await {
                if matches!(message.message, Some(file_down::Message::Stop(_))) {
                    leave();
                }
                if to_thread.send(message).await.is_err() {
                    break;
                }
            }
            // What has been said is taken before the call ends; a thread that waits for more hears that there is none.
            drop(to_thread);
            while let Ok(Some(_)) = answer.message().await {}
        }
        leave();
    }

    fn begin(self: Arc<Self>, order: FileOrder, talk: Talk) {
        let refuse = talk.up.clone();
        let begun = match self.places.clone().try_acquire_owned() {
            Ok(place) => std::thread::Builder::new()
                .name("file".into())
                .stack_size(bounds::FILE_STACK)
                .spawn({
                    let runtime = tokio::runtime::Handle::current();
                    move || self.run(order, talk, place, &runtime)
                })
                .is_ok(),
            Err(_) => false,
        };
        if !begun {
            let many = Fault::new(Kind::TooMany, "The sandbox has too many file operations.");
            if let Fault::Failed(failure) = many {
                let _ = refuse.try_send(FileUp {
                    message: Some(Message::Failure(failure)),
                });
            }
        }
    }

    fn run(
        self: Arc<Self>,
        order: FileOrder,
        mut talk: Talk,
        _place: OwnedSemaphorePermit,
        runtime: &tokio::runtime::Handle,
    ) {
        let is_upload = matches!(order.operation, Some(Operation::Write(_)));
        let _ = match self.operate(order, &mut talk) {
            Ok(done) => talk.done(done),
            Err(Fault::Failed(failure)) => talk.say(Message::Failure(failure)),
            Err(Fault::Left) => Ok(()),
        };
        if is_upload && self.uploads.drop_old() {
            let uploads = self.uploads.clone();
            runtime.spawn(async move {
                tokio::time::sleep(bounds::UPLOAD_KEPT_FOR).await;
                uploads.drop_old();
            });
        }
    }

    fn operate(&self, order: FileOrder, talk: &mut Talk) -> Outcome<FileDone> {
        let actor = Actor::find(&order.user, &self.config)?;
        actor.act()?;
        let walk = Walk {
            closed: &self.closed,
            cwd: &self.config.cwd,
            uid: actor.uid(),
        };
        let Some(operation) = order.operation else {
            return Err(Fault::invalid("This agent does not know the operation."));
        };
        match operation {
            Operation::List(order) => list::list(&order, &walk, talk),
            Operation::Stat(order) => read::stat(&order.path, &walk),
            Operation::Read(order) => read::read(&order, &walk, talk),
            Operation::Write(order) => write::write(&order, &walk, &self.uploads, talk),
            Operation::MakeFolder(order) => change::make_folder(&order, &walk),
            Operation::Move(order) => change::move_file(&order, &walk),
            Operation::Remove(order) => remove::remove(&order, &walk, talk),
            Operation::Change(order) => change::change(&order, &walk),
            Operation::ReadArchive(order) => archive::read(&order, &walk, talk),
            Operation::WriteArchive(order) => unpack::write(&order, &walk, talk),
            Operation::Watch(order) => {
                let Ok(_place) = self.watches.try_acquire() else {
                    return Err(Fault::new(
                        Kind::TooMany,
                        "The sandbox has too many watches.",
                    ));
                };
                watch::watch(&order, &walk, talk)
            }
        }
    }
}

fn event_descriptor() -> Option<Arc<OwnedFd>> {
    let fd = unsafe { libc::eventfd(0, libc::EFD_CLOEXEC | libc::EFD_NONBLOCK) };
    (fd >= 0).then(|| Arc::new(unsafe { OwnedFd::from_raw_fd(fd) }))
}
