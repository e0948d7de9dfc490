package io.bivouac.sessions.launch;

import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Value;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Puts the rules together: those that come with Bivouac, then the operator's, which win. */
@Factory
final class LaunchCatalogue {
    private static final String EMBEDDED = "/launch-rules.yml";

    @Singleton
    LaunchRules rules(
            @Nullable @Value("${bivouac.launch-rules}") Path operatorsFile,
            @Value("${bivouac.allowed-commands:}") List<String> allowed) {
        try (var embedded =
                new InputStreamReader(LaunchCatalogue.class.getResourceAsStream(EMBEDDED), StandardCharsets.UTF_8)) {
            var all = new ArrayList<>(LaunchRuleFile.read(embedded, "launch-rules.yml"));
            if (operatorsFile != null) {
                try (var own = Files.newBufferedReader(operatorsFile)) {
                    all.addAll(LaunchRuleFile.read(own, operatorsFile.toString()));
                }
            }
            var commands = allowed.stream().map(String::strip).filter(command -> !command.isEmpty());
            return new LaunchRules(all, commands.toList());
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read the launch rules: " + unreadable.getMessage(), unreadable);
        }
    }
}
