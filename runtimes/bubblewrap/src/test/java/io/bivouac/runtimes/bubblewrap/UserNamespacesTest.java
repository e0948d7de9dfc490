package io.bivouac.runtimes.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Which switch of the kernel is named, and what mends it. */
class UserNamespacesTest {
    private final UserNamespaces namespaces = new UserNamespaces(
            Path.of("/usr/bin/bwrap"), Path.of("/srv/bivouac/agent/bivouac-agent-1f2e"), Path.of("/tmp"));

    @Test
    void ubuntusRestrictionIsNamedWithAProfileForOurProgramsAlone() {
        var check = namespaces.wrong("bwrap: setting up uid map: Permission denied", "1", "1", "15000");
        assertThat(check.ok()).isFalse();
        assertThat(check.seen()).contains("kernel.apparmor_restrict_unprivileged_userns is 1", "Permission denied");
        assertThat(check.remedy())
                .contains("profile bivouac-bwrap /usr/bin/bwrap flags=(unconfined)")
                .contains("profile bivouac-agent /srv/bivouac/agent/bivouac-agent-* flags=(unconfined)")
                .contains("userns,")
                .endsWith("apparmor_parser -r /etc/apparmor.d/bivouac")
                .doesNotContain("sysctl");
    }

    @Test
    void eachOtherSwitchIsNamedWithItsCommand() {
        assertThat(namespaces.wrong("no", "0", "0", "15000").remedy())
                .isEqualTo("sysctl -w kernel.unprivileged_userns_clone=1");
        assertThat(namespaces.wrong("no", "", "", "0").remedy()).startsWith("sysctl -w user.max_user_namespaces=");
        assertThat(namespaces.wrong("no", "", "", "").remedy()).contains("docker run --privileged");
    }
}
