package io.bivouac.agentlink;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.FileDone;
import io.bivouac.agent.v1.FileEntry;
import io.bivouac.agent.v1.FileEvent;
import io.bivouac.agent.v1.FileFailure;
import java.util.List;

/**
 * Hears how an operation on files goes. Exactly one of {@code done}, {@code failed} and {@code lost} comes, as the last
 * one, unless the operation is stopped. Called on network threads; returns at once.
 */
public interface FileListener {
    /** The agent takes contents now, as long as {@link FileStream#isReady} says so. */
    default void ready(FileStream stream) {}

    /** What is read, archived or watched. */
    default void entry(FileEntry entry) {}

    default void entries(List<FileEntry> entries) {}

    default void data(ByteString data) {}

    default void events(List<FileEvent> events) {}

    void done(FileDone done);

    /** @param size of the file, or of what has come of an upload, where the range was wrong */
    void failed(FileFailure.Kind kind, String message, long size);

    /** The way to the agent broke, or the agent did not answer. */
    void lost(String why);
}
