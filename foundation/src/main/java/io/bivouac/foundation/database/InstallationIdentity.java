package io.bivouac.foundation.database;

import io.bivouac.sandboxmodel.SortableId;
import io.bivouac.sandboxmodel.runtime.Installation;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Value;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import javax.sql.DataSource;

/** Who we are: the installation's id lives in its database, the host's name in the settings or the system. */
@Factory
final class InstallationIdentity {
    @Singleton
    Clock clock() {
        return Clock.systemUTC();
    }

    @Singleton
    Installation installation(DataSource database, @Nullable @Value("${bivouac.host-name}") String hostName) {
        // The injected pool wants a transaction around it; this is before any.
        return new Installation(
                idFrom(DelegatingDataSource.unwrapDataSource(database)), hostName == null ? systemsName() : hostName);
    }

    private static String idFrom(DataSource database) {
        try (var connection = database.getConnection();
                var insert = connection.prepareStatement(
                        "INSERT INTO installation (id, created_at) VALUES (?, now()) ON CONFLICT DO NOTHING");
                var select = connection.prepareStatement("SELECT id FROM installation")) {
            insert.setString(1, SortableId.next("ins_"));
            insert.executeUpdate();
            try (var row = select.executeQuery()) {
                row.next();
                return row.getString(1);
            }
        } catch (SQLException failed) {
            throw new IllegalStateException("cannot read the installation's id: " + failed.getMessage(), failed);
        }
    }

    private static String systemsName() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        } catch (IOException notLinux) {
            return InetAddress.getLoopbackAddress().getHostName();
        }
    }
}
