package io.bivouac.sandboxmodel.egress;

import java.util.List;

/** What the names of presets stand for at a server. */
@FunctionalInterface
public interface Presets {
    /** None for a name that is not known. */
    List<EgressRule> hostsOf(String preset);
}
