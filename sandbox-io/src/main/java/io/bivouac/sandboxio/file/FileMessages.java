package io.bivouac.sandboxio.file;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.FileOrder;
import io.bivouac.agent.v1.ReadArchive.Format;
import io.micronaut.core.annotation.Nullable;
import java.time.Instant;

/** Operations on files as an agent is told of them, and what it answers: the one place where they are protobuf. */
final class FileMessages {
    private static final long NANOS = 1_000_000_000;

    private FileMessages() {}

    static FileOrder.Builder list(ListOrder order) {
        var message = FileOrder.newBuilder();
        var list = message.getListBuilder()
                .setPath(order.path())
                .setDepth(order.depth())
                .setLimit(order.limit());
        if (order.after() != null) {
            list.setAfter(ByteString.copyFrom(order.after()));
        }
        return message;
    }

    static FileOrder.Builder stat(String path) {
        var message = FileOrder.newBuilder();
        message.getStatBuilder().setPath(path);
        return message;
    }

    static FileOrder.Builder read(ReadOrder order) {
        var message = FileOrder.newBuilder();
        var read = message.getReadBuilder().setPath(order.path()).addAllUnless(order.unless());
        var range = order.range();
        if (range != null && range.first() == null) {
            read.setSuffix(range.last());
        } else if (range != null) {
            read.setOffset(range.first());
            if (range.last() != null) {
                read.setLength(range.last() - range.first() + 1);
            }
        }
        return message;
    }

    static FileOrder.Builder write(WriteOrder order) {
        var message = FileOrder.newBuilder();
        var write = message.getWriteBuilder()
                .setPath(order.path())
                .setParents(order.parents())
                .setOnlyNew(order.onlyNew())
                .addAllOnlyIf(order.onlyIf());
        if (order.mode() != null) {
            write.setMode(order.mode());
        }
        if (order.part() != null) {
            write.getPartBuilder().setTotal(order.part().total());
            if (order.part().offset() != null) {
                write.getPartBuilder().setOffset(order.part().offset());
            }
        }
        return message;
    }

    static FileOrder.Builder makeFolder(String path, @Nullable Integer mode, boolean parents) {
        var message = FileOrder.newBuilder();
        var folder = message.getMakeFolderBuilder().setPath(path).setParents(parents);
        if (mode != null) {
            folder.setMode(mode);
        }
        return message;
    }

    static FileOrder.Builder move(String from, String to, boolean overwrite) {
        var message = FileOrder.newBuilder();
        message.getMoveBuilder().setFrom(from).setTo(to).setOverwrite(overwrite);
        return message;
    }

    static FileOrder.Builder remove(String path, boolean recursive) {
        var message = FileOrder.newBuilder();
        message.getRemoveBuilder().setPath(path).setRecursive(recursive);
        return message;
    }

    static FileOrder.Builder change(String path, @Nullable Integer mode, @Nullable String owner) {
        var message = FileOrder.newBuilder();
        var change = message.getChangeBuilder().setPath(path);
        if (mode != null) {
            change.setMode(mode);
        }
        if (owner != null) {
            change.setOwner(owner);
        }
        return message;
    }

    static FileOrder.Builder readArchive(String path, ArchiveFormat format) {
        var message = FileOrder.newBuilder();
        message.getReadArchiveBuilder()
                .setPath(path)
                .setFormat(
                        switch (format) {
                            case TAR -> Format.TAR;
                            case TAR_GZ -> Format.TAR_GZ;
                            case ZIP -> Format.ZIP;
                        });
        return message;
    }

    static FileOrder.Builder writeArchive(String path) {
        var message = FileOrder.newBuilder();
        message.getWriteArchiveBuilder().setPath(path);
        return message;
    }

    static FileOrder.Builder watch(String path, boolean recursive) {
        var message = FileOrder.newBuilder();
        message.getWatchBuilder().setPath(path).setRecursive(recursive);
        return message;
    }

    static FileEvent event(io.bivouac.agent.v1.FileEvent event) {
        var type = switch (event.getType()) {
            case CREATED -> FileEvent.Type.CREATED;
            case CHANGED -> FileEvent.Type.CHANGED;
            case REMOVED -> FileEvent.Type.REMOVED;
            case MOVED -> FileEvent.Type.MOVED;
            case OVERFLOW, UNRECOGNIZED -> FileEvent.Type.OVERFLOW;
        };
        return new FileEvent(
                type, event.getPath(), type == FileEvent.Type.MOVED ? event.getTo() : null, event.getFolder());
    }

    static FileEntry entry(io.bivouac.agent.v1.FileEntry entry) {
        var type = switch (entry.getType()) {
            case FILE -> FileType.FILE;
            case FOLDER -> FileType.FOLDER;
            case LINK -> FileType.LINK;
            case OTHER, UNRECOGNIZED -> FileType.OTHER;
        };
        long nanos = entry.getModifiedUnixNanos();
        return new FileEntry(
                entry.getPath(),
                type,
                entry.getSize(),
                entry.getMode(),
                entry.getUser(),
                entry.getGroup(),
                Instant.ofEpochSecond(Math.floorDiv(nanos, NANOS), Math.floorMod(nanos, NANOS)),
                type == FileType.LINK ? entry.getTarget() : null,
                entry.getVersion());
    }
}
