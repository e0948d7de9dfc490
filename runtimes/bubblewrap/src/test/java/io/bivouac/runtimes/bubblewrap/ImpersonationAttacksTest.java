package io.bivouac.runtimes.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.sandboxes.token.SandboxTokens;
import io.bivouac.sandboxmodel.Resources;
import io.bivouac.sandboxmodel.template.Template;
import org.junit.jupiter.api.Test;

/** A workload that has become root, and with that its own agent, tries to be another sandbox's agent. */
class ImpersonationAttacksTest extends AttackFixture {
    private static final int REGISTERED = 0;
    private static final int REFUSED = 1;

    @Test
    void itsTokenOpensNoOtherSandbox() {
        var attacker = sandbox(guarded());
        var neighbour = created(guarded(), Resources.DEFAULT, Template.HOST_ROOT);

        assertThat(registers(attacker, neighbour, "/run/bivouac/token")).isEqualTo(REFUSED);
        assertThat(TestRelay.isConnected(neighbour.id())).isFalse();

        // With the neighbour's own token the same attempt succeeds: it is the token that decides.
        var token = TestRelay.bean(SandboxTokens.class).joinToken(neighbour.id());
        attacker.as("root", "printf %s '" + token + "' > /tmp/token");
        assertThat(registers(attacker, neighbour, "/tmp/token")).isEqualTo(REGISTERED);
        assertThat(TestRelay.isConnected(neighbour.id())).isTrue();
    }

    /** Runs a second agent inside the attacker, over the attacker's own way to the relay. */
    private static int registers(Sandbox attacker, Sandbox as, String tokenFile) {
        var configuration = """
                {"sandboxId": "%s", "tokenFile": "%s", "relay": {"socketFolder": "/run/bivouac/relay"}, \
                "logFile": "/tmp/second.log"}""".formatted(as.id(), tokenFile);
        attacker.as("root", "rm -f /tmp/second.log; cat > /tmp/second.json <<'END'\n" + configuration + "\nEND");
        return attacker.as("root", """
                        /.bivouac/bivouac-agent serve --config /tmp/second.json > /dev/null 2>&1 &
                        for attempt in $(seq 200); do
                          grep -q 'registered at the relay' /tmp/second.log && exit 0
                          grep -q 'does not fit' /tmp/second.log && exit 1
                          sleep 0.1
                        done
                        exit 2""").exitCode();
    }
}
