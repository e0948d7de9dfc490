package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NfsChoiceTest {
    @Test
    void byDefaultThisMachineMounts() {
        assertThat(choice(Map.of())).isEqualTo(new NfsChoice("embedded", "127.0.0.1", 2049, List.of(), false));
        assertThat(choice(Map.of()).properties("http://example.org:8080"))
                .containsEntry("bivouac.nfs-export.public-host", "127.0.0.1");
    }

    @Test
    void everySettingIsRead() {
        var choice = choice(Map.of(
                "BIVOUAC_NFS", "embedded",
                "BIVOUAC_NFS_HOST", "0.0.0.0",
                "BIVOUAC_NFS_PORT", "3049",
                "BIVOUAC_NFS_ALLOW", "10.0.0.0/8, fd00::/8",
                "BIVOUAC_NFS_ASYNC", "true"));
        assertThat(choice)
                .isEqualTo(new NfsChoice("embedded", "0.0.0.0", 3049, List.of("10.0.0.0/8", "fd00::/8"), true));
        assertThat(choice.properties("https://example.org"))
                .containsEntry("bivouac.nfs-export.public-host", "example.org");
    }

    @Test
    void whatOthersCanReachNeedsAList() {
        refused(Map.of("BIVOUAC_NFS_HOST", "0.0.0.0"), "BIVOUAC_NFS_ALLOW");
    }

    @Test
    void aSettingThatIsWrongIsNamed() {
        refused(Map.of("BIVOUAC_NFS", "on"), "off, embedded or system");
        refused(Map.of("BIVOUAC_NFS_HOST", "example.org"), "BIVOUAC_NFS_HOST");
        refused(Map.of("BIVOUAC_NFS_ALLOW", "everyone"), "BIVOUAC_NFS_ALLOW");
        refused(Map.of("BIVOUAC_NFS_ALLOW", "10.0.0.0/200"), "BIVOUAC_NFS_ALLOW");
        refused(Map.of("BIVOUAC_NFS_ASYNC", "yes"), "BIVOUAC_NFS_ASYNC");
    }

    private static void refused(Map<String, String> environment, String part) {
        assertThatThrownBy(() -> choice(environment))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining(part);
    }

    private static NfsChoice choice(Map<String, String> environment) {
        return NfsChoice.from(SettingSource.of(environment, Optional.empty()));
    }
}
