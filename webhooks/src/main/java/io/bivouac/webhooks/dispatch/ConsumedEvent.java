package io.bivouac.webhooks.dispatch;

import io.bivouac.events.CloudEventHeaders;
import io.bivouac.webhooks.delivery.EventMessage;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;

/** Reads an event from its {@link CloudEventHeaders}. */
final class ConsumedEvent {
    private ConsumedEvent() {}

    /** Empty for what is not an event of ours. */
    static Optional<EventMessage> of(ConsumerRecord<byte[], byte[]> record) {
        var id = header(record.headers(), CloudEventHeaders.ID);
        var type = header(record.headers(), CloudEventHeaders.TYPE);
        var source = header(record.headers(), CloudEventHeaders.SOURCE);
        var subject = header(record.headers(), CloudEventHeaders.SUBJECT);
        if (id == null || type == null || source == null || subject == null || record.value() == null) {
            return Optional.empty();
        }
        return CloudEventHeaders.projectOf(source)
                .map(project -> new EventMessage(id, type, project, subject, record.value()));
    }

    private static String header(Headers headers, String name) {
        var header = headers.lastHeader(name);
        return header == null ? null : new String(header.value(), StandardCharsets.UTF_8);
    }
}
