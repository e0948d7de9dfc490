package io.bivouac.sandboxes.warm;

import io.bivouac.sandboxes.template.Templates;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;

/** A pool for each template that is to have one. Templates are built and removed while the server runs. Thread-safe. */
final class TemplatePools {
    private final Templates templates;
    private final WarmSettings settings;
    private final Map<String, TemplatePool> pools = new ConcurrentSkipListMap<>();
    private volatile Consumer<TemplatePool> listener = pool -> {};

    TemplatePools(Templates templates, WarmSettings settings) {
        this.templates = templates;
        this.settings = settings;
        follow();
    }

    /** Sees what the catalogue has now. The sandboxes that are of no use any more are the caller's to remove. */
    synchronized List<WarmSandbox> follow() {
        var useless = new ArrayList<WarmSandbox>();
        for (var template : templates.all()) {
            var pool = pools.get(template.name());
            if (pool == null && !settings.rangeOf(template).isNone()) {
                var added = new TemplatePool(template, settings.rangeOf(template));
                pools.put(template.name(), added);
                listener.accept(added);
            } else if (pool != null && !pool.template().equals(template)) {
                useless.addAll(pool.make(template));
            }
        }
        pools.values().stream()
                .filter(pool -> templates.find(pool.template().name()).isEmpty())
                .forEach(pool -> useless.addAll(pool.end()));
        return useless;
    }

    /** Hears of each pool, those that are there and those to come. */
    synchronized void tell(Consumer<TemplatePool> heard) {
        listener = heard;
        pools.values().forEach(heard);
    }

    Optional<TemplatePool> find(String template) {
        return Optional.ofNullable(pools.get(template));
    }

    Collection<TemplatePool> all() {
        return pools.values();
    }
}
