//! Everything in the agent that has a size or a wait, and its bound.
//!
//! The workload is hostile: whatever it writes, forks or leaves behind must fit in here.
use std::time::Duration;

/// Output joined into one message.
pub const OUTPUT_MESSAGE: usize = 64 * 1024;
/// Commands running at the same time, unless the configuration says otherwise.
pub const COMMANDS: usize = 256;
/// Output kept for each of a command's two streams, unless the configuration says otherwise.
pub const RING: usize = 1024 * 1024;
/// A ring smaller than one message could not carry its own in-flight share.
pub const SMALLEST_RING: usize = 4 * 1024;
/// Bytes behind a reader's cursor that stay in the ring: they may still be on their way when the
/// connection breaks. One HTTP/2 stream window and two messages.
pub const IN_FLIGHT: usize = 384 * 1024;
/// Finished commands that can still be listed and read, unless the configuration says otherwise.
pub const FINISHED_KEPT: usize = 64;
pub const FINISHED_FOR: Duration = Duration::from_secs(300);
/// Output kept for all finished commands together; the oldest loses its bytes first.
pub const FINISHED_OUTPUT: usize = 4 * 1024 * 1024;
/// Readers of one command at the same time.
pub const READERS: usize = 32;
/// A full ring stops the process this long after its reader left; then the oldest bytes go.
pub const HOLD_AFTER_READER: Duration = Duration::from_secs(60);

/// After the process has exited, how long its pipes may still be held open by grandchildren.
pub const PIPE_AFTER_EXIT: Duration = Duration::from_millis(250);
/// Pipes of such grandchildren that are read into nowhere, so that writing does not kill them.
pub const DRAINED_PIPES: usize = 64;
/// A command that has written this much gets larger pipes; most never do.
pub const PIPE_GROWS_AFTER: u64 = 64 * 1024;
pub const LARGE_PIPE: libc::c_int = 1024 * 1024;
/// Input waiting for a process that does not read it.
pub const STDIN_WAITING: usize = 1024 * 1024;

/// Connections to the sandbox's ports at the same time.
pub const PORT_CONNECTIONS: usize = 256;
pub const PORT_CONNECT_WAIT: Duration = Duration::from_secs(5);
/// Listening ports that are listed, of the kernel's table up to here, and descriptors of one process to tell whose.
pub const LISTED_PORTS: usize = 256;
/// How long after the start of a command listening ports are looked for often: servers come up then.
pub const PORTS_EXPECTED: Duration = Duration::from_secs(15);
pub const PORTS_LOOK_OFTEN: Duration = Duration::from_millis(250);
/// Later, for as long as there are processes. Without processes nobody listens, and nobody looks.
pub const PORTS_LOOK: Duration = Duration::from_secs(2);
pub const SOCKET_TABLE: u64 = 4 * 1024 * 1024;
pub const DESCRIPTORS_LOOKED_AT: usize = 1024;
/// What is read at once of a connection that is carried.
pub const CARRIED_MESSAGE: usize = 32 * 1024;

/// Where programs find the proxy, and how many connections to it there are at the same time. The relay takes a few
/// more, since it learns of an end a little later.
pub const EGRESS_PORT: u16 = 3128;
pub const EGRESS_CONNECTIONS: usize = 128;
/// Connections beyond these that are told so; the others are just closed.
pub const EGRESS_REFUSALS: usize = 16;
pub const EGRESS_REFUSAL: Duration = Duration::from_secs(1);
pub const EGRESS_PAUSE: Duration = Duration::from_millis(200);
/// How long a connection waits for a relay that is just being replaced.
pub const EGRESS_RELAY_WAIT: Duration = Duration::from_secs(5);

