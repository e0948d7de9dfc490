package io.bivouac.agentlink;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.Exit;
import io.bivouac.agent.v1.Failure;
import io.bivouac.agent.v1.ProcessOpened;
import io.bivouac.agent.v1.Screen;
import io.bivouac.agentlink.testing.Wait;
import java.util.concurrent.atomic.AtomicLong;

/** Writes down what one reader hears, and asks for more until it is held. */
final class Heard implements CommandListener {
    private final StringBuilder text = new StringBuilder();
    private final AtomicLong bytes = new AtomicLong();
    private volatile CommandStream stream;
    private volatile boolean held;
    private volatile String end = "";

    CommandStream stream() {
        Wait.until(() -> stream != null || !end.isEmpty());
        assertThat(stream).as(end).isNotNull();
        return stream;
    }

    synchronized String text() {
        return text.toString();
    }

    long bytes() {
        return bytes.get();
    }

    String awaitEnd() {
        Wait.until(() -> !end.isEmpty(), this::text);
        return end;
    }

    void awaitText(String wanted) {
        Wait.until(() -> text().contains(wanted), () -> text() + end);
    }

    /** Asks for nothing more. */
    Heard hold() {
        held = true;
        return this;
    }

    void release() {
        held = false;
        stream().request();
    }

    @Override
    public boolean readsOn() {
        return false;
    }

    @Override
    public void opened(CommandStream open, ProcessOpened answer) {
        stream = open;
        open.request();
    }

    @Override
    public void output(boolean stderr, long offset, ByteString data) {
        bytes.addAndGet(data.size());
        write((stderr ? "2:" : "") + data.toStringUtf8());
    }

    @Override
    public void gap(boolean stderr, long from, long to) {
        write("[gap]");
    }

    @Override
    public boolean screen(Screen screen) {
        write("[screen]" + screen.getData().toStringUtf8());
        return true;
    }

    @Override
    public boolean inputApplied(long sequence) {
        write("");
        return true;
    }

    @Override
    public boolean resized(int columns, int rows) {
        write("[" + columns + "x" + rows + "]");
        return true;
    }

    private void write(String heard) {
        synchronized (this) {
            if (text.length() < 10_000) {
                text.append(heard);
            }
        }
        if (!held) {
            stream.request();
        }
    }

    @Override
    public void exited(Exit exit) {
        end = "exit " + exit.getCode();
    }

    @Override
    public void failed(Failure.Kind kind, String message) {
        end = kind + " " + message;
    }

    @Override
    public void lost(String why) {
        end = why;
    }
}
