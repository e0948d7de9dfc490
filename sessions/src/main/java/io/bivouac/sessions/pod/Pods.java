package io.bivouac.sessions.pod;

import io.bivouac.identity.fetch.GuardedFetch;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.sessions.acl.PodPaths;
import io.micronaut.context.annotation.Value;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The Pods from the settings. Thread-safe. */
@Singleton
public class Pods {
    private final Map<String, Pod> pods = new LinkedHashMap<>();
    private final List<String> templates;

    /**
     * @param settings each a Pod's address, and after {@code =} where its files are on this machine; without that, it
     *     is read over the web
     */
    Pods(@Value("${bivouac.pods:}") List<String> settings, GuardedFetch fetch, RelayLogin login, PodSettings guests) {
        this.templates = guests.getTemplates();
        for (var setting : settings) {
            if (setting.isBlank()) {
                continue;
            }
            int middle = setting.indexOf("=/");
            var paths = new PodPaths(
                    setting.substring(0, middle < 0 ? setting.length() : middle).strip());
            if (middle < 0 && !login.isConfigured()) {
                throw new IllegalArgumentException("BIVOUAC_PODS: " + paths.base()
                        + " needs \"=\" and its folder, or else BIVOUAC_SOLID_CLIENT_ISSUER, _ID and _SECRET");
            }
            var storage = middle < 0
                    ? new WebStorage(paths, fetch, login)
                    : new FolderStorage(Path.of(setting.substring(middle + 1).strip()));
            pods.put(paths.base(), new Pod(paths, storage));
        }
    }

    /** Refuses a template that guests' own sandboxes are not made from: it has hosts and ports of its own. */
    public void mustAllow(String template) {
        if (!templates.isEmpty() && !templates.contains(template)) {
            throw new BivouacException(
                    ErrorCode.FORBIDDEN,
                    "template must be one of those that guests may have: " + String.join(", ", templates) + ".");
        }
    }

    /** The one that is asked for; without a word, the only one. */
    public Pod get(@Nullable String url) {
        if (pods.isEmpty()) {
            throw new BivouacException(ErrorCode.FORBIDDEN, "This relay serves no Pod.");
        }
        if (url == null && pods.size() > 1) {
            throw new BivouacException(
                    ErrorCode.INVALID_REQUEST, "This relay serves several Pods; name one by pod, its address.");
        }
        return url == null
                ? pods.values().iterator().next()
                : find(url)
                        .orElseThrow(
                                () -> new BivouacException(ErrorCode.FORBIDDEN, "This relay does not serve that Pod."));
    }

    Collection<Pod> all() {
        return pods.values();
    }

    Optional<Pod> find(String url) {
        return Optional.ofNullable(pods.get(PodPaths.asFolder(url)));
    }
}
