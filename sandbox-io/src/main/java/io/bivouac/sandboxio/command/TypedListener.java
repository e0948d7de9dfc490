package io.bivouac.sandboxio.command;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.Exit;
import io.bivouac.agent.v1.Failure;
import io.bivouac.agent.v1.ProcessOpened;
import io.bivouac.agentlink.CommandListener;
import io.bivouac.agentlink.CommandStream;
import io.micronaut.core.annotation.Nullable;

/** Passes a command's output on, and makes its input known for as long. Thread-safe. */
final class TypedListener implements CommandListener {
    private final EventStream events;
    private final String sandbox;
    private final CommandInputs inputs;
    private volatile CommandInputs.@Nullable Place place;
    private volatile @Nullable CommandStream stream;

    TypedListener(EventStream events, String sandbox, CommandInputs inputs) {
        this.events = events;
        this.sandbox = sandbox;
        this.inputs = inputs;
    }

    void forget() {
        var known = place;
        if (known != null) {
            inputs.remove(known, stream);
        }
    }

    @Override
    public void opened(CommandStream open, ProcessOpened answer) {
        if (answer.getPid() != 0) {
            stream = open;
            place = new CommandInputs.Place(sandbox, answer.getPid());
            inputs.put(place, open);
        }
        events.opened(open, answer);
    }

    @Override
    public void output(boolean stderr, long offset, ByteString data) {
        events.output(stderr, offset, data);
    }

    @Override
    public void gap(boolean stderr, long from, long to) {
        events.gap(stderr, from, to);
    }

    @Override
    public void exited(Exit exit) {
        forget();
        events.exited(exit);
    }

    @Override
    public void failed(Failure.Kind kind, String message) {
        forget();
        events.failed(kind, message);
    }

    @Override
    public void lost(String why) {
        forget();
        events.lost(why);
    }
}
