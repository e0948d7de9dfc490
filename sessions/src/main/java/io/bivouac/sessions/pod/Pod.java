package io.bivouac.sessions.pod;

import io.bivouac.sessions.acl.PodPaths;
import java.util.Optional;

/** A Pod that this relay serves. */
public record Pod(PodPaths paths, PodStorage storage) {
    /** The container whose ACL says who may have a terminal. */
    public static final String TERMINAL = "/.terminal/";

    /** The whole of a resource, whoever may read it: for those who have asked the ACL before. */
    public Optional<byte[]> read(String path) throws PodUnreadable {
        return storage.read(path);
    }

    public String url() {
        return paths.base();
    }
}
