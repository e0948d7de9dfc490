package io.bivouac.sandboxio.file;

import io.bivouac.agent.v1.FileOrder;
import io.bivouac.agentlink.Agent;
import io.bivouac.agentlink.SandboxAccess;
import io.bivouac.foundation.access.Role;
import io.bivouac.sandboxio.file.FileAnswer.Answered;
import io.bivouac.sandboxio.file.Transfers.Direction;
import io.bivouac.sandboxio.file.Transfers.Transfer;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.function.BiFunction;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The files of running sandboxes, for every front. Viewers look, developers change. Thread-safe. */
@Singleton
public class Files {
    private final SandboxAccess access;
    private final Transfers transfers;
    private final FileAudit audit;

    Files(SandboxAccess access, Transfers transfers, FileAudit audit) {
        this.access = access;
        this.transfers = transfers;
        this.audit = audit;
    }

    /** The entry of a link itself, not of what it leads to. */
    public Mono<FileEntry> stat(FileUse use, String path) {
        return audit.noted(use, "stat", path, ask(use, Role.VIEWER, FileMessages.stat(path)))
                .map(Answered::entry);
    }

    public Mono<FilePage> list(FileUse use, ListOrder order) {
        return audit.noted(use, "list", order.path(), ask(use, Role.VIEWER, FileMessages.list(order)))
                .map(answered -> {
                    var next = answered.done().getNext();
                    return new FilePage(answered.entries(), next.isEmpty() ? null : next.toByteArray());
                });
    }

    public Mono<FileDownload> read(FileUse use, ReadOrder order) {
        return audit.noted(use, "read", order.path(), download(use, FileMessages.read(order)));
    }

    /** The contents are subscribed to once, when the agent takes them; the file is there, whole, when this completes. */
    public Mono<Written> write(FileUse use, WriteOrder order, Publisher<byte[]> contents) {
        return change(use, "write", order.path(), agent -> upload(use, agent, FileMessages.write(order), contents))
                .map(done -> new Written(
                        done.getComplete() ? FileMessages.entry(done.getEntry()) : null,
                        done.getCreated(),
                        done.getReceived()));
    }

    /** @param parents whether missing folders above it are made, and one that is there is good enough */
    public Mono<FileEntry> makeFolder(FileUse use, String path, @Nullable Integer mode, boolean parents) {
        return change(use, "make-folder", path, FileMessages.makeFolder(path, mode, parents))
                .map(Answered::entry);
    }

    public Mono<FileEntry> move(FileUse use, String from, String to, boolean overwrite) {
        return change(use, "move", from + " to " + to, FileMessages.move(from, to, overwrite))
                .map(Answered::entry);
    }

    public Mono<Void> remove(FileUse use, String path, boolean recursive) {
        return change(use, "remove", path, FileMessages.remove(path, recursive)).then();
    }

    /** @param owner a name or uid[:gid] of the sandbox; null leaves it */
    public Mono<FileEntry> change(FileUse use, String path, @Nullable Integer mode, @Nullable String owner) {
        return change(use, "change", path, FileMessages.change(path, mode, owner))
                .map(Answered::entry);
    }

    /** A folder with all that is in it, or one file. */
    public Mono<FileDownload> readArchive(FileUse use, String path, ArchiveFormat format) {
        return audit.noted(use, "archive", path, download(use, FileMessages.readArchive(path, format)));
    }

    /** Unpacks a tar or tar.gz into a folder, which is made if it is missing; gives the number of entries. */
    public Mono<Long> writeArchive(FileUse use, String path, Publisher<byte[]> contents) {
        return change(use, "unpack", path, agent -> upload(use, agent, FileMessages.writeArchive(path), contents))
                .map(io.bivouac.agent.v1.FileDone::getReceived);
    }

    /** What changes in a folder, until either side ends it. */
    public Mono<Flux<FileEvent>> watch(FileUse use, String path, boolean recursive) {
        var watch = access.agentLater(use.sandbox(), use.caller(), Role.VIEWER)
                .flatMap(agent -> within(
                        agent,
                        Direction.WATCH,
                        (there, place) -> FileWatching.of(there, as(use, FileMessages.watch(path, recursive)), place)));
        return audit.noted(use, "watch", path, watch);
    }

    private Mono<Answered> ask(FileUse use, Role role, FileOrder.Builder order) {
        return access.agentLater(use.sandbox(), use.caller(), role)
                .flatMap(agent -> FileAnswer.of(agent, as(use, order)));
    }

    private Mono<Answered> change(FileUse use, String action, String detail, FileOrder.Builder order) {
        return change(use, action, detail, agent -> FileAnswer.of(agent, as(use, order)));
    }

    private <T> Mono<T> change(
            FileUse use, String action, String detail, java.util.function.Function<Agent, Mono<T>> act) {
        return access.agentLater(use.sandbox(), use.caller(), Role.DEVELOPER)
                .flatMap(agent -> audit.change(use, action, detail, act.apply(agent)));
    }

    private Mono<FileDownload> download(FileUse use, FileOrder.Builder order) {
        return access.agentLater(use.sandbox(), use.caller(), Role.VIEWER)
                .flatMap(agent -> within(
                        agent, Direction.OUT, (there, transfer) -> FileReading.of(there, as(use, order), transfer)));
    }

    private Mono<io.bivouac.agent.v1.FileDone> upload(
            FileUse use, Agent agent, FileOrder.Builder order, Publisher<byte[]> contents) {
        return within(
                agent, Direction.IN, (there, transfer) -> FileWriting.of(there, as(use, order), contents, transfer));
    }

    /** Takes a place for a transfer, which gives it back when it ends. */
    private <T> Mono<T> within(Agent agent, Direction direction, BiFunction<Agent, Transfer, Mono<T>> transfer) {
        var place = transfers.begin(agent.sandbox().value(), direction);
        try {
            return transfer.apply(agent, place);
        } catch (RuntimeException notBegun) {
            place.end();
            throw notBegun;
        }
    }

    private static FileOrder.Builder as(FileUse use, FileOrder.Builder order) {
        return use.user() == null ? order : order.setUser(use.user());
    }
}