/// Programs that wait for permission at the same time, and how long one may take to say what it wants.
pub const QUESTIONS: usize = 32;
/// So many more a second: the relay takes twice that.
pub const QUESTIONS_PER_SECOND: f64 = 4.0;
pub const QUESTION_READ: Duration = Duration::from_secs(5);
/// A tool's whole input, and with it a question as it comes over the socket: JSON text within JSON.
pub const QUESTION_INPUT: usize = 256 * 1024;
pub const QUESTION: u64 = 2 * QUESTION_INPUT as u64 + 64 * 1024;
pub const QUESTION_NAME: usize = 64;
pub const QUESTION_ACTION: usize = 256;
pub const QUESTION_TEXT: usize = 4 * 1024;
/// An answer as it comes back over the socket.
pub const ANSWER: u64 = 16 * 1024;
pub const LONGEST_QUESTION: Duration = Duration::from_secs(3600);
/// The relay says no when the time is over; without a relay the agent does so this much later, and the
/// program itself later still.
pub const QUESTION_GRACE: Duration = Duration::from_secs(5);
/// Farewells of programs that gave up, not sent yet.
pub const WITHDRAWN: usize = 64;
/// How far up from a process its command is looked for.
pub const ANCESTORS: usize = 64;

/// From TERM to KILL: a timeout or a stop, a reader that left, the whole sandbox.
pub const STOP_GRACE: Duration = Duration::from_secs(2);
pub const LINGER_GRACE: Duration = Duration::from_secs(10);
pub const SHUTDOWN_GRACE: Duration = Duration::from_secs(5);
/// How often a group without its leader is looked at, until it is gone.
pub const GROUP_LOOK: Duration = Duration::from_millis(20);
/// Timers beyond this are as good as none, and keep clock arithmetic from overflowing.
pub const LONGEST_TIMER: Duration = Duration::from_secs(366 * 24 * 3600);

/// HTTP/2 windows: with a small connection window a few stalled streams would freeze all others.
pub const STREAM_WINDOW: u32 = 256 * 1024;
pub const CONNECTION_WINDOW: u32 = 1 << 30;
/// Control messages waiting to be sent.
pub const CONTROL_QUEUE: usize = 64;
pub const HEARTBEAT: Duration = Duration::from_secs(30);
pub const SHORTEST_HEARTBEAT: Duration = Duration::from_secs(1);
pub const LONGEST_HEARTBEAT: Duration = Duration::from_secs(3600);
/// From dialling to Registered.
pub const REGISTER_WAIT: Duration = Duration::from_secs(10);
pub const FIRST_RETRY: Duration = Duration::from_millis(20);
pub const LONGEST_RETRY: Duration = Duration::from_secs(1);
/// The token was refused: it may be replaced, but not soon.
pub const REFUSED_RETRY: Duration = Duration::from_secs(5);
/// Sockets or addresses of relays that are tried in turn.
pub const RELAYS: usize = 64;
/// The file with the certificates of the relays' authority.
pub const AUTHORITY: u64 = 64 * 1024;
/// A connection on which nothing comes is tried after the first, and given up after the second.
pub const KEEP_ALIVE: Duration = Duration::from_secs(30);
pub const KEEP_ALIVE_WAIT: Duration = Duration::from_secs(20);
/// Connections that a supervisor carries to relays at the same time; an agent has one, and another while it redials.
pub const FORWARDED: usize = 8;
/// So short that an agent still waits when the second address is tried.
pub const FORWARD_CONNECT: Duration = Duration::from_secs(4);
pub const FORWARD_PAUSE: Duration = Duration::from_millis(200);
pub const FORWARD_STACK: usize = 512 * 1024;
pub const TOKEN: usize = 8 * 1024;

/// A failure's text, and a command's line in a list.
pub const FAILURE_TEXT: usize = 1024;
pub const COMMAND_TEXT: usize = 256;
/// Ids that the relay chooses.
pub const ID: usize = 128;
/// /etc/passwd and /etc/group belong to the image.
pub const PASSWD: usize = 1024 * 1024;
pub const GROUPS: usize = 64;

