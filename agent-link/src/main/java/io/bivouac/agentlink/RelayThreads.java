package io.bivouac.agentlink;

import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads for what asks the database many times in a row while somebody waits: registrations, questions and answers.
 * They are threads of the operating system for the reason that functions' are: on a virtual thread each answer of the
 * database takes two more hand-overs. Thread-safe.
 */
@Singleton
public class RelayThreads implements Executor {
    /** A registration may wait for its predecessor's ping; one of each sandbox at a time. */
    private static final int MOST = 128;

    private static final int MOST_WAITING = 8192;

    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            MOST,
            MOST,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MOST_WAITING),
            Thread.ofPlatform().name("relay-", 0).daemon().factory());

    RelayThreads() {
        threads.allowCoreThreadTimeOut(true);
    }

    /** @throws java.util.concurrent.RejectedExecutionException when far too much waits already */
    @Override
    public void execute(Runnable work) {
        threads.execute(work);
    }

    @PreDestroy
    void close() {
        threads.shutdownNow();
    }
}
