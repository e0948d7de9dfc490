//! One client's connection. Its own thread answers one call after the other; those that wait for the disk go to a few
//! threads beside it, so that a flush does not hold up a look.
use super::bounds::{IDLE_CONNECTION, STACK, STALLED_ANSWER, WAITING_CALLS};
use super::record;
use super::server::{HangUp, Server};
use super::xdr::Writer;
use std::io::{BufReader, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

const READ_AHEAD: usize = 64 * 1024;
/// Threads beside the connection's own.
const HELPERS: usize = 2;

struct Connection {
    server: Arc<Server>,
    peer: SocketAddr,
    stream: TcpStream,
    /// One answer at a time.
    sending: Mutex<()>,
}

/// Serves until the client leaves or talks nonsense.
pub fn serve(server: Arc<Server>, stream: TcpStream, peer: SocketAddr) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(IDLE_CONNECTION))?;
    stream.set_write_timeout(Some(STALLED_ANSWER))?;
    let mut reader = BufReader::with_capacity(READ_AHEAD, stream.try_clone()?);
    let connection = Arc::new(Connection {
        server,
        peer,
        stream,
        sending: Mutex::new(()),
    });
    let mut helpers: Option<SyncSender<Vec<u8>>> = None;
    let mut record = Vec::new();
    let mut out = Writer::default();
    while record::read(&mut reader, &mut record)? {
        if Server::waits_for_disk(&record) && !reader.buffer().is_empty() {
            // Another call has come already: this one must not hold it up.
            let helpers = match &helpers {
                Some(helpers) => helpers,
                None => helpers.insert(connection.clone().help()?),
            };
            match helpers.try_send(std::mem::take(&mut record)) {
                Ok(()) => continue,
                Err(TrySendError::Full(back) | TrySendError::Disconnected(back)) => {
                    record = back;
                }
            }
        }
        if connection.answer(&record, &mut out).is_err() {
            break;
        }
    }
    Ok(())
}

impl Connection {
    /// Starts the threads that answer what is sent to them, until the sender is dropped.
    fn help(self: Arc<Connection>) -> std::io::Result<SyncSender<Vec<u8>>> {
        let (sender, receiver) = sync_channel(WAITING_CALLS);
        let receiver = Arc::new(Mutex::new(receiver));
        for _ in 0..HELPERS {
            let (connection, receiver) = (self.clone(), receiver.clone());
            std::thread::Builder::new()
                .name("nfs-disk".into())
                .stack_size(STACK)
                .spawn(move || connection.answer_all(&receiver))?;
        }
        Ok(sender)
    }

    fn answer_all(&self, records: &Mutex<Receiver<Vec<u8>>>) {
        let mut out = Writer::default();
        loop {
            let next = {
                let records = records.lock().unwrap_or_else(PoisonError::into_inner);
                records.recv()
            };
            let Ok(record) = next else { return };
            let done = self.answer(&record, &mut out);
            if done.is_err() {
                // The connection's own thread reads the end.
                let _ = self.stream.shutdown(Shutdown::Both);
            }
        }
    }

    fn answer(&self, record: &[u8], out: &mut Writer) -> Result<(), HangUp> {
        self.server.answer(self.peer, record, out)?;
        let _one = self.sending.lock().unwrap_or_else(PoisonError::into_inner);
        (&self.stream).write_all(out.as_slice()).map_err(|_| HangUp)
    }
}
