package io.bivouac.http;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.share.Party;
import io.bivouac.foundation.share.Place;
import io.bivouac.foundation.share.Shares;
import io.micronaut.http.context.ServerRequestContext;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads of which each caller and each project has a share: calls that wait long, such as creates, keep only the
 * caller's own later ones out. Work that belongs to no caller yet, such as a login, is bounded by the total alone.
 */
final class SharedThreads extends ThreadPoolExecutor {
    private static final long IDLE_SECONDS = 60;

    private final Shares places;

    SharedThreads(Shares places, ThreadFactory factory) {
        super(0, places.bounds().total(), IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), factory);
        this.places = places;
    }

    @Override
    public void execute(Runnable work) {
        var caller = ServerRequestContext.currentRequest()
                .flatMap(request -> request.getAttribute(Authentication.CALLER, Caller.class));
        if (caller.isEmpty()) {
            super.execute(work);
        } else {
            execute(work, places.take(Party.of(caller.get())));
        }
    }

    private void execute(Runnable work, Place place) {
        try {
            super.execute(() -> {
                try (place) {
                    work.run();
                }
            });
        } catch (RejectedExecutionException full) {
            place.close();
            throw full;
        }
    }
}
