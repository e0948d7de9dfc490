package io.bivouac.sandboxio.command;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.Run;
import io.bivouac.sandboxio.command.Program.Argv;
import io.bivouac.sandboxio.command.Program.ShellLine;
import java.time.Duration;

/** Programs and commands as an agent is told of them: the one place where they become protobuf. */
public final class RunMessages {
    private RunMessages() {}

    /** Without ids and bounds. */
    public static Run.Builder of(Program program) {
        var run = Run.newBuilder().putAllEnv(program.envs());
        switch (program.line()) {
            case ShellLine shell -> run.setShellLine(shell.text());
            case Argv argv -> run.getArgvBuilder().addAllWords(argv.words());
            case null -> {}
        }
        if (program.cwd() != null) {
            run.setCwd(program.cwd());
        }
        if (program.user() != null) {
            run.setUser(program.user());
        }
        return run;
    }

    static Run.Builder of(CommandOrder order, Duration linger) {
        return of(order.program())
                .setCommandId(order.commandId())
                .setLingerMillis(linger.toMillis())
                .setBackground(order.reading() == CommandOrder.Reading.IN_BACKGROUND)
                .setTimeoutMillis(order.timeout().toMillis())
                .setMaxOutputBytes(order.maxOutputBytes());
    }

    static ByteString input(CommandOrder order) {
        return ByteString.copyFromUtf8(order.stdin());
    }
}
