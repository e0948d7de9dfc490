package io.bivouac.sandboxes.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bivouac.foundation.fixture.House;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import org.junit.jupiter.api.Test;

class IdempotencyKeysTest {
    private static final byte[] REQUEST = {1};

    private final IdempotencyKeys keys = House.get(IdempotencyKeys.class);
    private final String project = House.newProject().project();

    @Test
    void theSecondClaimGetsTheFirstOnesSandbox() {
        var first = SandboxId.next();
        assertThat(keys.claim(project, "k", REQUEST, first)).isEmpty();
        assertThat(keys.claim(project, "k", REQUEST, SandboxId.next()))
                .get()
                .extracting(IdempotencyKey::sandboxId)
                .isEqualTo(first.value());
    }

    @Test
    void anotherRequestUnderTheSameKeyIsRefused() {
        keys.claim(project, "k", REQUEST, SandboxId.next());
        assertThatThrownBy(() -> keys.claim(project, "k", new byte[] {2}, SandboxId.next()))
                .isInstanceOf(BivouacException.class)
                .hasMessageContaining("different request");
    }

    @Test
    void projectsDoNotShareKeys() {
        keys.claim(project, "k", REQUEST, SandboxId.next());
        assertThat(keys.claim(House.newProject().project(), "k", REQUEST, SandboxId.next()))
                .isEmpty();
    }
}
