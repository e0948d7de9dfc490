package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KeepAliveTest {
    /** Much less than it would take to find out by looking. */
    private static final long AT_ONCE_SECONDS = 5;

    private final LinkedBlockingQueue<Process> started = new LinkedBlockingQueue<>();
    private final KeepAlive keepAlive = KeepAlive.start(new Shutdown(Progress.toStandardOutput()));
    private volatile Process running;
    private volatile CompletableFuture<Process> end;
    private volatile int refusals;

    @AfterEach
    void stop() {
        keepAlive.stop();
        running.destroyForcibly();
    }

    @Test
    void aChildThatDiesIsStartedAtOnceAndAgain() throws InterruptedException {
        start();
        keepAlive.watch("child", this::end, this::start);
        for (int death = 0; death < 3; death++) {
            next().destroyForcibly();
        }
        assertThat(next().isAlive()).isTrue();
    }

    @Test
    void aStartThatFailsIsTriedAgain() throws InterruptedException {
        start();
        refusals = 2;
        keepAlive.watch("child", this::end, this::start);
        next().destroyForcibly();
        assertThat(next().isAlive()).isTrue();
        assertThat(refusals).isZero();
    }

    private CompletableFuture<Process> end() {
        return end;
    }

    private void start() {
        if (running != null && refusals > 0) {
            refusals--;
            throw new IllegalStateException("not yet");
        }
        try {
            running = new ProcessBuilder("sleep", "1000").start();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        end = running.onExit();
        started.add(running);
    }

    private Process next() throws InterruptedException {
        var process = started.poll(AT_ONCE_SECONDS, TimeUnit.SECONDS);
        assertThat(process).as("a process that was started").isNotNull();
        return process;
    }
}
