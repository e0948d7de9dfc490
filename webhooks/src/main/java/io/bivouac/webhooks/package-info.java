/**
 * The messenger: every event goes from Kafka to every endpoint that asked for it, signed, at least once.
 *
 * <p>{@code dispatch} reads Kafka and commits an offset only when all deliveries up to it are settled: answered 2xx or
 * parked in PostgreSQL, and that written down. {@code lane} has one queue an endpoint, so that a slow one holds up
 * nobody else. {@code sending} makes the request, {@code signing} signs it, {@code delivery} keeps the ledger,
 * {@code parking} sends what was parked when its time has come, {@code replay} puts it back there on request,
 * {@code retention} drops old days, and {@code endpoint} has what subscribers manage.
 */
package io.bivouac.webhooks;
