package io.bivouac.agentlink.testing;

import io.bivouac.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;

/** One PostgreSQL for all tests of a run; it ends with the JVM. */
final class TestDatabase {
    private static final EmbeddedPostgres POSTGRES = start();

    private TestDatabase() {}

    static String url() {
        return POSTGRES.url();
    }

    private static EmbeddedPostgres start() {
        try {
            var postgres = EmbeddedPostgres.start(Files.createTempDirectory("relay-postgres"), 0);
            Runtime.getRuntime().addShutdownHook(new Thread(postgres::close));
            return postgres;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
