package io.bivouac.sandboxio.file;

import io.bivouac.foundation.audit.Audit;
import io.bivouac.foundation.audit.Refusals;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import reactor.core.publisher.Mono;

/** Writes down who changed which files, and what was refused. Thread-safe. */
@Singleton
class FileAudit {
    private final Audit audit;
    private final Refusals refusals;
    private final FileMetrics metrics;
    private final ExecutorService threads;

    FileAudit(
            Audit audit,
            Refusals refusals,
            FileMetrics metrics,
            @Named(TaskExecutors.BLOCKING) ExecutorService threads) {
        this.audit = audit;
        this.refusals = refusals;
        this.metrics = metrics;
        this.threads = threads;
    }

    /** The row is written while the change is made; the answer waits for both. */
    <T> Mono<T> change(FileUse use, String action, String detail, Mono<T> change) {
        var row = CompletableFuture.runAsync(
                () -> audit.append(use.caller().project(), use.caller().id(), "file." + action, use.sandbox(), detail),
                threads);
        var written = Mono.fromFuture(row, true);
        return noted(use, action, detail, change).flatMap(done -> written.thenReturn(done));
    }

    /** Nothing is written down of what only looks, unless it is refused. */
    <T> Mono<T> noted(FileUse use, String action, String detail, Mono<T> operation) {
        return operation.doOnSuccess(_ -> metrics.operated(action, true)).doOnError(failed -> {
            metrics.operated(action, false);
            if (failed instanceof BivouacException refusal && isAttempt(refusal)) {
                refusals.note(
                        () -> use.caller().project(),
                        use.caller().refusedBy(refusals),
                        "file.refused",
                        use.sandbox(),
                        action + " " + detail + ": " + refusal.getMessage());
            }
        });
    }

    private static boolean isAttempt(BivouacException refusal) {
        return refusal.code() == ErrorCode.FILE_NOT_PERMITTED || refusal.code() == ErrorCode.INVALID_ARCHIVE;
    }
}
