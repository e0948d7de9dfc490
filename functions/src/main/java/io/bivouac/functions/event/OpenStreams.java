package io.bivouac.functions.event;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Projects;
import io.bivouac.foundation.presence.ApproverPresence;
import io.bivouac.foundation.share.Bounds;
import io.bivouac.foundation.share.Party;
import io.bivouac.foundation.share.Place;
import io.bivouac.foundation.share.ShareMetrics;
import io.bivouac.foundation.share.ShareTaken;
import io.bivouac.foundation.share.Shares;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;

/**
 * The event streams that this process serves. A place is taken when a stream begins to flow, so a client that left before
 * takes none; a request is refused beforehand, while that can be said by a status. Thread-safe.
 */
@Singleton
public class OpenStreams {
    private final Shares places;
    private final Projects projects;
    private final ApproverPresence presence;

    OpenStreams(StreamSettings settings, Projects projects, ApproverPresence presence, MeterRegistry metrics) {
        this.places = new Shares(
                "event streams", new Bounds(settings.getMost(), settings.getMost(), settings.getPerCaller()));
        this.projects = projects;
        this.presence = presence;
        ShareMetrics.show(metrics, "event-streams", places);
        metrics.gauge("bivouac.event.streams", places, Shares::taken);
    }

    /** A place, until it is closed. */
    @FunctionalInterface
    interface Taken {
        void close();
    }

    /** @param approver whether the client answers permission requests, and counts as somebody who is there */
    Taken take(Caller caller, int ofProject, boolean approver) {
        var place = take(caller, ofProject);
        if (!approver) {
            return place::close;
        }
        var seat = presence.joined(caller.project());
        return () -> {
            seat.close();
            place.close();
        };
    }

    private Place take(Caller caller, int ofProject) {
        return places.take(Party.of(caller), ofProject);
    }

    /** How many the caller's project may have; refuses when there is no place for one more now. */
    int mustHavePlace(Caller caller) {
        int ofProject = projects.limits(caller.project()).eventStreams();
        take(caller, ofProject).close();
        return ofProject;
    }

    /** How many a project has at this process. */
    public int of(String project) {
        return places.takenBy(project);
    }

    /** The last words of a stream that lost the race for its place. */
    static byte[] refusal(ShareTaken full) {
        var code = full.code();
        return ("event: error\ndata: {\"type\":\"error\",\"code\":" + code.number() + ",\"name\":\"" + code.name()
                        + "\",\"message\":\"" + full.getMessage() + "\"}\n\n")
                .getBytes(StandardCharsets.UTF_8);
    }
}
