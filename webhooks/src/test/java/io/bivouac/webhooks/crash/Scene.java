package io.bivouac.webhooks.crash;

import io.bivouac.foundation.fault.FaultPoint;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Somebody is killed while a process stands at a point. */
record Scene(FaultPoint point, Victim victim) {
    private static final Set<FaultPoint> OF_THE_SERVER =
            Set.of(FaultPoint.AFTER_OUTBOX_COMMIT, FaultPoint.AFTER_KAFKA_ACK);

    enum Victim {
        SERVER,
        DISPATCHER,
        KAFKA,
        POSTGRES
    }

    /** Every point with every victim. While the server stands nothing is under way that the dispatcher could lose. */
    static List<Scene> all() {
        return Arrays.stream(FaultPoint.values())
                .flatMap(point -> Stream.of(Victim.values()).map(victim -> new Scene(point, victim)))
                .filter(scene -> !scene.isOfTheServer() || scene.victim != Victim.DISPATCHER)
                .toList();
    }

    /** Whether it is the server that stands there, and not the dispatcher. */
    boolean isOfTheServer() {
        return OF_THE_SERVER.contains(point);
    }

    @Override
    public String toString() {
        return point.wireName() + ", killed: " + victim.name().toLowerCase();
    }
}
