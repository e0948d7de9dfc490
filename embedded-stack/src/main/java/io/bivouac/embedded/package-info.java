/**
 * PostgreSQL and Kafka as child processes of this JVM, for one machine and for tests.
 *
 * <p>Each is started from a folder that holds its data and its credentials, listens on the loopback address only, and
 * never outlives the JVM that started it, however that JVM ends.
 */
package io.bivouac.embedded;
