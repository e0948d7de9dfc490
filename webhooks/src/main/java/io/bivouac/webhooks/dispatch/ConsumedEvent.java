package io.bivouac.webhooks.dispatch;

import io.bivouac.webhooks.delivery.EventMessage;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;

/** Reads an event from its CloudEvents headers (Kafka binding, binary mode). */
final class ConsumedEvent {
    private static final String SOURCE = "/projects/";

    private ConsumedEvent() {}

    /** Empty for what is not an event of ours. */
    static Optional<EventMessage> of(ConsumerRecord<byte[], byte[]> record) {
        var id = header(record.headers(), "ce_id");
        var type = header(record.headers(), "ce_type");
        var source = header(record.headers(), "ce_source");
        var subject = header(record.headers(), "ce_subject");
        if (id == null
                || type == null
                || source == null
                || !source.startsWith(SOURCE)
                || subject == null
                || record.value() == null) {
            return Optional.empty();
        }
        return Optional.of(new EventMessage(id, type, source.substring(SOURCE.length()), subject, record.value()));
    }

    private static String header(Headers headers, String name) {
        var header = headers.lastHeader(name);
        return header == null ? null : new String(header.value(), StandardCharsets.UTF_8);
    }
}
