package io.bivouac.embedded;

import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;

/** A broker and controller in one, small, on the loopback address, that takes only our own credential. */
record KafkaSettings(Path logs, int port, int controllerPort, String password) {
    static final String USER = "bivouac";
    static final String MECHANISM = "SCRAM-SHA-256";
    static final int NODE = 1;

    private static final long MEBIBYTE = 1024 * 1024;
    private static final String SCRAM_LOGIN = "org.apache.kafka.common.security.scram.ScramLoginModule";
    private static final String PLAIN_LOGIN = "org.apache.kafka.common.security.plain.PlainLoginModule";

    String bootstrap() {
        return Ports.LOOPBACK + ":" + port;
    }

    /** What a client needs to connect, by the names that Kafka's own clients know. */
    Map<String, String> clientProperties() {
        return Map.of(
                "bootstrap.servers",
                bootstrap(),
                "security.protocol",
                "SASL_PLAINTEXT",
                "sasl.mechanism",
                MECHANISM,
                "sasl.jaas.config",
                login(SCRAM_LOGIN, ""));
    }

    Properties serverProperties() {
        var properties = new Properties();
        properties.putAll(listeners());
        properties.putAll(credentials());
        properties.putAll(sizes());
        return properties;
    }

    private Map<String, String> listeners() {
        return Map.of(
                "process.roles",
                "broker,controller",
                "node.id",
                "" + NODE,
                "controller.quorum.voters",
                "%d@%s:%d".formatted(NODE, Ports.LOOPBACK, controllerPort),
                "controller.listener.names",
                "CONTROLLER",
                "inter.broker.listener.name",
                "CLIENT",
                "listeners",
                "CLIENT://%s:%d,CONTROLLER://%1$s:%3$d".formatted(Ports.LOOPBACK, port, controllerPort),
                "advertised.listeners",
                "CLIENT://" + bootstrap(),
                "listener.security.protocol.map",
                "CLIENT:SASL_PLAINTEXT,CONTROLLER:SASL_PLAINTEXT",
                "log.dirs",
                logs.toString());
    }

    /** The controller's door is PLAIN: SCRAM credentials are kept by the controller that one would have to ask. */
    private Map<String, String> credentials() {
        return Map.of(
                "sasl.enabled.mechanisms",
                MECHANISM,
                "sasl.mechanism.inter.broker.protocol",
                MECHANISM,
                "sasl.mechanism.controller.protocol",
                "PLAIN",
                "listener.name.client.scram-sha-256.sasl.jaas.config",
                login(SCRAM_LOGIN, ""),
                "listener.name.controller.sasl.enabled.mechanisms",
                "PLAIN",
                "listener.name.controller.plain.sasl.jaas.config",
                login(PLAIN_LOGIN, " user_%s=\"%s\"".formatted(USER, password)));
    }

    private static Map<String, String> sizes() {
        return Map.ofEntries(
                Map.entry("offsets.topic.num.partitions", "1"),
                Map.entry("offsets.topic.replication.factor", "1"),
                Map.entry("transaction.state.log.num.partitions", "1"),
                Map.entry("transaction.state.log.replication.factor", "1"),
                Map.entry("transaction.state.log.min.isr", "1"),
                Map.entry("share.coordinator.state.topic.num.partitions", "1"),
                Map.entry("share.coordinator.state.topic.replication.factor", "1"),
                Map.entry("share.coordinator.state.topic.min.isr", "1"),
                Map.entry("default.replication.factor", "1"),
                Map.entry("min.insync.replicas", "1"),
                Map.entry("group.initial.rebalance.delay.ms", "0"),
                Map.entry("log.retention.hours", "168"),
                Map.entry("log.retention.bytes", "" + 256 * MEBIBYTE),
                Map.entry("log.segment.bytes", "" + 32 * MEBIBYTE),
                Map.entry("log.index.size.max.bytes", "" + MEBIBYTE),
                Map.entry("metadata.log.segment.bytes", "" + 8 * MEBIBYTE),
                Map.entry("metadata.max.retention.bytes", "" + 32 * MEBIBYTE),
                // One record costs one write of the file system, as a committed row does in PostgreSQL: an event that
                // was marked as published survives a power cut.
                Map.entry("log.flush.interval.messages", "1"),
                Map.entry("log.cleaner.dedupe.buffer.size", "" + 2 * MEBIBYTE),
                Map.entry("log.cleaner.io.buffer.size", "" + MEBIBYTE / 4),
                Map.entry("num.network.threads", "1"),
                Map.entry("num.io.threads", "2"),
                Map.entry("num.recovery.threads.per.data.dir", "1"),
                Map.entry("background.threads", "1"),
                Map.entry("num.replica.fetchers", "1"),
                Map.entry("controller.quorum.election.backoff.max.ms", "50"),
                Map.entry("broker.heartbeat.interval.ms", "500"),
                // A killed broker may register again only when its old session has run out.
                Map.entry("broker.session.timeout.ms", "3000"),
                Map.entry("controlled.shutdown.enable", "true"));
    }

    private String login(String module, String more) {
        return "%s required username=\"%s\" password=\"%s\"%s;".formatted(module, USER, password, more);
    }
}
