package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A mixed load of creates, commands, terminals, webhooks and permission requests while every kind of process is
 * killed at random. Afterwards all is accounted for: what was answered is true, and nothing is left on the host.
 */
class SoakTest {
    private static final int USERS = 4;
    private static final Duration SHORT = Duration.ofSeconds(15);
    private static final Duration BETWEEN_KILLS = Duration.ofSeconds(6);

    /** From the end of the load until all is accounted for. */
    private static final Duration LONGEST_SETTLING = Duration.ofMinutes(20);

    private static final Map<String, String> SETTINGS =
            Map.of("BIVOUAC_LIFECYCLE_RECONCILE_EVERY", "2s", "BIVOUAC_WEBHOOK_ALLOW", "127.0.0.0/8");

    private enum Victim {
        SERVER,
        DATABASE,
        KAFKA,
        AGENT,
        SUPERVISOR
    }

    private final long seed = Long.getLong("bivouac.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final SoakLedger ledger = new SoakLedger();

    @Test
    void aShortLoadWithKillsLosesAndLeavesNothing() throws Exception {
        assertThat(soak(SHORT)).isNotEmpty();
    }

    /** {@code ./gradlew soak}; the ledger goes into docs/reliability.md. */
    @Test
    @Tag("soak")
    void anHourOfLoadAndKillsLosesAndLeavesNothing() throws Exception {
        var minutes = Optional.ofNullable(System.getenv("BIVOUAC_SOAK_MINUTES")).orElse("60");
        var time = Duration.ofMinutes(Long.parseLong(minutes));
        // A run that hangs is ended and tidied up.
        var lines = assertTimeoutPreemptively(time.plus(LONGEST_SETTLING), () -> soak(time));
        lines.forEach(System.out::println);
        ReliabilityPage.at(Path.of("../docs/reliability.md")).add(lines);
    }

    /** Gives the ledger, when everything in it is as it should be. */
    private List<String> soak(Duration time) throws Exception {
        try (var receiver = SoakReceiver.open();
                var site = CrashSite.open(SETTINGS)) {
            var endpoint = "{\"url\":\"" + receiver.url() + "\"}";
            Api.expect(201, site.api().send("POST", "/api/v1/webhooks/endpoints", endpoint));
            // A create warms the server up: the heap is compared from there.
            Api.expect(204, site.api().delete(site.api().created()));
            long heapBefore = heap(site);
            useAndKill(site, time);
            ServerProcess.await("the server is ready", () -> site.api().isReady());
            new SoakApprover(site::api, ledger, new AtomicBoolean(true)).answerAll();
            settles(site);
            answersAreTrue(site);
            var events = everyEventArrived(site, receiver);
            nothingIsOpen(site);
            long heapAfter = heap(site);
            for (var id : site.api().sandboxes().keySet()) {
                Api.expect(204, site.api().delete(id));
            }
            site.server().terminate();
            assertThat(site.server().awaitExit()).isEqualTo(143); // 128 + TERM
            assertThat(Agreement.remains(site.traces()))
                    .as("seed %d: what is left when all are deleted and the server has stopped", seed)
                    .isEmpty();
            return SoakReport.lines(time, seed, ledger, new SoakReport.End(events, receiver, heapBefore, heapAfter));
        }
    }

    private void useAndKill(CrashSite site, Duration time) throws Exception {
        var enough = new AtomicBoolean();
        long end = System.nanoTime() + time.toNanos();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int user = 0; user < USERS; user++) {
                threads.execute(new SoakUser(site::api, ledger, enough, random.nextLong()));
            }
            threads.execute(new SoakApprover(site::api, ledger, enough));
            try {
                for (int round = 0; System.nanoTime() < end; round++) {
                    long answers = ledger.kept("commands");
                    ServerProcess.await("commands are answered again", () -> ledger.kept("commands") > answers + 5);
                    Thread.sleep(random.nextLong(BETWEEN_KILLS.toMillis())); // the moment of the kill is what is tried
                    kill(site, victim(round));
                }
            } finally {
                enough.set(true);
            }
        }
    }

    /** Each kind once, then at random. */
    private Victim victim(int round) {
        var all = Victim.values();
        return round < all.length ? all[round] : all[random.nextInt(all.length)];
    }

    private void kill(CrashSite site, Victim victim) throws Exception {
        switch (victim) {
            case SERVER -> {
                site.kill();
                site.start();
            }
            case DATABASE -> CrashSite.kill(SiteDatabase.processOf(site.data));
            case KAFKA -> site.traces().kafkaProcess().ifPresent(CrashSite::kill);
            case AGENT -> killOneOf(site, "init.pid");
            case SUPERVISOR -> killOneOf(site, "supervisor.pid");
        }
        ledger.killed(victim.name().toLowerCase(java.util.Locale.ROOT));
        ServerProcess.await("the server is ready again", () -> site.api().isReady());
    }

    private void killOneOf(CrashSite site, String file) throws InterruptedException {
        var found = new ArrayList<Long>();
        ServerProcess.await("a sandbox with a living " + file, () -> {
            site.traces().sandboxFolders().stream()
                    .flatMap(id -> site.traces().process(id, file).stream())
                    .forEach(found::add);
            return !found.isEmpty();
        });
        CrashSite.kill(found.get(random.nextInt(found.size())));
    }

    private void settles(CrashSite site) throws Exception {
        var faults = new ArrayList<String>();
        ServerProcess.await("API, database and host agree", () -> {
            faults.clear();
            try {
                faults.addAll(Agreement.faults(site));
            } catch (Exception notYet) {
                faults.add(notYet.toString());
            }
            return faults.isEmpty();
        });
    }

    private void answersAreTrue(CrashSite site) throws Exception {
        var listed = site.api().sandboxes().keySet();
        assertThat(listed).as("seed %d: created and never deleted", seed).containsAll(ledger.alive);
        assertThat(ledger.deleted).as("seed %d: deleted", seed).noneMatch(listed::contains);
        assertThat(ledger.wrong).as("seed %d: wrong answers", seed).isEmpty();
    }

    /** How many there were. */
    private int everyEventArrived(CrashSite site, SoakReceiver receiver) throws Exception {
        ServerProcess.await("every event has come to the receiver", () -> {
            try {
                return receiver.events.containsAll(site.database().eventIds());
            } catch (SQLException notYet) {
                return false;
            }
        });
        return new HashSet<>(site.database().eventIds()).size();
    }

    /** Requests of sandboxes that are gone, or whose program has ended, are over by now too. */
    private void nothingIsOpen(CrashSite site) throws Exception {
        var approver = new SoakApprover(site::api, ledger, new AtomicBoolean(true));
        ServerProcess.await("no permission request is open", () -> {
            try {
                approver.answerAll();
                return site.database().openPermissions() == 0;
            } catch (Exception notYet) {
                return false;
            }
        });
    }

    /** After a collection, so that it is what is held and not what is yet to be collected. */
    private static long heap(CrashSite site) throws Exception {
        var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        new ProcessBuilder(jcmd, Long.toString(site.server().pid()), "GC.run")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        var stats = Api.json(Api.expect(200, site.api().send("GET", "/api/v1/stats", "")));
        return ((Number) ((Map<?, ?>) stats.get("server")).get("heapBytes")).longValue();
    }
}
