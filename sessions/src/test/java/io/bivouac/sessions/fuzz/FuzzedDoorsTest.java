package io.bivouac.sessions.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.Http;
import io.bivouac.agentlink.testing.Socket;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.sandboxmodel.SandboxId;
import io.netty.util.ResourceLeakDetector;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever clients say, the relay goes on, and holds nothing for them once they are gone. */
class FuzzedDoorsTest {
    private static final int CLIENTS = 8;
    private static final Duration LONGEST_ROUND = Duration.ofSeconds(3);
    private static final long MOST_GROWTH_MIB = 24;

    /** None that would do what it is told: the agent of these tests is no sandbox. */
    private static final List<String> PROGRAMS =
            List.of("cat", "stty raw -echo; exec cat", "exec yes", "exec sleep 600");

    private static final Map<String, Object> SETTINGS = Map.of(
            "bivouac.terminal.per-user", 10_000,
            "bivouac.terminal.kill-after", "200ms",
            "bivouac.terminal.look-every", "200ms",
            "bivouac.terminal.hold", "1s");

    private final long seed = Long.getLong("bivouac.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private ResourceLeakDetector.Level before;

    @BeforeEach
    void watchEveryBuffer() {
        before = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    }

    @AfterEach
    void watchAsBefore() {
        ResourceLeakDetector.setLevel(before);
    }

    @Test
    void nonsenseLeavesNothingBehind() throws Exception {
        fuzz(10);
    }

    @Test
    @Tag("soak")
    void muchNonsenseLeavesNothingBehind() throws Exception {
        fuzz(300);
    }

    private void fuzz(int rounds) throws Exception {
        try (var log = new LoudLog();
                var relay = TestRelay.start(SETTINGS)) {
            var id = relay.sandbox();
            try (var _ = relay.agent(id)) {
                var http = relay.newcomer();
                // So that everything that is made once has been made.
                everyDoorServes(http, id);
                round(http, id);
                awaitIdle(relay, id);
                long heap = RelayFigures.heap();
                for (int i = 0; i < rounds; i++) {
                    round(http, id);
                }
                everyDoorServes(http, id);
                awaitIdle(relay, id);
                long grown = RelayFigures.heap() - heap;
                // A buffer that was lost is found when others are asked for after it was collected.
                everyDoorServes(http, id);
                System.out.printf("seed %d: %d rounds, heap %+d MiB%n", seed, rounds, grown);
                assertThat(ManagementFactory.getThreadMXBean().findDeadlockedThreads())
                        .as("seed %d: threads", seed)
                        .isNull();
                assertThat(grown).as("seed %d: MiB of heap", seed).isLessThan(MOST_GROWTH_MIB);
                assertThat(log.complaints())
                        .as("seed %d", seed)
                        .filteredOn(complaint -> !isOfAnother(complaint, id))
                        .isEmpty();
            }
        }
    }

    /** Other tests leave sandboxes in the database whose agents are gone. */
    private static boolean isOfAnother(String complaint, SandboxId id) {
        return complaint.contains("its agent did not come back") && !complaint.contains(id.value());
    }

    private void awaitIdle(TestRelay relay, SandboxId id) {
        Wait.until(
                () -> RelayFigures.of(relay, id).equals(RelayFigures.NOTHING),
                () -> "seed %d: %s".formatted(seed, RelayFigures.of(relay, id)));
    }

    /** Some clients at once, at terminals that are made for them, until they are through or it takes too long. */
    private void round(Http http, SandboxId id) throws InterruptedException {
        var program = PROGRAMS.get(random.nextInt(PROGRAMS.size()));
        var pty = id + "/pty/"
                + http.post(id + "/pty", Map.of("command", program)).text("id");
        var session = session(http, id, Map.of());
        var sealed = session(http, id, Map.of("sealed", true, "publicKey", anyKey()));
        var doors = List.of(
                pty + "/ws",
                session + "/ws",
                sealed + "/ws",
                id + "/exec/interactive?command=cat",
                id + "/exec/interactive?command=cat&tty=false",
                id + "/exec/interactive?command=yes&tty=false");
        var clients = new ArrayList<HostileClient>();
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < CLIENTS; i++) {
            var client =
                    new HostileClient(http, doors.get(random.nextInt(doors.size())), new Random(random.nextLong()));
            clients.add(client);
            threads.add(Thread.ofVirtual().start(client::run));
        }
        long end = System.nanoTime() + random.nextLong(LONGEST_ROUND.toNanos());
        for (var thread : threads) {
            thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
        }
        for (var client : clients) {
            client.cut();
        }
        for (var thread : threads) {
            thread.join();
        }
        for (var terminal : List.of(pty, session, sealed)) {
            http.delete(terminal);
        }
    }

    private static String session(Http http, SandboxId id, Map<String, Object> more) {
        var wish = new HashMap<String, Object>(Map.of("sandboxId", id.value(), "command", "cat"));
        wish.putAll(more);
        return "/-/terminal/sessions/" + http.post("/-/terminal/sessions", wish).text("sessionId");
    }

    private static String anyKey() {
        var key = new byte[32];
        key[0] = 9;
        return Base64.getEncoder().encodeToString(key);
    }

    private static void everyDoorServes(Http http, SandboxId id) {
        var pty =
                id + "/pty/" + http.post(id + "/pty", Map.of("command", "cat")).text("id");
        var session = session(http, id, Map.of());
        for (var door : List.of(pty + "/ws", session + "/ws", id + "/exec/interactive?command=cat")) {
            try (var socket = http.socket(door, Socket.BINARY)) {
                socket.type(1, "hello\n").awaitOutput(seen -> seen.contains("hello\r\nhello\r\n"));
            }
        }
        for (var door : List.of(session + "/ws", id + "/exec/interactive?command=cat")) {
            try (var socket = http.socket(door)) {
                socket.send("{\"type\":\"input\",\"data\":\"again\\n\"}")
                        .awaitText(seen -> seen.contains("again\r\nagain\r\n"));
            }
        }
        try (var socket = http.socket(pty + "/ws")) {
            socket.send("{\"type\":\"resize\",\"cols\":0}").awaitMessage("error");
        }
        http.delete(pty);
        http.delete(session);
    }
}
