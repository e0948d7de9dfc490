package io.bivouac.launcher;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** Makes sandboxes, runs all kinds of commands in them, and ends some: what is under way when something is killed. */
final class SandboxUser implements Runnable {
    private static final int MOST = 4;
    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final String STREAM = "for i in 1 2 3 4 5; do echo $i; sleep 0.05; done";

    private final Api api;
    private final AtomicBoolean enough;
    private final Random random;
    private final List<String> mine = new ArrayList<>();
    private volatile int answered;

    SandboxUser(Api api, AtomicBoolean enough, long seed) {
        this.api = api;
        this.enough = enough;
        this.random = new Random(seed);
    }

    int answered() {
        return answered;
    }

    @Override
    public void run() {
        while (!enough.get()) {
            try {
                use();
            } catch (IOException killed) {
                // A request that meets the kill; others follow until the round is over.
                LockSupport.parkNanos(PAUSE.toNanos());
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Whatever is answered: right after a kill, refusals are right. */
    private void use() throws IOException, InterruptedException {
        int chance = random.nextInt(10);
        if (mine.isEmpty() || (chance < 3 && mine.size() < MOST)) {
            var created = api.create();
            if (created.statusCode() == 201) {
                mine.add(Api.text(created, "id"));
            }
        } else {
            var id = mine.get(random.nextInt(mine.size()));
            switch (chance) {
                case 3, 4 -> api.run(id, "echo foreground", "");
                case 5, 6 -> api.run(id, STREAM, ", \"stream\": true");
                case 7 -> api.run(id, "sleep 2; echo background", ", \"background\": true");
                case 8 -> api.stop(id);
                default -> {
                    mine.remove(id);
                    api.delete(id);
                }
            }
        }
        answered = answered + 1; // by this thread only
    }
}
