package io.bivouac.terminalrelay.recording;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.Exit;
import io.bivouac.agent.v1.ProcessOpened;
import io.bivouac.agent.v1.Screen;
import io.bivouac.agentlink.CommandStream;
import java.time.Clock;

/** A viewer that writes down what it sees. Thread-safe. */
final class Recorder extends Keeper {
    private final Asciicast cast;
    private final Clock clock;
    private final int columns;
    private final int rows;
    private final boolean first;
    private long next;

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
    int unstored() {
        return cast.size();
    }

    @Override
    Piece piece(boolean complete) {
        return new Piece(cast.take(), next - cast.cut(), complete);
    }

    @Override
    synchronized void stop(String why) {
        cast.marker(why, clock.instant());
        super.stop(why);
    }

    @Override
    public synchronized void opened(CommandStream open, ProcessOpened answer) {
        if (first && answer.getPid() != 0) {
            cast.header(columns, rows, cast.last());
            if (answer.getColumns() != columns || answer.getRows() != rows) {
                cast.resized(answer.getColumns(), answer.getRows(), clock.instant());
            }
        }
        super.opened(open, answer);
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
    public synchronized boolean resized(int columns, int rows) {
        cast.resized(columns, rows, clock.instant());
        more();
        return true;
    }

    @Override
    public boolean screen(Screen screen) {
        more();
        return true;
    }

    @Override
    public boolean inputApplied(long sequence) {
        more();
        return true;
    }

    @Override
    public synchronized void exited(Exit exit) {
        cast.exited(exit.getCode(), clock.instant());
        complete();
    }
}
