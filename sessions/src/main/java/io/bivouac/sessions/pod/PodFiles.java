package io.bivouac.sessions.pod;

import io.bivouac.sandboxmodel.runtime.FolderRights;
import io.bivouac.sandboxmodel.runtime.FolderView;
import io.micronaut.core.annotation.Nullable;

/** What a session's sandbox has of its Pod's files. */
public sealed interface PodFiles {
    /** @param workdir where the session starts; null for where it asked to */
    record Shown(
            FolderView view, FolderRights rights, @Nullable String workdir) implements PodFiles {}

    /** @param why a whole sentence */
    record Absent(String why) implements PodFiles {}
}
