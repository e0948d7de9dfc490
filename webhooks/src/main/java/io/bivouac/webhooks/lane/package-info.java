/**
 * A lane for each endpoint: what waits for it, how much of it may be under way at once, and whether it is worth trying
 * now. What a lane has no room for is parked in the ledger, so that a slow or broken receiver holds up nobody else.
 */
package io.bivouac.webhooks.lane;
