package io.bivouac.terminalrelay.recording;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.Exit;
import io.bivouac.agent.v1.Failure;
import io.bivouac.agent.v1.ProcessOpened;
import io.bivouac.agent.v1.Screen;
import io.bivouac.agentlink.CommandStream;
import io.micronaut.core.annotation.Nullable;
import java.time.Clock;

/**
 * One terminal while it is recorded: a viewer that writes down what it sees. It is asked for more only while little
 * waits to be stored. Thread-safe.
 */
final class Recorder implements Keeper {
    private final Asciicast cast;
    private final Clock clock;
    private final int columns;
    private final int rows;
    private final boolean first;
    private @Nullable CommandStream stream;
    private long next;
    private int owed;
    private boolean complete;
    private boolean gone;

    /** The size is the one that the terminal began with. */
    Recorder(Recording from, int columns, int rows, Clock clock) {
        this.cast = new Asciicast(from.lastAt());
        this.clock = clock;
        this.columns = columns;
        this.rows = rows;
        this.first = from.parts() == 0;
        this.next = from.nextOffset();
    }

    @Override
    public synchronized @Nullable Piece take() {
        if (cast.size() == 0 && !complete) {
            return null;
        }
        var piece = new Piece(cast.take(), next - cast.cut(), complete);
        for (; owed > 0 && stream != null; owed--) {
            stream.request();
        }
        return piece;
    }

    @Override
    public synchronized boolean isOver() {
        return gone;
    }

    @Override
    public synchronized void stop(String why) {
        cast.marker(why, clock.instant());
        complete = true;
        leave();
    }

    @Override
    public synchronized void leave() {
        gone = true;
        if (stream != null) {
            stream.detach();
        }
    }

    @Override
    public synchronized void opened(CommandStream open, ProcessOpened answer) {
        stream = open;
        if (first && answer.getPid() != 0) {
            cast.header(columns, rows, cast.last());
            if (answer.getColumns() != columns || answer.getRows() != rows) {
                cast.resized(answer.getColumns(), answer.getRows(), clock.instant());
            }
        }
        open.request();
    }

    @Override
    public synchronized void output(boolean stderr, long offset, ByteString data) {
        next = offset + data.size();
        cast.output(data, clock.instant());
        more();
    }

    @Override
    public synchronized void gap(boolean stderr, long from, long to) {
        next = to;
        cast.marker((to - from) + " bytes are missing", clock.instant());
        more();
    }

    @Override
    public synchronized void resized(int columns, int rows) {
        cast.resized(columns, rows, clock.instant());
        more();
    }

    private void more() {
        if (cast.size() < MOST_UNSTORED && stream != null) {
            stream.request();
        } else {
            owed++;
        }
    }

    @Override
    public synchronized void exited(Exit exit) {
        cast.exited(exit.getCode(), clock.instant());
        complete = true;
        gone = true;
    }

    @Override
    public synchronized void failed(Failure.Kind kind, String message) {
        gone = true;
    }

    @Override
    public synchronized void lost(String why) {
        gone = true;
    }

    @Override
    public synchronized void screen(Screen screen) {
        more();
    }

    @Override
    public synchronized void inputApplied(long sequence) {
        more();
    }

    @Override
    public void readyForInput() {}
}
