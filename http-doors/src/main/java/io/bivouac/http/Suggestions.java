package io.bivouac.http;

import io.bivouac.sandboxmodel.Nearest;
import io.micronaut.context.BeanProvider;
import io.micronaut.core.beans.BeanIntrospector;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpRequest;
import io.micronaut.web.router.RouteAttributes;
import io.micronaut.web.router.Router;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What a caller most likely meant by a field or an address that there is not. Thread-safe. */
@Singleton
class Suggestions {
    /** Fields within fields that are looked at. */
    private static final int DEEPEST = 3;

    private static final String VARIABLE = "{";

    private final BeanProvider<Router> router;

    Suggestions(BeanProvider<Router> router) {
        this.router = router;
    }

    /** A field of the body that this request's operation reads. */
    Optional<String> field(String name, HttpRequest<?> request) {
        var fields = new TreeSet<String>();
        body(request).ifPresent(body -> collect(body, fields, DEEPEST));
        return Nearest.to(name, fields);
    }

    Optional<Argument<?>> body(HttpRequest<?> request) {
        return RouteAttributes.getRouteInfo(request).flatMap(route -> route.getRequestBodyType());
    }

    private static void collect(Argument<?> type, Set<String> fields, int depth) {
        if (depth == 0) {
            return;
        }
        BeanIntrospector.SHARED
                .findIntrospection(type.getType())
                .ifPresent(known -> known.getBeanProperties().forEach(property -> {
                    fields.add(property.getName());
                    collect(property.asArgument(), fields, depth - 1);
                }));
    }

    /** An address that differs in one word, or goes on where this one ends. */
    Optional<String> path(String path) {
        var words = words(path);
        var known = paths();
        return IntStream.range(0, words.size())
                .map(place -> words.size() - 1 - place)
                .mapToObj(place -> instead(words, place, known))
                .flatMap(Optional::stream)
                .findFirst()
                .or(() -> longer(words, known));
    }

    private Set<List<String>> paths() {
        return router.get()
                .uriRoutes()
                .map(route -> words(route.getUriMatchTemplate().toPathString()))
                .collect(Collectors.toSet());
    }

    private static Optional<String> instead(List<String> words, int place, Set<List<String>> known) {
        var alike = known.stream()
                .filter(path -> path.size() == words.size() && !path.get(place).startsWith(VARIABLE))
                .filter(path ->
                        IntStream.range(0, words.size()).allMatch(i -> i == place || fits(path.get(i), words.get(i))))
                .map(path -> path.get(place))
                .collect(Collectors.toSet());
        return Nearest.to(words.get(place), alike)
                .map(better -> spelled(Stream.concat(
                        Stream.concat(words.subList(0, place).stream(), Stream.of(better)),
                        words.subList(place + 1, words.size()).stream())));
    }

    private static Optional<String> longer(List<String> words, Set<List<String>> known) {
        return known.stream()
                .filter(path -> path.size() == words.size() + 1
                        && path.subList(0, words.size()).equals(words))
                .map(path -> spelled(path.stream()))
                .filter(path -> !path.contains(VARIABLE))
                .min(String::compareTo);
    }

    private static boolean fits(String wanted, String word) {
        return wanted.equals(word) || wanted.startsWith(VARIABLE);
    }

    private static List<String> words(String path) {
        return Stream.of(path.split("/")).filter(word -> !word.isEmpty()).toList();
    }

    private static String spelled(Stream<String> words) {
        return words.collect(Collectors.joining("/", "/", ""));
    }
}
