package io.bivouac.sandboxmodel.runtime;

import java.util.Map;

/** The labels by which an instance is known to be ours, whoever lists it. */
public final class Labels {
    public static final String BIVOUAC = "bivouac";
    public static final String SANDBOX = "bivouac.sandbox";
    public static final String PROJECT = "bivouac.project";
    public static final String INSTALLATION = "bivouac.installation";
    public static final String HOST = "bivouac.host";

    private Labels() {}

    public static Map<String, String> of(InstanceSpec spec, Installation installation) {
        return Map.of(
                BIVOUAC, "true",
                SANDBOX, spec.id().value(),
                PROJECT, spec.project(),
                INSTALLATION, installation.id(),
                HOST, installation.host());
    }
}
