package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that is given a database and a Kafka starts none of its own. */
class ExternalStackTest {
    @TempDir
    Path folder;

    @Test
    void theOperatorsPostgresAndKafkaAreUsed() throws Exception {
        var data = folder.resolve("data");
        try (var stack = ExternalStack.start(folder);
                var server = ServerProcess.start(data, stack.settings()).awaitReady()) {
            try (var client = HttpClient.newHttpClient()) {
                var ready = client.send(
                        HttpRequest.newBuilder(URI.create(server.valueOf("Console") + "/ready"))
                                .build(),
                        BodyHandlers.ofString());
                assertThat(ready.statusCode()).as(ready.body()).isEqualTo(200);
            }
            assertThat(data.resolve("postgres")).doesNotExist();
            assertThat(data.resolve("kafka")).doesNotExist();
            server.terminate();
            server.awaitExit();
        }
    }
}
