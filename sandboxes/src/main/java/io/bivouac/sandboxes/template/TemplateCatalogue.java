package io.bivouac.sandboxes.template;

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

/** Puts the catalogue together: the templates that come with Bivouac, then the operator's, which win. */
@Factory
final class TemplateCatalogue {
    private static final String EMBEDDED = "/templates.yml";

    @Singleton
    Templates templates(
            @Nullable @Value("${bivouac.templates}") Path operatorsFile, @Value("${bivouac.data-dir}") Path data) {
        try (var embedded =
                new InputStreamReader(TemplateCatalogue.class.getResourceAsStream(EMBEDDED), StandardCharsets.UTF_8)) {
            var all = new ArrayList<>(TemplateFile.read(embedded, "templates.yml"));
            if (operatorsFile != null) {
                try (var own = Files.newBufferedReader(operatorsFile)) {
                    all.addAll(TemplateFile.read(own, operatorsFile.toString()));
                }
            }
            return new Templates(all, new BuiltTemplates(TemplateFolder.in(data)));
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read the templates: " + unreadable.getMessage(), unreadable);
        }
    }
}
