//! One run of code, from the order to its end, whatever ends it.
use super::kernel::{Heard, Kernel, Said, bounded, read_now, wait, waiting_bytes};
use super::language::Language;
use super::results::Results;
use super::talk::{Talk, up};
use crate::bounds;
use crate::command::state::STREAMS;
use crate::relay::wire::{
    CodeDone, CodeError, CodeOutput, CodeResult, CodeUp, RunCode, code_up::Message, cut,
};
use bytes::Bytes;
use std::collections::VecDeque;
use std::time::{Duration, Instant};
use tokio::net::unix::pipe::Receiver;

pub struct Running<'a> {
    kernel: &'a mut Kernel,
    order: &'a RunCode,
    language: Language,
    results: &'a Results,
    talk: &'a Talk,
    /// What the relay has not taken yet. Nothing more is read of the interpreter meanwhile.
    queue: VecDeque<CodeUp>,
    /// Whether the pipes have not been closed.
    open: [bool; 2],
    started: Instant,
    deadline: Option<Instant>,
    kill_at: Option<Instant>,
    timed_out: bool,
    killed: bool,
    shown: usize,
}

/// How a run ended.
pub struct Ended {
    pub ok: bool,
    pub lost: bool,
    pub timed_out: bool,
    pub duration: Duration,
}

impl Ended {
    pub fn done(&self, execution_count: u64) -> CodeDone {
        CodeDone {
            ok: self.ok,
            execution_count,
            duration_micros: self.duration.as_micros() as u64,
            timed_out: self.timed_out,
            lost: self.lost,
            session: None,
        }
    }
}

