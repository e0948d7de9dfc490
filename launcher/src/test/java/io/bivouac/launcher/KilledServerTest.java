package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.launcher.WritingClient.Answers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server that is killed while clients write: whatever was answered is true after the restart. */
class KilledServerTest {
    private static final int CLIENTS = 4;
    private static final int FEWEST_ANSWERS = 8;
    private static final int MOST_ANSWERS = 40;
    private static final int LONGEST_MILLIS = 100;

    private final long seed = Long.getLong("bivouac.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final Answers answers = new Answers();

    @Test
    void threeKillsLoseNothingThatWasAnswered() throws Exception {
        killAndCheck(3);
    }

    @Test
    @Tag("soak")
    void twentyKillsLoseNothingThatWasAnswered() throws Exception {
        killAndCheck(20);
    }

    private void killAndCheck(int rounds) throws Exception {
        var clients = new ArrayList<WritingClient>();
        for (int client = 0; client < CLIENTS; client++) {
            clients.add(new WritingClient(seed + client, answers));
        }
        try (var site = CrashSite.open(Map.of())) {
            for (int round = 1; round <= rounds; round++) {
                int enough = random.nextInt(FEWEST_ANSWERS, MOST_ANSWERS);
                var where = "seed %d, round %d, killed after %d answers".formatted(seed, round, enough);
                killWhileWriting(site, clients, answers.count().get() + enough);
                ServerProcess.await(
                        where + ": no postgres and no Kafka after the kill, seen "
                                + site.traces().backingProcesses(),
                        () -> site.traces().backingProcesses().isEmpty());
                site.start();
                everyAnswerIsTrue(site, where);
                everyChangeWasPublished(site, where);
                System.out.printf(
                        "%s: %d created, %d of them deleted, all accounted for%n",
                        where, answers.ends().size(), answers.deleted().size());
            }
        }
    }

    private void killWhileWriting(CrashSite site, List<WritingClient> clients, int enough) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            clients.forEach(client -> threads.execute(() -> client.writeUntilTheServerIsGone(site.api())));
            try {
                ServerProcess.await(enough + " answers", () -> answers.count().get() >= enough);
                Thread.sleep(random.nextInt(LONGEST_MILLIS)); // the moment of the kill is what is tried
            } finally {
                site.kill();
            }
        }
    }

    private void everyAnswerIsTrue(CrashSite site, String where) throws Exception {
        var listed = site.api().sandboxes();
        assertThat(listed.keySet()).as(where + ": created and never deleted").containsAll(answers.alive());
        assertThat(answers.deleted()).as(where + ": deleted").noneMatch(listed::containsKey);
        for (var id : answers.alive()) {
            var sandbox = listed.get(id);
            assertThat(sandbox).as(where + ": " + id).containsEntry("state", "running");
            assertThat(Instant.parse(String.valueOf(sandbox.get("expiresAt"))))
                    .as(where + ": the end of " + id)
                    .isAfterOrEqualTo(answers.ends().get(id));
        }
    }

    private void everyChangeWasPublished(CrashSite site, String where) throws Exception {
        var database = site.database();
        ServerProcess.await(where + ": the outbox is empty", () -> isPublished(database));
        var last = database.lastSequences();
        ServerProcess.await(where + ": the outbox is empty", () -> isPublished(database));
        var published = PublishedEvents.of(site.data);
        for (var id : answers.ends().keySet()) {
            assertThat(published.bySandbox().getOrDefault(id, List.of()))
                    .as(where + ": events of " + id)
                    .anyMatch(event -> event.type().equals("sandbox.created"));
        }
        for (var id : published.bySandbox().keySet()) {
            assertThat(published.faultsOf(id, Long.parseLong(last.getOrDefault(id, "0"))))
                    .as(where + ": order of the events of " + id)
                    .isEmpty();
        }
        assertThat(published.bySandbox().keySet())
                .as(where + ": sandboxes with events")
                .containsAll(last.keySet());
    }

    private static boolean isPublished(SiteDatabase database) {
        try {
            return database.unpublished() == 0;
        } catch (java.sql.SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
