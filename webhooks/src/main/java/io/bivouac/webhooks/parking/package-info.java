/** Sends what was parked, when its time has come and its lane has room: claimed for a while, by any one process. */
package io.bivouac.webhooks.parking;
