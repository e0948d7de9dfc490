package io.bivouac.runtimes.docker;

import io.bivouac.sandboxmodel.runtime.Installation;
import io.bivouac.sandboxmodel.runtime.Labels;
import java.util.List;
import java.util.Map;

/** Which containers and volumes are this installation's on this host; no other is ever touched. */
final class Ownership {
    private Ownership() {}

    static boolean owns(Installation installation, Map<String, String> labels) {
        return labels != null
                && "true".equals(labels.get(Labels.BIVOUAC))
                && installation.id().equals(labels.get(Labels.INSTALLATION))
                && installation.host().equals(labels.get(Labels.HOST));
    }

    static List<String> filter(Installation installation) {
        return List.of(
                Labels.BIVOUAC + "=true",
                Labels.INSTALLATION + "=" + installation.id(),
                Labels.HOST + "=" + installation.host());
    }
}
