package io.bivouac.sandboxio.keepalive;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxmodel.SandboxId;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KeepAliveTest {
    /** More than a quarter of the hour that a test's sandbox lives. */
    private static final Duration GONE = Duration.ofMinutes(20);

    private TestRelay relay;

    @BeforeEach
    void start() {
        relay = TestRelay.start(Map.of("bivouac.gateway.port", 0));
    }

    @AfterEach
    void stop() {
        relay.close();
    }

    @Test
    void trafficMovesTheEndAhead() {
        var used = kept(Duration.ofHours(24));
        var idle = kept(Duration.ofHours(24));
        var plain = relay.sandbox();
        try (var _ = relay.agent(used);
                var _ = relay.agent(idle);
                var _ = relay.agent(plain)) {
            relay.bean(Traffic.class).passed(plain);
            relay.bean(Traffic.class).passed(used);
            var before = Map.of(used, end(used), idle, end(idle), plain, end(plain));
            letTimePass(idle, plain, used);
            Wait.until(() -> end(used).isAfter(before.get(used)));
            assertThat(end(idle)).isEqualTo(before.get(idle).minus(GONE));
            assertThat(end(plain)).isEqualTo(before.get(plain).minus(GONE));
        }
    }

    @Test
    void theEndMovesNoFurtherThanTheTemplateAllows() {
        var sandbox = kept(Duration.ofMinutes(50));
        try (var _ = relay.agent(sandbox)) {
            relay.bean(Traffic.class).passed(sandbox);
            letTimePass(sandbox);
            var latest = relay.bean(SandboxStore.class)
                    .find(sandbox)
                    .orElseThrow()
                    .lifetime()
                    .keptUntil();
            Wait.until(() -> end(sandbox).equals(latest));
        }
    }

    @Test
    void aCommandThatRunsMovesTheEndAhead() {
        var sandbox = kept(Duration.ofHours(24));
        try (var _ = relay.agent(sandbox)) {
            var run = Map.of("command", "sleep 600", "background", true);
            assertThat(relay.http()
                            .post("/api/v1/sandboxes/" + sandbox + "/process/run", run)
                            .status())
                    .isEqualTo(200);
            var before = end(sandbox);
            letTimePass(sandbox);
            Wait.until(() -> end(sandbox).isAfter(before));
        }
    }

    private SandboxId kept(Duration longest) {
        var id = relay.sandbox();
        relay.statement("UPDATE sandboxes SET kept_until = created_at + interval '%d seconds' WHERE id = '%s'"
                .formatted(longest.toSeconds(), id));
        return id;
    }

    /** Moves the sandboxes' lives into the past, their latest ends excepted. */
    private void letTimePass(SandboxId... ids) {
        for (var id : ids) {
            relay.statement(
                    "UPDATE sandboxes SET expires_at = expires_at - interval '%1$d seconds', version = version + 1 WHERE id = '%2$s'"
                            .formatted(GONE.toSeconds(), id));
        }
    }

    private Instant end(SandboxId id) {
        return relay.bean(SandboxStore.class).find(id).orElseThrow().lifetime().expiresAt();
    }
}
