package io.bivouac.webhooks.sending;

import java.util.Map;

/** What is posted: a JSON body, and headers beside the usual ones. */
public record Message(Map<String, String> headers, byte[] body) {}
