package io.bivouac.sandboxes.egress;

import io.bivouac.sandboxmodel.Nearest;
import io.bivouac.sandboxmodel.egress.EgressPolicy;
import io.bivouac.sandboxmodel.egress.EgressRule;
import io.bivouac.sandboxmodel.egress.Presets;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.context.annotation.Value;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * What presets stand for at this server: the package sources of its tools, and what the operator has defined. A tool is
 * asked when its preset is first used, and again when the answer is old. Thread-safe.
 */
@Singleton
public class EgressPresets implements Presets {
    private static final Duration FRESH = Duration.ofMinutes(10);

    private final PackageSources sources;
    private final Map<String, List<EgressRule>> operators;
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();

    private record Answer(List<EgressRule> hosts, long at) {
        boolean isFresh() {
            return System.nanoTime() - at < FRESH.toNanos();
        }
    }

    @Inject
    EgressPresets(@Nullable @Value("${bivouac.egress.presets}") Path operatorsFile) {
        this(new PackageSources(new ToolOutput(Map.of())), operatorsFile);
    }

    EgressPresets(PackageSources sources, @Nullable Path operatorsFile) {
        this.sources = sources;
        this.operators = operatorsFile == null ? Map.of() : PresetFile.read(operatorsFile);
    }

    /** May take seconds, when a tool is asked. */
    @Override
    public List<EgressRule> hostsOf(String preset) {
        var defined = operators.get(preset);
        if (defined != null) {
            return defined;
        }
        if (!sources.names().contains(preset)) {
            return List.of();
        }
        var known = answers.get(preset);
        if (known != null && known.isFresh()) {
            return known.hosts();
        }
        // One asks; the others wait for the answer.
        return answers.compute(
                        preset,
                        (_, present) -> present != null && present.isFresh()
                                ? present
                                : new Answer(sources.of(preset), System.nanoTime()))
                .hosts();
    }

    /** All that may be named, in order. */
    public List<String> names() {
        var names = new TreeSet<>(sources.names());
        names.addAll(operators.keySet());
        names.add(EgressPolicy.PUBLIC);
        return List.copyOf(names);
    }

    /** Whether the operator has defined it, rather than a tool of this machine. */
    public boolean isOperators(String name) {
        return operators.containsKey(name);
    }

    /** Refuses a policy with a preset that is not known here. */
    public EgressPolicy checked(EgressPolicy policy) {
        var names = names();
        for (var preset : policy.presets()) {
            if (!names.contains(preset)) {
                var meant = Nearest.to(preset, names)
                        .map(near -> " Did you mean @" + near + "?")
                        .orElse("");
                throw BivouacException.invalidRequest("egress.allow: there is no preset @" + preset + "; there are "
                        + names.stream().map(name -> "@" + name).collect(Collectors.joining(", ")) + "." + meant);
            }
        }
        return policy;
    }
}
