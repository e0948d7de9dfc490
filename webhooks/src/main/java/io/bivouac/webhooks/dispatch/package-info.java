/** From Kafka into the lanes, and the offsets back when everything up to them is settled. */
package io.bivouac.webhooks.dispatch;
