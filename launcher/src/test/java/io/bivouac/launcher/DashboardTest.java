package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.core.type.Argument;
import io.micronaut.serde.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Dashboards and alarms are made of figures that servers have: those that the documentation lists. */
class DashboardTest {
    private static final Path CHART = Path.of("../infra/helm/bivouac");
    private static final Pattern DOCUMENTED = Pattern.compile("`([a-z_]+)(?:\\{[a-z_,]*})?`");
    private static final Pattern USED =
            Pattern.compile("\\b((?:bivouac|terminal|http|jvm|process|system)_[a-z0-9_]+)\\b");
    private static final Pattern PARTS = Pattern.compile("_(count|sum|max)$");

    /** Listed in the documentation by their beginnings. */
    private static final Pattern OF_THE_JVM = Pattern.compile("(jvm|process|system)_.*");

    @Test
    void everyFigureOfADashboardIsDocumented() throws IOException {
        var documented = documented();
        int boards = 0;
        try (var files = Files.newDirectoryStream(CHART.resolve("dashboards"), "*.json")) {
            for (var file : files) {
                boards++;
                var expressions = expressionsOf(file);
                assertThat(expressions).as(file.toString()).isNotEmpty();
                assertThat(used(expressions)).as(file.toString()).isSubsetOf(documented);
            }
        }
        assertThat(boards).isGreaterThan(2);
    }

    @Test
    void everyAlarmIsOfADocumentedFigure() throws IOException {
        Map<String, Object> rules =
                new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(CHART.resolve("rules.yaml")));
        var expressions = new ArrayList<String>();
        for (var group : (List<?>) rules.get("groups")) {
            for (var rule : (List<?>) ((Map<?, ?>) group).get("rules")) {
                expressions.add(String.valueOf(((Map<?, ?>) rule).get("expr")));
            }
        }
        assertThat(expressions).hasSizeGreaterThan(3);
        assertThat(used(expressions)).isSubsetOf(documented());
    }

    private static TreeSet<String> documented() throws IOException {
        var names = new TreeSet<String>();
        Files.readAllLines(Path.of("../docs/operations.md")).stream()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.split("\\|")[1])
                .forEach(cell -> DOCUMENTED.matcher(cell).results().forEach(found -> names.add(found.group(1))));
        return names;
    }

    private static TreeSet<String> used(List<String> expressions) {
        var names = new TreeSet<String>();
        for (var expression : expressions) {
            USED.matcher(expression)
                    .results()
                    .map(found -> found.group(1))
                    .filter(name -> !OF_THE_JVM.matcher(name).matches())
                    .map(name -> PARTS.matcher(name).replaceFirst(""))
                    .forEach(names::add);
        }
        return names;
    }

    private static List<String> expressionsOf(Path file) throws IOException {
        var board = ObjectMapper.getDefault()
                .readValue(Files.readAllBytes(file), Argument.mapOf(String.class, Object.class));
        var expressions = new ArrayList<String>();
        for (var panel : (List<?>) board.get("panels")) {
            for (var target : (List<?>) ((Map<?, ?>) panel).get("targets")) {
                expressions.add(String.valueOf(((Map<?, ?>) target).get("expr")));
            }
        }
        return expressions;
    }
}
