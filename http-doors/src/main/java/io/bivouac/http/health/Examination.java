package io.bivouac.http.health;

import io.bivouac.sandboxmodel.runtime.Check;
import java.util.List;

/** Looks at a part of this machine for whoever asks what is wrong with it; it may take a moment. */
public interface Examination {
    List<Check> examine();
}
