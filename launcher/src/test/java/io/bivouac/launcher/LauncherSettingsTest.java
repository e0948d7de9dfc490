package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LauncherSettingsTest {
    @TempDir
    Path folder;

    @Test
    void defaults() {
        var expectedFolder = "root".equals(System.getProperty("user.name"))
                ? Path.of("/var/lib/bivouac")
                : Path.of(System.getProperty("user.home"), ".local/share/bivouac");
        assertThat(settings(Map.of()))
                .isEqualTo(new LauncherSettings(
                        "127.0.0.1",
                        8080,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        expectedFolder,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        "bubblewrap",
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        0,
                        0,
                        "",
                        "",
                        "",
                        Optional.empty(),
                        Optional.empty(),
                        new NfsChoice("embedded", "127.0.0.1", 2049, List.of(), false),
                        LauncherSettings.LogTarget.FILE,
                        Services.all()));
    }

    @Test
    void everySettingIsAKeyOfTheFileAndTheEnvironmentComesFirst() throws IOException {
        var file = folder.resolve("bivouac.yml");
        Files.writeString(file, """
                host: 0.0.0.0
                port: 9000
                BIVOUAC_DATA_DIR: /srv/bivouac
                database-url: postgresql://a:b@c:1/d
                webhook-allow: [127.0.0.0/8, 10.0.0.0/8]
                log: stdout
                """);
        var settings = LauncherSettings.from(SettingSource.of(Map.of("BIVOUAC_PORT", "9001"), Optional.of(file)));
        assertThat(settings.host()).isEqualTo("0.0.0.0");
        assertThat(settings.port()).isEqualTo(9001);
        assertThat(settings.dataDir()).isEqualTo(Path.of("/srv/bivouac"));
        assertThat(settings.databaseUrl()).contains("postgresql://a:b@c:1/d");
        assertThat(settings.webhookAllow()).isEqualTo("127.0.0.0/8,10.0.0.0/8");
        assertThat(settings.log()).isEqualTo(LauncherSettings.LogTarget.STDOUT);
    }

    @Test
    void aWrongValueIsNamed() {
        assertThatThrownBy(() -> settings(Map.of("BIVOUAC_PORT", "http")))
                .hasMessage("BIVOUAC_PORT is \"http\"; it must be a number from 0 to 65535.");
        assertThatThrownBy(() -> settings(Map.of("BIVOUAC_PORT", "65536"))).hasMessageContaining("65536");
        assertThatThrownBy(() -> settings(Map.of("BIVOUAC_LOG", "syslog"))).hasMessageContaining("file or stdout");
        assertThatThrownBy(() -> settings(Map.of("BIVOUAC_TLS_CERT", "/cert.pem")))
                .hasMessageContaining("belong together");
    }

    @Test
    void keysAreTakenByTheirFormerNamesToo() throws IOException {
        var former = settings(Map.of("BIVOUAC_SECRET_KEY", "a", "BIVOUAC_SECRETS_KEY", "b"));
        assertThat(former).isEqualTo(settings(Map.of("BIVOUAC_TOKEN_KEY", "a", "BIVOUAC_ENCRYPTION_KEY", "b")));
        assertThat(former.tokenKey()).contains("a");
        assertThat(former.encryptionKey()).contains("b");
        var file = Files.writeString(folder.resolve("bivouac.yml"), "secret-key: a\nencryption-key: b\n");
        assertThat(LauncherSettings.from(SettingSource.of(Map.of("BIVOUAC_TOKEN_KEY", "a"), Optional.of(file))))
                .isEqualTo(former);
    }

    @Test
    void twoNamesOfAKeyWithDifferentValuesAreRefused() {
        assertThatThrownBy(() -> settings(Map.of("BIVOUAC_TOKEN_KEY", "a", "BIVOUAC_SECRET_KEY", "b")))
                .isInstanceOf(StartRefused.class)
                .hasMessage(
                        "BIVOUAC_TOKEN_KEY and BIVOUAC_SECRET_KEY have different values;"
                                + " BIVOUAC_SECRET_KEY is the former name of BIVOUAC_TOKEN_KEY, so set only BIVOUAC_TOKEN_KEY.");
        assertThatThrownBy(() -> settings(Map.of("BIVOUAC_ENCRYPTION_KEY", "a", "BIVOUAC_SECRETS_KEY", "b")))
                .hasMessageContaining("set only BIVOUAC_ENCRYPTION_KEY");
    }

    @Test
    void aKeyOfTheFileThatIsNoneIsNamed() throws IOException {
        var file = Files.writeString(folder.resolve("bivouac.yml"), "prot: 9000\n");
        assertThatThrownBy(() -> LauncherSettings.from(SettingSource.of(Map.of(), Optional.of(file))))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("\"prot\"");
        Files.writeString(file, "process-linger: 5s\n");
        assertThatThrownBy(() -> LauncherSettings.from(SettingSource.of(Map.of(), Optional.of(file))))
                .hasMessageContaining("BIVOUAC_PROCESS_LINGER");
    }

    private static LauncherSettings settings(Map<String, String> environment) {
        return LauncherSettings.from(SettingSource.of(environment, Optional.empty()));
    }
}
