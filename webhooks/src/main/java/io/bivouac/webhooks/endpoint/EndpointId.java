package io.bivouac.webhooks.endpoint;

import io.bivouac.sandboxmodel.SortableId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;

/** How endpoints are named. */
final class EndpointId {
    static final String PREFIX = "whe_";

    private EndpointId() {}

    static String next() {
        return SortableId.next(PREFIX);
    }

    static BivouacException noSuchEndpoint(String id) {
        return new BivouacException(ErrorCode.WEBHOOK_NOT_FOUND, "There is no webhook endpoint " + id + ".");
    }
}
