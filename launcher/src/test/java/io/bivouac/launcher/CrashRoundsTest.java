package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Servers, agents, supervisors and the database are killed in turn while sandboxes are used. */
class CrashRoundsTest {
    private static final int USERS = 3;
    private static final int ANSWERS = 15;
    private static final int LONGEST_MILLIS = 300;
    private static final Duration SETTLED_WITHIN = Duration.ofMinutes(3);

    /** Rounds of the keeper come often, so that the test need not wait for them. */
    private static final Map<String, String> SETTINGS = Map.of("BIVOUAC_LIFECYCLE_RECONCILE_EVERY", "2s");

    private enum Victim {
        SERVER,
        AGENT,
        SUPERVISOR,
        DATABASE
    }

    private final long seed = Long.getLong("bivouac.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @Test
    void oneKillOfEachKindIsPutRight() throws Exception {
        killAndSettle(4);
    }

    @Test
    @Tag("soak")
    void fiftyKillsArePutRight() throws Exception {
        killAndSettle(50);
    }

    private void killAndSettle(int rounds) throws Exception {
        try (var site = CrashSite.open(SETTINGS)) {
            var counting = CountingCommand.start(site.api());
            for (int round = 0; round < rounds; round++) {
                var victim = Victim.values()[round % Victim.values().length];
                int answered = killWhileUsed(site, victim, counting.sandbox());
                System.out.printf("seed %d, round %d: %s killed, %d answers%n", seed, round + 1, victim, answered);
                if (victim == Victim.SERVER) {
                    counting.goesOn(site.api());
                }
            }
            settles(site);
            counting.goesOn(site.api());
            for (var id : site.api().sandboxes().keySet()) {
                Api.expect(204, site.api().delete(id));
            }
            assertThat(site.api().sandboxes()).isEmpty();
            site.server().terminate();
            assertThat(site.server().awaitExit()).isEqualTo(143); // 128 + TERM
            assertThat(Agreement.remains(site.traces()))
                    .as("seed %d: what is left when all are deleted and the server has stopped", seed)
                    .isEmpty();
        }
    }

    private int killWhileUsed(CrashSite site, Victim victim, String spared) throws Exception {
        var enough = new AtomicBoolean();
        var users = new java.util.ArrayList<SandboxUser>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int user = 0; user < USERS; user++) {
                users.add(new SandboxUser(site.api(), enough, random.nextLong()));
            }
            users.forEach(threads::execute);
            try {
                ServerProcess.await(ANSWERS + " answers", () -> answersOf(users) >= ANSWERS);
                Thread.sleep(random.nextInt(LONGEST_MILLIS)); // the moment of the kill is what is tried
                kill(site, victim, spared);
                Thread.sleep(random.nextInt(LONGEST_MILLIS));
            } finally {
                enough.set(true);
            }
        }
        if (victim == Victim.SERVER) {
            site.start();
        }
        ServerProcess.await("the server is ready again", () -> site.api().isReady());
        return answersOf(users);
    }

    private static int answersOf(List<SandboxUser> users) {
        return users.stream().mapToInt(SandboxUser::answered).sum();
    }

    private void kill(CrashSite site, Victim victim, String spared) throws Exception {
        switch (victim) {
            case SERVER -> site.kill();
            case AGENT -> CrashSite.kill(someProcess(site, "init.pid", spared));
            case SUPERVISOR -> CrashSite.kill(someProcess(site, "supervisor.pid", spared));
            case DATABASE -> CrashSite.kill(SiteDatabase.processOf(site.data));
        }
    }

    private long someProcess(CrashSite site, String file, String spared) throws InterruptedException {
        var found = new java.util.ArrayList<Long>();
        ServerProcess.await("a sandbox with a living " + file, () -> {
            site.traces().sandboxFolders().stream()
                    .filter(id -> !id.equals(spared))
                    .flatMap(id -> site.traces().process(id, file).stream())
                    .forEach(found::add);
            return !found.isEmpty();
        });
        return found.get(random.nextInt(found.size()));
    }

    private void settles(CrashSite site) throws Exception {
        long started = System.nanoTime();
        List<String> faults = Agreement.faults(site);
        while (!faults.isEmpty() && System.nanoTime() - started < SETTLED_WITHIN.toNanos()) {
            Thread.sleep(200);
            faults = Agreement.faults(site);
        }
        assertThat(faults)
                .as("seed %d: what API, database and host disagree about after %s", seed, SETTLED_WITHIN)
                .isEmpty();
        System.out.printf(
                "seed %d: %s after %d ms%n",
                seed, site.database().states().values(), (System.nanoTime() - started) / 1_000_000);
    }
}
