/** Days of deliveries: a partition is made ahead of its day and dropped when it is old. */
package io.bivouac.webhooks.retention;
