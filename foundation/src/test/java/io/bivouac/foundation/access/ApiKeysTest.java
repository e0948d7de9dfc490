package io.bivouac.foundation.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bivouac.foundation.fixture.Eventually;
import io.bivouac.foundation.fixture.House;
import io.bivouac.foundation.fixture.TestStack;
import io.bivouac.sandboxmodel.error.BivouacException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ApiKeysTest {
    private final ApiKeys keys = House.get(ApiKeys.class);
    private final Caller admin = House.newProject();

    @Test
    void aKeyStandsForItsProjectAndRole() {
        var made = keys.make(admin, "ci", Role.VIEWER, false);
        var caller = keys.authenticate(made.text()).orElseThrow();
        assertThat(caller).isEqualTo(new Caller(made.key().id(), admin.project(), Role.VIEWER, false));
        assertThatThrownBy(() -> caller.mustBe(Role.DEVELOPER)).isInstanceOf(BivouacException.class);
    }

    @Test
    void theTextIsNotStoredButItsPrefixIs() {
        var made = keys.make(admin, "ci", Role.DEVELOPER, false);
        assertThat(made.text().value()).startsWith(made.key().prefix()).hasSizeGreaterThan(30);
        assertThat(made.key().prefix()).hasSizeLessThan(13);
        assertThat(new String(made.key().hash(), StandardCharsets.ISO_8859_1))
                .doesNotContain(made.text().value());
    }

    @Test
    void aRevokedKeyIsRefusedAtOnceAlsoByAnotherProcessThatKnewIt() {
        var made = keys.make(admin, "ci", Role.DEVELOPER, false);
        try (var other = House.open(Map.of())) {
            var otherKeys = other.getBean(ApiKeys.class);
            assertThat(otherKeys.authenticate(made.text())).isPresent();
            keys.revoke(admin, made.key().id());
            assertThat(keys.authenticate(made.text())).isEmpty();
            Eventually.that(
                    "the other process to forget the key",
                    () -> otherKeys.authenticate(made.text()).isEmpty());
        }
    }

    @Test
    void useIsRememberedAndListed() {
        var made = keys.make(admin, "ci", Role.DEVELOPER, false);
        assertThat(made.key().lastUsedAt()).isNull();
        keys.authenticate(made.text());
        assertThat(keys.list(admin, null, 10).items())
                .filteredOn(key -> key.id().equals(made.key().id()))
                .singleElement()
                .satisfies(key -> assertThat(key.lastUsedAt()).isNotNull());
    }

    @Test
    void theLastSystemKeyCannotBeRevoked() {
        var system = House.systemAdmin();
        assertThatThrownBy(() -> keys.revoke(system, system.id()))
                .isInstanceOf(BivouacException.class)
                .hasMessageContaining("last system administrator");
        assertThat(keys.authenticate(new KeyText(TestStack.API_KEY))).isPresent();
    }

    @Test
    void aProjectsAdminMakesNoSystemKeysAndTouchesNoForeignOnes() {
        assertThatThrownBy(() -> keys.make(admin, "root", Role.ADMIN, true)).isInstanceOf(BivouacException.class);
        var foreign = keys.make(House.newProject(), "theirs", Role.DEVELOPER, false);
        assertThatThrownBy(() -> keys.revoke(admin, foreign.key().id()))
                .isInstanceOf(BivouacException.class)
                .hasMessageContaining("another project");
    }

    @Test
    void aSystemKeyIsRevokedBySystemAdministratorsAlone() {
        var system = House.systemAdmin();
        var other = keys.make(system, "second", Role.ADMIN, true);
        var neighbour = new Caller("key_neighbour", system.project(), Role.ADMIN, false);
        assertThatThrownBy(() -> keys.revoke(neighbour, other.key().id()))
                .isInstanceOf(BivouacException.class)
                .hasMessageContaining("system administrator's key");
        assertThat(keys.authenticate(other.text())).isPresent();
        keys.revoke(system, other.key().id());
        assertThat(keys.authenticate(other.text())).isEmpty();
    }

    @Test
    void unknownTextsStandForNobody() {
        assertThat(keys.authenticate(new KeyText("bvk_nobody"))).isEmpty();
    }
}
