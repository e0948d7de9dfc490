package io.bivouac.agentlink;

import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.bivouac.agent.v1.AgentServiceGrpc;
import io.bivouac.agent.v1.CarriedDown;
import io.bivouac.agent.v1.CarriedUp;
import io.bivouac.agent.v1.CodeDown;
import io.bivouac.agent.v1.CodeServiceGrpc;
import io.bivouac.agent.v1.CodeUp;
import io.bivouac.agent.v1.FileDown;
import io.bivouac.agent.v1.FileServiceGrpc;
import io.bivouac.agent.v1.FileUp;
import io.bivouac.agent.v1.PortServiceGrpc;
import io.bivouac.agent.v1.ProcessDown;
import io.bivouac.agent.v1.ProcessUp;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import java.util.List;
import java.util.function.Function;

/**
 * A kind of call that an agent opens because it was ordered to. All that relays must know of a new one, to count its
 * calls and to forward them, is an entry here.
 *
 * @param method as gRPC names it
 * @param opens the id of the call that a message opens; empty when it opens none
 * @param farewell what the agent is told when whoever ordered the call is gone; null: the call is cancelled
 * @param limit calls of this kind for one sandbox, those on their way included
 * @param counted what there are too many of beyond the limit
 */
record CallKind<U extends MessageLite, D extends MessageLite>(
        String method,
        Parser<U> up,
        Parser<D> down,
        Function<U, String> opens,
        @Nullable D farewell,
        int limit,
        ErrorCode beyond,
        String counted) {
    /** One reader of one command. */
    static final CallKind<ProcessUp, ProcessDown> PROCESS = new CallKind<>(
            AgentServiceGrpc.getProcessMethod().getFullMethodName(),
            ProcessUp.parser(),
            ProcessDown.parser(),
            message -> message.getOpened().getReaderId(),
            ProcessDown.newBuilder().setDetach(true).build(),
            Bounds.READERS,
            ErrorCode.COMMAND_LIMIT_EXCEEDED,
            "commands being read");

    /** One connection to a port. */
    static final CallKind<CarriedUp, CarriedDown> PORT = new CallKind<>(
            PortServiceGrpc.getCarryMethod().getFullMethodName(),
            CarriedUp.parser(),
            CarriedDown.parser(),
            message -> message.getOpened().getConnectionId(),
            null,
            Bounds.PORT_CONNECTIONS,
            ErrorCode.UNAVAILABLE,
            "connections to its ports");

    /** One operation on files. */
    static final CallKind<FileUp, FileDown> FILE = new CallKind<>(
            FileServiceGrpc.getOperateMethod().getFullMethodName(),
            FileUp.parser(),
            FileDown.parser(),
            message -> message.getOpened().getCallId(),
            FileDown.newBuilder().setStop(true).build(),
            Bounds.FILE_CALLS,
            ErrorCode.TRANSFER_LIMIT_EXCEEDED,
            "file operations under way");

    /** One operation on code. */
    static final CallKind<CodeUp, CodeDown> CODE = new CallKind<>(
            CodeServiceGrpc.getOperateMethod().getFullMethodName(),
            CodeUp.parser(),
            CodeDown.parser(),
            message -> message.getOpened().getCallId(),
            CodeDown.newBuilder().setStop(true).build(),
            Bounds.CODE_CALLS,
            ErrorCode.CODE_LIMIT_EXCEEDED,
            "operations on code under way");

    static final List<CallKind<?, ?>> ALL = List.of(PROCESS, PORT, FILE, CODE);

    /** Null when agents open no such call by order. */
    @Nullable static CallKind<?, ?> of(String method) {
        return ALL.stream()
                .filter(kind -> kind.method().equals(method))
                .findFirst()
                .orElse(null);
    }

    BivouacException tooMany(SandboxId sandbox) {
        return new BivouacException(
                beyond, "Sandbox " + sandbox + " has " + limit + " " + counted + ", which is the limit.");
    }
}
