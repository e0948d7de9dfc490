package io.bivouac.sandboxio.file;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.ServerHttpRequest;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.ExecutorService;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Uploads of forms with files, which pass through as they come. Thread-safe. */
@Singleton
public class FormUploads {
    private static final int PIECE = 64 * 1024;

    private final Scheduler threads;

    FormUploads(@Named(TaskExecutors.BLOCKING) ExecutorService threads) {
        this.threads = Schedulers.fromExecutorService(threads);
    }

    /** Told of each part, whose contents have to be read before it returns. */
    public interface Parts {
        void read(FormReader.Part part) throws IOException;
    }

    /** Reads all of a request's form. Waits for its client. */
    public void read(ServerHttpRequest<?> request, Parts parts) {
        var type = request.getHeaders().get(HttpHeaders.CONTENT_TYPE);
        try (var body = request.byteBody().move();
                var stream = body.toInputStream()) {
            var form = new FormReader(type == null ? "" : type, stream);
            for (var part = form.next(); part != null; part = form.next()) {
                parts.read(part);
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** Contents that are read on threads of their own, as somebody asks for them. */
    public Publisher<byte[]> published(InputStream contents) {
        return Flux.<byte[]>generate(sink -> {
                    try {
                        var piece = contents.readNBytes(PIECE);
                        if (piece.length == 0) {
                            sink.complete();
                        } else {
                            sink.next(piece);
                        }
                    } catch (IOException broken) {
                        sink.error(broken);
                    }
                })
                .subscribeOn(threads);
    }
}
