package io.bivouac.webhooks.delivery;

import io.bivouac.foundation.access.Caller;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import jakarta.inject.Singleton;

/** The deliveries as a caller may see them: only the own project's. Thread-safe. */
@Singleton
public class Deliveries {
    private final DeliveryRows rows;

    Deliveries(DeliveryRows rows) {
        this.rows = rows;
    }

    public DeliveryRow get(String id, Caller caller) {
        var row = rows.find(id)
                .orElseThrow(() -> new BivouacException(
                        ErrorCode.DELIVERY_NOT_FOUND, "There is no delivery " + id + ", or it is no longer kept."));
        caller.mustOwn(row.projectId(), "Delivery " + id);
        return row;
    }
}
