package io.bivouac.sessions.pod;

import io.bivouac.identity.turtle.BadTurtle;
import io.bivouac.identity.turtle.Turtle;
import io.bivouac.sessions.acl.PodPaths;
import io.micronaut.core.annotation.Nullable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.rdf4j.model.IRI;
import org.eclipse.rdf4j.model.Model;
import org.eclipse.rdf4j.model.Resource;
import org.eclipse.rdf4j.model.impl.SimpleValueFactory;

/**
 * What a Pod's owner wants terminals to be like where a request does not say: the document {@code .terminal/config}.
 * It fills gaps and grants nothing.
 *
 * @param secrets documents whose values are to be variables of those sessions that may have them
 */
public record PodConfig(
        @Nullable String shell, @Nullable String workdir, Map<String, String> variables, List<String> secrets) {
    private static final String UDF = "https://undefineds.co/ns/";
    private static final String PATH = Pod.TERMINAL + "config";
    private static final int MOST_VARIABLES = 64;
    private static final int MOST_SECRETS = 8;
    private static final PodConfig NONE = new PodConfig(null, null, Map.of(), List.of());

    /** Nothing is said where there is none, or none that can be read as Turtle. */
    public static PodConfig of(Pod pod) throws PodUnreadable {
        var text = pod.read(PATH);
        if (text.isEmpty()) {
            return NONE;
        }
        try {
            var address = pod.paths().address(PATH);
            var statements = Turtle.parse(text.get(), address);
            var subject = SimpleValueFactory.getInstance().createIRI(address);
            return new PodConfig(
                    one(statements, subject, "defaultShell"),
                    one(statements, subject, "defaultWorkdir"),
                    variables(statements, subject),
                    secrets(statements, subject));
        } catch (BadTurtle malformed) {
            return NONE;
        }
    }

    private static Map<String, String> variables(Model statements, Resource subject) {
        var variables = new HashMap<String, String>();
        for (var node : statements.filter(subject, udf("env"), null).objects()) {
            if (node instanceof Resource pair && variables.size() < MOST_VARIABLES) {
                var name = one(statements, pair, "key");
                var value = one(statements, pair, "value");
                if (name != null && value != null) {
                    variables.put(name, value);
                }
            }
        }
        return Map.copyOf(variables);
    }

    private static List<String> secrets(Model statements, Resource subject) {
        return statements.filter(subject, udf("autoInjectSecrets"), null).objects().stream()
                .filter(value -> value.isLiteral())
                .map(value -> PodPaths.clean(value.stringValue()))
                .flatMap(Optional::stream)
                .sorted()
                .limit(MOST_SECRETS)
                .toList();
    }

    private static @Nullable String one(Model statements, Resource subject, String name) {
        return statements.filter(subject, udf(name), null).objects().stream()
                .filter(value -> value.isLiteral())
                .map(value -> value.stringValue())
                .findFirst()
                .orElse(null);
    }

    private static IRI udf(String name) {
        return SimpleValueFactory.getInstance().createIRI(UDF, name);
    }
}