pub const LOG_LINE: usize = 8 * 1024;
pub const LOG_FILE: u64 = 1024 * 1024;
/// Processes that a usage report looks at.
pub const PROCESSES_COUNTED: usize = 4096;

/// A child that does not reach its exec: it is continued after this, and killed after that.
pub const SPAWN_STUCK: Duration = Duration::from_millis(200);
pub const SPAWN_LOST: Duration = Duration::from_secs(5);
/// The child's stack between clone and exec; it calls nothing deep.
pub const SPAWN_STACK: usize = 32 * 1024;

/// Output that may wait for the slowest driver of a terminal. More would only delay the echo of what is
/// typed into a flood; the rest of the ring is for those who come back.
pub const TERMINAL_AHEAD: u64 = 192 * 1024;
/// More output than this within the time is a flood: it is joined into large messages.
pub const FLOOD_BYTES: usize = 16 * 1024;
pub const FLOOD_TIME: Duration = Duration::from_millis(5);
/// A flood's message is sent when it is this large or this old.
pub const FLOOD_MESSAGE: u64 = 48 * 1024;
pub const FLOOD_WAIT: Duration = Duration::from_millis(2);
/// A flood that has come to so much is read by a thread of its own.
pub const READ_AHEAD_AFTER: usize = 1024 * 1024;
/// Buffers that the thread may have to fill: one, and one more while the loop is busy with the first.
pub const READ_AHEAD_ORDERS: usize = 2;
/// How long the thread waits for output before it says that there is none; then the flood is over.
pub const READ_AHEAD_WAIT: Duration = Duration::from_millis(5);
/// A flood that its driver holds back for so long gives the thread up.
pub const READ_AHEAD_REST: Duration = Duration::from_millis(100);
pub const READ_AHEAD_STACK: usize = 64 * 1024;
/// What the kernel gives of a terminal's output at once; the thread is not sent for less.
pub const TERMINAL_PIECE: usize = 4 * 1024;
/// Readers of one terminal at the same time.
pub const TERMINAL_READERS: usize = 128;
/// One message of input, and all input that waits for a program that does not read it.
pub const INPUT_MESSAGE: usize = 64 * 1024;
pub const INPUT_WAITING: usize = 1024 * 1024;
/// What a piece of input takes beside its bytes: empty ones are not for free.
pub const INPUT_PIECE: usize = 128;
/// Those who type into one terminal, over its whole life; the one that was quiet longest is forgotten.
pub const INPUT_SOURCES: usize = 64;
pub const INPUT_SOURCE: usize = 64;
/// The value of TERM.
pub const TERM: usize = 64;
/// A terminal that nobody has open is looked at again after this: a process may open it once more.
pub const HUNG_UP_LOOK: Duration = Duration::from_secs(1);
/// What the kernel may still hold when the program has exited, with room to spare.
pub const TERMINAL_AFTER_EXIT: usize = 512 * 1024;
/// From TERM and HUP to KILL when a terminal is stopped.
pub const TERMINAL_GRACE: Duration = Duration::from_secs(10);
/// How often a session without its leader is looked at, and how often a kill is tried.
pub const SESSION_LOOK: Duration = Duration::from_millis(100);
pub const SESSION_KILLS: usize = 20;

/// A screen's redrawing, and the share of it kept free for modes and the title.
pub const SCREEN: usize = 1024 * 1024;
pub const SCREEN_MODES: usize = 4 * 1024;
/// The screen model lags behind by half a ring, and takes in a sixteenth at once: that must be more than
/// one control sequence.
pub const SMALLEST_TERMINAL_RING: usize = 128 * 1024;
/// A control sequence is waited for up to here; a longer string is dropped as it comes.
pub const LONGEST_SEQUENCE: usize = 4 * 1024;
pub const PARAMETERS: usize = 32;
pub const KEYBOARD_STACK: usize = 16;
pub const TITLE: usize = 512;

