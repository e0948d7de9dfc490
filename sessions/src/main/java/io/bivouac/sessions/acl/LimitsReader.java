package io.bivouac.sessions.acl;

import io.micronaut.core.annotation.Nullable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.eclipse.rdf4j.model.IRI;
import org.eclipse.rdf4j.model.Model;
import org.eclipse.rdf4j.model.Resource;
import org.eclipse.rdf4j.model.Value;
import org.eclipse.rdf4j.model.impl.SimpleValueFactory;
import org.eclipse.rdf4j.model.vocabulary.RDF;

/** Reads how rules narrow what they grant at a terminal. */
final class LimitsReader {
    private static final String UDF = "https://undefineds.co/ns/";
    private static final IRI PERMISSIONS = udf("terminalPermissions");
    private static final IRI WORKDIRS = udf("allowedWorkdirs");
    private static final IRI SECRETS = udf("injectSecrets");
    private static final IRI COMMANDS = udf("allowedCommands");
    private static final IRI DURATION = udf("maxSessionDuration");
    private static final IRI PRE_AUTHORIZE = udf("preAuthorize");
    private static final Set<IRI> KNOWN = Set.of(RDF.TYPE, WORKDIRS, SECRETS, COMMANDS, DURATION, PRE_AUTHORIZE);
    private static final TerminalLimits NOT_UNDERSTOOD =
            new TerminalLimits(Set.of(), Set.of(), Set.of(), null, Set.of(), false);

    private final Model statements;
    private final PodPaths paths;

    LimitsReader(Model statements, PodPaths paths) {
        this.statements = statements;
        this.paths = paths;
    }

    List<TerminalLimits> of(Resource rule) {
        var limits = new ArrayList<TerminalLimits>();
        for (var node : statements.filter(rule, PERMISSIONS, null).objects()) {
            limits.add(node instanceof Resource inner ? limit(inner) : NOT_UNDERSTOOD);
        }
        return limits;
    }

    private TerminalLimits limit(Resource node) {
        var said = statements.filter(node, null, null).predicates();
        // Nothing said here may be said elsewhere.
        if (said.isEmpty() && node.isIRI() || !KNOWN.containsAll(said)) {
            return NOT_UNDERSTOOD;
        }
        var workdirs = texts(node, WORKDIRS, text -> paths.fromAcl(text).map(PodPaths::asFolder));
        var secrets = texts(node, SECRETS, paths::fromAcl);
        var commands = texts(node, COMMANDS, Optional::of);
        try {
            return new TerminalLimits(
                    workdirs, secrets == null ? Set.of() : secrets, commands, longest(node), preAuthorized(node), true);
        } catch (IllegalArgumentException unreadable) {
            return NOT_UNDERSTOOD;
        }
    }

    /** Null when it says nothing about this; what it says and means nothing here allows nothing. */
    private @Nullable Set<String> texts(Resource node, IRI predicate, Function<String, Optional<String>> read) {
        var values = statements.filter(node, predicate, null).objects();
        if (values.isEmpty()) {
            return null;
        }
        var texts = new HashSet<String>();
        values.forEach(value -> read.apply(value.stringValue()).ifPresent(texts::add));
        return Set.copyOf(texts);
    }

    private Set<PreAuthorization> preAuthorized(Resource node) {
        return statements.filter(node, PRE_AUTHORIZE, null).objects().stream()
                .map(value -> PreAuthorization.parse(value.stringValue())
                        .filter(_ -> value.isLiteral())
                        .orElseThrow(() -> new IllegalArgumentException("no action and resource")))
                .collect(Collectors.toUnmodifiableSet());
    }

    private @Nullable Duration longest(Resource node) {
        return statements.filter(node, DURATION, null).objects().stream()
                .map(LimitsReader::seconds)
                .min(Duration::compareTo)
                .orElse(null);
    }

    private static Duration seconds(Value value) {
        long seconds = Long.parseLong(value.stringValue());
        if (seconds < 1) {
            throw new IllegalArgumentException("less than a second");
        }
        return Duration.ofSeconds(seconds);
    }

    private static IRI udf(String name) {
        return SimpleValueFactory.getInstance().createIRI(UDF, name);
    }
}
