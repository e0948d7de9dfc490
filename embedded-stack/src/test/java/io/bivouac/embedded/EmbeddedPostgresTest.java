package io.bivouac.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedPostgresTest {
    @TempDir
    Path folder;

    @Test
    void dataSurvivesARestartAndAKill() throws Exception {
        int port;
        try (var postgres = EmbeddedPostgres.start(folder, 0)) {
            port = postgres.port();
            execute(postgres.url(), "CREATE TABLE kept (word text); INSERT INTO kept VALUES ('one')");
        }
        try (var postgres = EmbeddedPostgres.start(folder, port)) {
            execute(postgres.url(), "INSERT INTO kept VALUES ('two')");
            killServer();
            Processes.await("the server is dead", () -> !postgres.isAlive());

            postgres.restart();

            assertThat(postgres.isAlive()).isTrue();
            assertThat(query(postgres.url(), "SELECT string_agg(word, ' ' ORDER BY word) FROM kept"))
                    .isEqualTo("one two");
        }
        Processes.awaitNoneMentioning(folder);
    }

    @Test
    void itIsDurableAndSmall() throws Exception {
        try (var postgres = EmbeddedPostgres.start(folder, 0)) {
            assertThat(query(postgres.url(), "SHOW fsync")).isEqualTo("on");
            assertThat(query(postgres.url(), "SHOW synchronous_commit")).isEqualTo("on");
            assertThat(query(postgres.url(), "SHOW server_version")).startsWith("18.");
            assertThat(query(postgres.url(), "SHOW listen_addresses")).isEqualTo("127.0.0.1");
            assertThat(query(postgres.url(), "SHOW unix_socket_directories")).isEmpty();
        }
    }

    @Test
    void aWrongPasswordIsRefused() {
        try (var postgres = EmbeddedPostgres.start(folder, 0)) {
            var forged = postgres.url().replaceFirst(":[0-9a-f]+@", ":guessed@");
            assertThatThrownBy(() -> query(forged, "SELECT 1"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("password authentication failed");
        }
    }

    @Test
    void otherUsersCannotReadItsFiles() throws Exception {
        try (var postgres = EmbeddedPostgres.start(folder, 0)) {
            assertThat(postgres.isAlive()).isTrue();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("password"))))
                    .isEqualTo("rw-------");
            if (!PostgresAccount.weAreRoot()) {
                // Root's PostgreSQL has an account of its own, which others are tried against below.
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("data"))))
                        .isEqualTo("rwx------");
            }
            OtherUser.all().forEach(other -> {
                assertThat(other.canRead(folder.resolve("password"))).isFalse();
                assertThat(other.canRead(folder.resolve("data/postgresql.conf")))
                        .isFalse();
                assertThat(other.canRead(folder.resolve("data"))).isFalse();
            });
        }
    }

    @Test
    void aTakenPortIsSaidPlainly() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            assertThatThrownBy(() -> EmbeddedPostgres.start(folder, taken.getLocalPort()))
                    .isInstanceOf(EmbeddedStackException.class)
                    .hasMessageContaining("PostgreSQL cannot listen on 127.0.0.1:" + taken.getLocalPort());
        }
    }

    @Test
    void anInitialisationThatWasCutShortIsBegunAgain() throws Exception {
        Files.createDirectories(folder.resolve("data.new/base"));
        Files.writeString(folder.resolve("data.new/PG_VERSION"), "18\n");
        try (var postgres = EmbeddedPostgres.start(folder, 0)) {
            assertThat(query(postgres.url(), "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void aStalePidFileThatNamesAnotherProcessDoesNotMatter() throws Exception {
        EmbeddedPostgres.start(folder, 0).close();
        var pid = folder.resolve("data/postmaster.pid");
        Files.writeString(pid, ProcessHandle.current().pid() + "\n/elsewhere\n0\n1\n\n\n\nready\n");
        try (var postgres = EmbeddedPostgres.start(folder, 0)) {
            assertThat(query(postgres.url(), "SELECT 1")).isEqualTo("1");
        }
    }

    private void killServer() throws IOException {
        long pid = PostmasterFile.of(folder.toRealPath().resolve("data"))
                .orElseThrow()
                .pid();
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
    }

    static Connection connect(String url) throws SQLException {
        var uri = java.net.URI.create(url);
        var user = uri.getUserInfo().split(":", 2);
        return DriverManager.getConnection(
                "jdbc:postgresql://%s:%d%s".formatted(uri.getHost(), uri.getPort(), uri.getPath()), user[0], user[1]);
    }

    static void execute(String url, String sql) throws SQLException {
        try (var connection = connect(url);
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static String query(String url, String sql) throws SQLException {
        try (var connection = connect(url);
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
