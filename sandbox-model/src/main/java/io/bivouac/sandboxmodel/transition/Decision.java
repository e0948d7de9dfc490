package io.bivouac.sandboxmodel.transition;

import io.bivouac.events.EventData;
import io.bivouac.events.EventType;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.error.ErrorCode;
import java.util.List;

/** What a happening leads to. */
public sealed interface Decision {
    /** The sandbox becomes this, and these events are said. */
    record Changed(Sandbox sandbox, List<Saying> sayings) implements Decision {
        public Changed {
            sayings = List.copyOf(sayings);
        }
    }

    /** Nothing to do: it is so already, or it no longer matters. */
    record Unchanged() implements Decision {}

    /** It may not happen now. */
    record Refused(ErrorCode code, String detail) implements Decision {}

    /** An event to be said, before it has an id and a sequence number. */
    record Saying(EventType type, EventData data) {}
}
