package io.bivouac.agentlink;

import io.bivouac.sandboxmodel.SortableId;
import jakarta.inject.Singleton;

/** Which relay this is: a new one with every start, so that nobody takes it for the one before. */
@Singleton
public class RelayId {
    private final String value = SortableId.next("rly-");

    public String value() {
        return value;
    }

    @Override
    public String toString() {
        return value;
    }
}
