package io.bivouac.launcher;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Creates, extends and deletes sandboxes of its own until its server is gone, and remembers what it was answered. */
final class WritingClient {
    private static final int MOST = 4;

    private final Random random;
    private final List<String> mine = new ArrayList<>();
    private final Answers answers;

    /** What the server has promised to all clients. */
    record Answers(Map<String, Instant> ends, Set<String> asked, Set<String> deleted, AtomicInteger count) {
        Answers() {
            this(
                    new ConcurrentHashMap<>(),
                    ConcurrentHashMap.newKeySet(),
                    ConcurrentHashMap.newKeySet(),
                    new AtomicInteger());
        }

        /** Created, and nobody has asked for their end. */
        Set<String> alive() {
            var alive = new java.util.TreeSet<>(ends.keySet());
            alive.removeAll(asked);
            return alive;
        }
    }

    WritingClient(long seed, Answers answers) {
        this.random = new Random(seed);
        this.answers = answers;
    }

    void writeUntilTheServerIsGone(Api api) {
        try {
            while (true) {
                write(api);
                answers.count().incrementAndGet();
            }
        } catch (IOException gone) {
            // The answer to the last request will never be known.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void write(Api api) throws IOException, InterruptedException {
        int chance = random.nextInt(10);
        if (mine.isEmpty() || (mine.size() < MOST && chance < 5)) {
            var created = api.create();
            if (created.statusCode() == 201) {
                var id = Api.text(created, "id");
                answers.ends().put(id, Instant.parse(Api.text(created, "expiresAt")));
                mine.add(id);
            }
        } else if (chance < 7) {
            var id = mine.get(random.nextInt(mine.size()));
            var extended = api.extend(id);
            if (extended.statusCode() == 200) {
                answers.ends().put(id, Instant.parse(Api.text(extended, "expiresAt")));
            }
        } else {
            var id = mine.remove(random.nextInt(mine.size()));
            answers.asked().add(id);
            if (api.delete(id).statusCode() == 204) {
                answers.deleted().add(id);
            }
        }
    }
}