/// A sealed channel's keys are replaced after so many bytes in one direction.
pub const REKEY_AFTER: u64 = 16 * 1024 * 1024;
/// Keys that an owner has let in at a time.
pub const ADMITTED_KEYS: usize = 64;
/// Answers that a sealed client has not taken yet; one that lets more pile up is cut off.
pub const SEALED_ANSWERS: usize = 256;
/// Output that one record of a recording holds: as text it may be six times as long.
pub const RECORDED_OUTPUT: usize = 8 * 1024;
/// What a sealed client calls its input; its key is put before that.
pub const SEALED_SOURCE: usize = 48;

/// Operations on files at the same time, and watches among them.
pub const FILE_OPERATIONS: usize = 64;
pub const FILE_WATCHES: usize = 16;
pub const FILE_STACK: usize = 256 * 1024;
/// File contents in one message, and messages between the connection and the thread that reads or writes the file.
pub const FILE_PIECE: usize = 128 * 1024;
pub const FILE_PIECES: usize = 4;
pub const FILE_PATH: usize = 4096;
pub const FILE_LINKS: usize = 40;
/// Entries of one list, its depth, and the names of one folder that are held at a time.
pub const LISTED_FILES: usize = 10_000;
pub const LIST_DEPTH: u32 = 16;
pub const LISTED_NAMES: usize = 1024 * 1024;
pub const ENTRIES_MESSAGE: usize = 500;
/// Folders within each other that are removed, archived or watched as one.
pub const TREE_DEPTH: usize = 256;
/// Written contents are sent to the disk every so often, so that the last wait for it is short.
pub const FLUSH_EVERY: u64 = 8 * 1024 * 1024;
/// Uploads that broke off and may go on: how many, and for how long.
pub const UPLOADS_KEPT: usize = 16;
pub const UPLOAD_KEPT_FOR: Duration = Duration::from_secs(600);
/// A zip's list of contents stands at its end, so it is held until then.
pub const ZIP_ENTRIES: usize = 65_535;
pub const ZIP_BYTES: u64 = u32::MAX as u64;
/// Extended headers of a tar: names, mostly.
pub const TAR_HEADER: usize = 64 * 1024;
/// Folders of one watch, events of one message, and how long events are collected.
pub const WATCHED_FOLDERS: usize = 8_192;
pub const WATCH_EVENTS: usize = 500;
pub const WATCH_PAUSE: Duration = Duration::from_millis(20);

/// Sessions of code, whatever the relay allows, and runs that wait for one session.
pub const CODE_SESSIONS: usize = 64;
pub const CODE_WAITING: usize = 16;
/// Code in one piece, and the variables of one run.
pub const CODE: usize = 1024 * 1024;
pub const CODE_VARIABLES: usize = 1024;
/// Messages of one call that its relay has not taken yet.
pub const CODE_MESSAGES: usize = 4;
/// From the start of an interpreter to its first word: a Java one compiles itself on a busy machine.
pub const KERNEL_START: Duration = Duration::from_secs(60);
/// From an interrupt that must be obeyed to a kill, and from a kill to the end of the process.
pub const INTERRUPT_GRACE: Duration = Duration::from_secs(3);
pub const KERNEL_END: Duration = Duration::from_secs(5);
/// One message of an interpreter: a result in all its forms.
pub const KERNEL_MESSAGE: usize = 16 * 1024 * 1024;
/// Results that can be fetched later, of all sessions together; the oldest go first.
pub const RESULTS: usize = 256;
pub const RESULT_BYTES: usize = 16 * 1024 * 1024;
pub const RESULT_PIECE: usize = 128 * 1024;
/// What code raised, in words.
pub const ERROR_NAME: usize = 256;
pub const ERROR_VALUE: usize = 16 * 1024;
pub const ERROR_TRACE: usize = 64 * 1024;
/// The lowest number of a descriptor that is passed on beyond the first three.
pub const PASSED_DESCRIPTOR: libc::c_int = 10;
