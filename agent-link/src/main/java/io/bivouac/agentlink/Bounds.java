package io.bivouac.agentlink;

import java.time.Duration;

/** Every size and wait between an agent and the relay. */
final class Bounds {
    static final int LARGEST_OUTPUT = 64 * 1024;
    static final int LARGEST_SCREEN = 1024 * 1024;

    /** One message of a sealed terminal, which is one of Noise. */
    static final int LARGEST_SEALED = 65_535;

    static final int LARGEST_RECORDING_PART = 512 * 1024;

    /** A screen and the fields around it. */
    static final int LARGEST_MESSAGE = LARGEST_SCREEN + 64 * 1024;

    /** What a stream may hold here that nobody has asked for: with all of a sandbox's calls a good half of 100 MiB. */
    static final int STREAM_WINDOW = 64 * 1024;

    /** Readers of all of a sandbox's commands together, those on their way included. */
    static final int READERS = 512;

    /** Connections to the ports of one sandbox, those on their way included. */
    static final int PORT_CONNECTIONS = 128;

    /** Connections out of one sandbox: the agent itself allows 128, and the ends of some are still on their way. */
    static final int EGRESS_CONNECTIONS = 160;

    /** New ones: so many at once, and then so many a second. */
    static final int EGRESS_AT_ONCE = 256;

    static final double EGRESS_PER_SECOND = 100;

    /** Operations on the files of one sandbox, those on their way included. */
    static final int FILE_CALLS = 64;

    /** File contents in one message. */
    static final int LARGEST_FILE_PIECE = 128 * 1024;

    /** Entries or events of files in one message. */
    static final int FILE_ITEMS = 1_000;

    /** Operations on code in one sandbox, those on their way included. */
    static final int CODE_CALLS = 64;

    /** Of a result, in one message. */
    static final int LARGEST_CODE_PIECE = 128 * 1024;

    /** Sessions of code that an agent may tell of. */
    static final int CODE_SESSIONS = 64;

    static final int LONGEST_PATH = 4_096;

    /** The readers, the ports, the ways out, the files, the code, the control stream, and some that are just ending. */
    static final int CALLS = READERS + PORT_CONNECTIONS + EGRESS_CONNECTIONS + FILE_CALLS + CODE_CALLS + 64;

    /** Calls of all kinds that one relay forwards to another. */
    static final int FORWARDED_CALLS = READERS + PORT_CONNECTIONS + FILE_CALLS + CODE_CALLS;

    /** A message of an agent and what a relay wraps it in. */
    static final int LARGEST_FORWARDED = LARGEST_MESSAGE + 1024;

    /** Calls that have not said yet what they are for, beyond those that were asked for. */
    static final int UNOPENED_CALLS = 16;

    /** Connections on which nobody has registered yet; when there are more, the oldest goes. */
    static final int UNREGISTERED = 256;

    /** Connections of one sandbox of this machine: its agent's, one that is just ending, and some that are tried. */
    static final int CONNECTIONS_OF_A_SANDBOX = 8;

    /** Connections that are taken of a sandbox within a second: an agent that dials again and again needs fewer. */
    static final int CONNECTIONS_A_SECOND = 20;

    /** Connections of one sandbox that wait with the kernel until they are taken. */
    static final int WAITING_CONNECTIONS = 16;

    /** From the connection to the end of its handshake. */
    static final Duration HANDSHAKE_WAIT = Duration.ofSeconds(5);

    /** Streams that a peer may cancel within {@link #CANCELLED_SECONDS}: a few for each of 1,000 commands a second. */
    static final int CANCELLED_STREAMS = 50_000;

    static final int CANCELLED_SECONDS = 10;

    /** Control messages that nobody asked for: heartbeats, late answers. */
    static final int UNASKED_AT_ONCE = 64;

    static final double UNASKED_PER_SECOND = 10;

    /** Programs inside that ask for permission: the agent itself lets through half of this. */
    static final int PERMISSIONS_AT_ONCE = 64;

    static final double PERMISSIONS_PER_SECOND = 8;

    static final int QUESTION_ID = 64;
    static final int QUESTION_SOURCE = 64;
    static final int QUESTION_ACTION = 256;
    static final int QUESTION_TEXT = 4 * 1024;
    static final int QUESTION_INPUT = 256 * 1024;

    /** Of X25519. */
    static final int SECRETS_KEY = 32;

    /** Questions that wait for the agent's answer. */
    static final int QUESTIONS = 256;

    /** Orders that the agent has not taken yet. */
    static final int UNSENT_ORDERS = 1024 * 1024;

    static final int LARGEST_METADATA = 8 * 1024;
    static final int TOKEN = 256;
    static final int VERSION = 64;
    static final int BOOT_ID = 128;
    static final int FAILURE_TEXT = 1024;
    static final int COMMAND_TEXT = 256;
    static final int LISTED_COMMANDS = 1024;
    static final int LISTED_PORTS = 256;
    static final int PROGRAM_TEXT = 64;

    /** From the connection to its Register. */
    static final Duration REGISTER_WAIT = Duration.ofSeconds(10);

    /** From an order to the stream that answers it. */
    static final Duration OPEN_WAIT = Duration.ofSeconds(10);

    static final Duration ANSWER_WAIT = Duration.ofSeconds(10);

    /** From a reader's farewell to the end of its stream; an agent that takes longer is cut off. */
    static final Duration FAREWELL_WAIT = Duration.ofSeconds(15);

    /** A connection without any call is closed after this. */
    static final Duration IDLE_CONNECTION = Duration.ofSeconds(10);

    private Bounds() {}
}
