package io.bivouac.http.health;

import io.bivouac.foundation.outbox.KafkaSettings;
import io.micronaut.context.annotation.Requires;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;

/** Asks Kafka who is in the cluster. */
@Singleton
@Requires(property = "bivouac.kafka.bootstrap")
class KafkaCheck implements ReadinessCheck {
    private static final int WAIT_MILLIS = 3_000;

    private final Admin admin;

    KafkaCheck(KafkaSettings settings) {
        var properties = settings.clientProperties();
        properties.put("request.timeout.ms", Integer.toString(WAIT_MILLIS));
        properties.put("default.api.timeout.ms", Integer.toString(WAIT_MILLIS));
        this.admin = Admin.create(properties);
    }

    @Override
    public String part() {
        return "kafka";
    }

    @Override
    public void check() throws InterruptedException, ExecutionException {
        try {
            if (admin.describeCluster()
                    .nodes()
                    .get(WAIT_MILLIS, TimeUnit.MILLISECONDS)
                    .isEmpty()) {
                throw new IllegalStateException("Kafka has no broker");
            }
        } catch (TimeoutException slow) {
            throw new IllegalStateException("Kafka does not answer", slow);
        }
    }

    @PreDestroy
    void close() {
        admin.close(Duration.ofSeconds(1));
    }
}