impl<'a> Running<'a> {
    pub fn new(
        kernel: &'a mut Kernel,
        language: Language,
        order: &'a RunCode,
        results: &'a Results,
        talk: &'a Talk,
    ) -> Running<'a> {
        let started = Instant::now();
        Running {
            kernel,
            order,
            language,
            results,
            talk,
            queue: VecDeque::new(),
            open: [true; 2],
            started,
            deadline: bounded(order.timeout_millis).map(|timeout| started + timeout),
            kill_at: None,
            timed_out: false,
            killed: false,
            shown: 0,
        }
    }

    /// Returns when the interpreter has done with it, or is gone, and all that it said is taken.
    pub async fn run(mut self) -> Ended {
        // What was printed between the runs belongs to none.
        self.kernel.waiting_output();
        let order = self.language.order(self.order);
        let told = tokio::time::timeout(bounds::KERNEL_END, self.kernel.control.tell(&order));
        if !matches!(told.await, Ok(Ok(()))) {
            self.kernel.kill();
            self.killed = true;
        }
        let (ok, lost) = self.follow().await;
        self.send_rest().await;
        Ended {
            ok,
            lost,
            timed_out: self.timed_out,
            duration: self.started.elapsed(),
        }
    }

    async fn follow(&mut self) -> (bool, bool) {
        let mut left = self.talk.left.is_set();
        if left {
            self.stop();
        }
        let mut speaks = true;
        loop {
            self.tick();
            let taken = self.queue.is_empty();
            let wake = [self.deadline, self.kill_at].into_iter().flatten().min();
            let Running { kernel, talk, .. } = self;
            let Kernel {
                output: [out, err],
                control,
                exit,
                ..
            } = &mut **kernel;
            let [out_open, err_open] = self.open;
            // The order of looking: what was printed before an end is read before the end, see `ended`.
            tokio::select! {
                biased;
                permit = talk.up.reserve(), if !taken => match permit {
                    Ok(permit) => permit.send(self.queue.pop_front().expect("there is one")),
                    Err(_) => self.queue.clear(),
                },
                () = talk.left.heard(), if !left => {
                    left = true;
                    self.stop();
                }
                () = sleep_until(wake) => {}
                () = readable(out), if taken && out_open => self.read(0, bounds::OUTPUT_MESSAGE),
                () = readable(err), if taken && err_open => self.read(1, bounds::OUTPUT_MESSAGE),
                () = control.speaks(), if taken && speaks => match self.kernel.control.hear().await {
                    Heard::Part => {}
                    Heard::Said(said) => {
                        self.read_waiting();
                        if let Some(ok) = self.said(*said) {
                            return (ok, false);
                        }
                    }
                    Heard::End => {
                        // Without it nothing can be run any more.
                        speaks = false;
                        self.kernel.kill();
                    }
                },
                code = wait(exit), if taken => return (self.ended(code), true),
            }
        }
    }

    /// Does what has come due.
    fn tick(&mut self) {
        let now = Instant::now();
        if self.deadline.is_some_and(|at| at <= now) {
            self.deadline = None;
            self.timed_out = true;
            self.stop();
        }
        if self.kill_at.is_some_and(|at| at <= now) {
            self.kill_at = None;
            self.killed = true;
            self.kernel.kill();
        }
    }

    /// Interrupts the code, and kills the interpreter if that does not help.
    fn stop(&mut self) {
        self.kernel.interrupt();
        let grace = Instant::now() + bounds::INTERRUPT_GRACE;
        self.kill_at.get_or_insert(grace);
    }

    fn read(&mut self, stream: usize, most: usize) {
        let mut data = vec![0; most.min(bounds::OUTPUT_MESSAGE)];
        let mut read = 0;
        while read < data.len() {
            match self.kernel.output[stream].try_read(&mut data[read..]) {
                Ok(0) => {
                    self.open[stream] = false;
                    break;
                }
                Ok(more) => read += more,
                Err(_) => break,
            }
        }
        if read > 0 {
            data.truncate(read);
            self.printed(stream, data);
        }
    }

    fn printed(&mut self, stream: usize, data: Vec<u8>) {
        self.queue.push_back(up(Message::Output(CodeOutput {
            stream: STREAMS[stream].into(),
            data: data.into(),
        })));
    }

    /// What the interpreter printed before it said something is told before that.
    fn read_waiting(&mut self) {
        for stream in 0..STREAMS.len() {
            let mut owed = waiting_bytes(&self.kernel.output[stream]);
            while owed > 0 {
                let mut data = vec![0; owed.min(bounds::OUTPUT_MESSAGE)];
                let read = read_now(&self.kernel.output[stream], &mut data);
                if read == 0 {
                    break;
                }
                data.truncate(read);
                self.printed(stream, data);
                owed -= read;
            }
        }
    }

    /// Whether the code raised nothing, when it has ended.
    fn said(&mut self, said: Said) -> Option<bool> {
        match said {
            Said::Ready | Said::Missing { .. } => None,
            Said::Result { result } => {
                self.result(&result);
                None
            }
            Said::Error {
                name,
                value,
                traceback,
            } => {
                self.error(name, value, traceback);
                None
            }
            Said::Done { ok, status } => {
                let ok = ok.unwrap_or(true) && status.unwrap_or(0) == 0;
                if let Some(status @ 1..) = status {
                    let value = format!("exit status {status}");
                    let traceback = value.clone();
                    self.error("ExitStatus".into(), value, traceback);
                }
                Some(ok && !self.timed_out)
            }
        }
    }

    fn result(&mut self, result: &serde_json::Value) {
        let bundle = &result["mimeBundle"];
        if !bundle.is_object() {
            return;
        }
        self.shown += 1;
        let id = format!("{}-{}", self.order.execution_id, self.shown);
        let text = Bytes::from(result.to_string());
        self.results.keep(id.clone(), bundle.clone(), text.len());
        let mut rest = text;
        while !rest.is_empty() {
            let data = rest.split_to(rest.len().min(bounds::RESULT_PIECE));
            self.queue.push_back(up(Message::Result(CodeResult {
                id: id.clone(),
                last: rest.is_empty(),
                data,
            })));
        }
    }

    fn error(&mut self, mut name: String, mut value: String, mut traceback: String) {
        cut(&mut name, bounds::ERROR_NAME);
        cut(&mut value, bounds::ERROR_VALUE);
        cut(&mut traceback, bounds::ERROR_TRACE);
        self.queue.push_back(up(Message::Error(CodeError {
            name,
            value,
            traceback,
        })));
    }

    /// The interpreter is gone: says so. Whether that is as the code wanted it.
    fn ended(&mut self, code: i32) -> bool {
        self.read_waiting();
        if self.killed || self.timed_out {
            let value = "The code went on when it was interrupted, so its interpreter was ended; the variables are lost.";
            self.error("Killed".into(), value.into(), value.into());
            return false;
        }
        if code == 0 {
            return true;
        }
        let value = explain(code);
        self.error("KernelDied".into(), value.clone(), value);
        false
    }

    /// Waits for the relay to take what is left, as long as it is there.
    async fn send_rest(&mut self) {
        for message in self.queue.drain(..) {
            tokio::select! {
                sent = self.talk.up.send(message) => if sent.is_err() { return },
                () = self.talk.left.heard() => return,
            }
        }
    }
}

/// How an interpreter ended, in words.
pub fn explain(code: i32) -> String {
    match -code {
        libc::SIGKILL => "The interpreter was killed (signal 9), as the kernel does when the sandbox's memory runs out; the variables are lost.".into(),
        signal if signal > 0 => format!("The interpreter died by signal {signal}; the variables are lost."),
        _ => format!("The code ended its interpreter, with status {code}; the variables are lost."),
    }
}

async fn readable(pipe: &Receiver) {
    let _ = pipe.readable().await;
}

async fn sleep_until(wake: Option<Instant>) {
    match wake {
        Some(at) => tokio::time::sleep_until(at.into()).await,
        None => std::future::pending().await,
    }
}
