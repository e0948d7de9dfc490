/** Endpoints: where a project wants its events, which of them, and what they are signed with. */
package io.bivouac.webhooks.endpoint;
