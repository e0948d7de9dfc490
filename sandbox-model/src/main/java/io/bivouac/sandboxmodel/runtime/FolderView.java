package io.bivouac.sandboxmodel.runtime;

import java.nio.file.Path;
import java.util.Map;

/**
 * A folder of the host that a sandbox sees as far as {@link FolderRights} let it.
 *
 * @param places for each path inside the sandbox the part of the folder that is seen there, from the folder's root
 */
public record FolderView(Path folder, Map<String, String> places) {
    public FolderView {
        places = Map.copyOf(places);
    }
}
