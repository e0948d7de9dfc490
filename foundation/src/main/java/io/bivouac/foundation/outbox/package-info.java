/**
 * From a committed change to Kafka. The {@link io.bivouac.foundation.outbox.Outbox} writes events in the
 * transaction of the change; the {@link io.bivouac.foundation.outbox.OutboxRelay} publishes them, at least once,
 * in order for each sandbox.
 */
package io.bivouac.foundation.outbox;
