package io.bivouac.foundation.outbox;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.convert.format.MapFormat;
import jakarta.validation.constraints.NotBlank;
import java.util.HashMap;
import java.util.Map;

/** Where Kafka is, and how to log in there. */
@ConfigurationProperties("bivouac.kafka")
public class KafkaSettings {
    private String bootstrap;
    private String topic = "bivouac.events";
    private int partitions = 6;
    private short replication = 1;
    private Map<String, String> properties = Map.of();

    @NotBlank public String getBootstrap() {
        return bootstrap;
    }

    public void setBootstrap(String bootstrap) {
        this.bootstrap = bootstrap;
    }

    public String getTopic() {
        return topic;
    }

    public void setTopic(String topic) {
        this.topic = topic;
    }

    /** Used when the topic does not exist yet. */
    public int getPartitions() {
        return partitions;
    }

    public void setPartitions(int partitions) {
        this.partitions = partitions;
    }

    /** Used when the topic does not exist yet. */
    public short getReplication() {
        return replication;
    }

    public void setReplication(short replication) {
        this.replication = replication;
    }

    /** Any client property by its own name, for logins and TLS. */
    public Map<String, String> getProperties() {
        return properties;
    }

    public void setProperties(@MapFormat(transformation = MapFormat.MapTransformation.FLAT) Map<String, String> given) {
        this.properties = Map.copyOf(given);
    }

    /** What every client of this Kafka starts from. */
    public Map<String, Object> clientProperties() {
        var all = new HashMap<String, Object>(properties);
        all.put("bootstrap.servers", bootstrap);
        return all;
    }
}
