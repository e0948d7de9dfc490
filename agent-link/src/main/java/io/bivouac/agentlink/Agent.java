package io.bivouac.agentlink;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.Attach;
import io.bivouac.agent.v1.CodeOrder;
import io.bivouac.agent.v1.CommandInfo;
import io.bivouac.agent.v1.FileOrder;
import io.bivouac.agent.v1.ListeningPort;
import io.bivouac.agent.v1.RequestResult;
import io.bivouac.agent.v1.Run;
import io.bivouac.sandboxmodel.SandboxId;
import java.time.Duration;
import java.util.List;

/** What can be asked of a sandbox's agent, whichever relay it is connected to. Thread-safe. */
public interface Agent {
    SandboxId sandbox();

    /** What secrets for its commands are sealed to; empty when it takes none. */
    byte[] secretsKey();

    /** Starts a command with this input; empty for none. */
    CommandStream run(Run.Builder run, ByteString input, CommandListener listener);

    /** Starts a command that is typed to while it runs: a terminal, or one with its input held open. */
    CommandStream start(Run.Builder run, CommandListener listener);

    /** Reads a command that was started before. */
    CommandStream attach(Attach.Builder attach, CommandListener listener);

    /** Waits until the agent has sent the signal, or says why it did not; KILL follows after a while, unless zero. */
    RequestResult kill(String commandId, int signal, Duration killAfter);

    default RequestResult kill(String commandId, int signal) {
        return kill(commandId, signal, Duration.ZERO);
    }

    /** Connects to a port on the sandbox's loopback address. */
    CarriedStream openPort(int port);

    /** Does something with the sandbox's files; the listener hears how it goes. */
    FileStream files(FileOrder.Builder order, FileListener listener);

    /** Does something with code and its sessions; the listener hears how it goes. */
    CodeStream code(CodeOrder.Builder order, CodeListener listener);

    /** The same for a listener that never waits. */
    PortStream openPort(int port, PortStream.Listener listener);

    /** Where programs listen right now; each port once, by its number, and its text is cleaned. */
    List<ListeningPort> ports();

    /** The commands that run, and those that the agent still remembers; its text is cleaned. */
    List<CommandInfo> commands();
}
