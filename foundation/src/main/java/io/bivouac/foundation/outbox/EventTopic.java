package io.bivouac.foundation.outbox;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TopicExistsException;

/** The topic that events go to. */
public final class EventTopic {
    private static final long WAIT_SECONDS = 10;

    private EventTopic() {}

    /** Makes it if it is not there. */
    public static void ensure(KafkaSettings settings) {
        var properties = settings.clientProperties();
        properties.put("default.api.timeout.ms", "8000");
        properties.put("request.timeout.ms", "4000");
        try (var admin = Admin.create(properties)) {
            var topic = new NewTopic(settings.getTopic(), settings.getPartitions(), settings.getReplication());
            admin.createTopics(List.of(topic)).all().get(WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            if (!(failed.getCause() instanceof TopicExistsException)) {
                throw new KafkaException("cannot make the topic " + settings.getTopic(), failed.getCause());
            }
        } catch (TimeoutException slow) {
            throw new KafkaException("Kafka did not answer within " + WAIT_SECONDS + " s", slow);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new KafkaException("stopped while making the topic", stopped);
        }
    }
}
