package io.bivouac.webhooks.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.events.EventType;
import io.bivouac.events.PermissionData;
import io.bivouac.events.PortData;
import io.bivouac.events.TerminalData;
import io.bivouac.foundation.fixture.EventSchemaCheck;
import io.bivouac.foundation.fixture.Eventually;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxmodel.Teardown;
import io.bivouac.sandboxmodel.transition.Happening;
import io.bivouac.sandboxmodel.transition.Happening.AgentLost;
import io.bivouac.sandboxmodel.transition.Happening.AgentRegistered;
import io.bivouac.sandboxmodel.transition.Happening.DeleteRequested;
import io.bivouac.sandboxmodel.transition.Happening.ExpiryNear;
import io.bivouac.sandboxmodel.transition.Happening.PauseRequested;
import io.bivouac.sandboxmodel.transition.Happening.PermissionRequested;
import io.bivouac.sandboxmodel.transition.Happening.PermissionResolved;
import io.bivouac.sandboxmodel.transition.Happening.PortClosed;
import io.bivouac.sandboxmodel.transition.Happening.PortOpened;
import io.bivouac.sandboxmodel.transition.Happening.ResumeRequested;
import io.bivouac.sandboxmodel.transition.Happening.TeardownDone;
import io.bivouac.sandboxmodel.transition.Happening.TerminalEnded;
import io.bivouac.sandboxmodel.transition.Happening.TerminalStarted;
import io.bivouac.sandboxmodel.transition.Happening.TimeOver;
import io.bivouac.webhooks.fixture.Messenger;
import io.bivouac.webhooks.fixture.Receiver;
import io.bivouac.webhooks.fixture.Receiver.Received;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Everything that can be said about a sandbox, from the store's transaction to the subscriber. */
class WholeLifeTest {
    private static final List<String> HEARD = List.of(
            "sandbox.created",
            "sandbox.starting",
            "agent.connected",
            "sandbox.running",
            "sandbox.port-opened",
            "sandbox.port-closed",
            "sandbox.paused",
            "sandbox.resumed",
            "terminal.started",
            "permission.requested",
            "permission.resolved",
            "agent.disconnected",
            "sandbox.error",
            "terminal.ended",
            "sandbox.expiring",
            "sandbox.expired",
            "sandbox.stopped",
            "sandbox.deleted");

    @Test
    void aSubscriberHearsAllOfALifeInItsOrder() {
        var messenger = Messenger.shared();
        var api = messenger.newProject();
        try (var receiver = new Receiver()) {
            var made = api.endpoint(receiver.url());
            var id = messenger.sandbox(api).id();
            var terminal = new TerminalData(id.value(), "trm_1", "key_1", null, null, null);
            var question = new PermissionData(
                    id.value(), null, "prm_1", "deploy", "Release", null, null, null, Instant.now(), null, null, null);
            var answer = new PermissionData(
                    id.value(), null, "prm_1", null, null, null, null, null, null, "allowed", "key_1", null);
            var port = new PortData(id.value(), 8080, "python3");
            var store = messenger.bean(SandboxStore.class);
            for (Happening happening : List.of(
                    new AgentRegistered("1"),
                    new PortOpened(port),
                    new PortClosed(port),
                    new PauseRequested(),
                    new ResumeRequested(),
                    new TerminalStarted(terminal),
                    new PermissionRequested(question),
                    new PermissionResolved(answer),
                    new AgentLost("no sign of life"),
                    new TerminalEnded(new TerminalData(id.value(), "trm_1", "key_1", -9, "sandbox", 5L)),
                    new ExpiryNear(),
                    new TimeOver(java.time.Duration.ofDays(1)),
                    new TeardownDone(Teardown.expire(true)),
                    new DeleteRequested(false),
                    new TeardownDone(Teardown.delete(false)))) {
                store.on(id, happening);
            }
            var heard =
                    Eventually.get("the whole life", receiver::received, requests -> requests.size() >= HEARD.size());
            assertThat(heard).extracting(Received::type).containsExactlyElementsOf(HEARD);
            assertThat(heard)
                    .extracting(Received::sequence)
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, HEARD.size()).boxed().toList());
            heard.forEach(request -> EventSchemaCheck.mustFit(request.type(), request.text()));
            api.delete("/api/v1/webhooks/endpoints/" + made.text("/id"));
        }
    }

    @Test
    void noTypeIsLeftOut() {
        assertThat(Arrays.stream(EventType.values())
                        .map(EventType::wireName)
                        .filter(type -> !type.startsWith("webhook.")))
                .containsExactlyInAnyOrderElementsOf(HEARD);
    }
}
