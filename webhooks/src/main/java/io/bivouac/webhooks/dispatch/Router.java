package io.bivouac.webhooks.dispatch;

import io.bivouac.webhooks.delivery.Delivery;
import io.bivouac.webhooks.delivery.Delivery.Settlement;
import io.bivouac.webhooks.delivery.EventMessage;
import io.bivouac.webhooks.delivery.Ledger;
import io.bivouac.webhooks.delivery.Outcome;
import io.bivouac.webhooks.endpoint.Endpoint;
import io.bivouac.webhooks.endpoint.EndpointDirectory;
import io.bivouac.webhooks.lane.Lane.Room;
import io.bivouac.webhooks.lane.Lanes;
import jakarta.inject.Singleton;
import java.util.List;

/** Finds an event's endpoints and gives each its delivery, into its lane or the ledger. */
@Singleton
class Router {
    /** Deliveries in this process's hands, in lanes and on the way to the ledger. */
    static final int MOST_IN_HAND = 20_000;

    private final EndpointDirectory directory;
    private final Lanes lanes;
    private final Ledger ledger;

    Router(EndpointDirectory directory, Lanes lanes, Ledger ledger) {
        this.directory = directory;
        this.lanes = lanes;
        this.ledger = ledger;
    }

    /** As of now, not as of some notification that may have been lost. */
    void refresh() {
        directory.refresh();
    }

    List<Endpoint> endpointsFor(EventMessage event) {
        return directory.ofProject(event.project()).stream()
                .filter(endpoint -> endpoint.wants(event.type(), event.subject()))
                .toList();
    }

    boolean isFull() {
        return lanes.depth() + ledger.pending() >= MOST_IN_HAND;
    }

    /** False when the endpoint's lane is full for a moment: to be tried again. */
    boolean route(Endpoint endpoint, EventMessage event, Settlement settlement) {
        var present = directory.find(endpoint.id());
        if (present == null) {
            // Deleted while the event waited for its lane.
            settlement.settled();
            return true;
        }
        var delivery = Delivery.fresh(present, event, settlement);
        var room = lanes.of(present).offer(delivery);
        if (room == Room.PARK) {
            ledger.add(Outcome.parked(delivery));
        }
        return room != Room.HOLD;
    }
}
