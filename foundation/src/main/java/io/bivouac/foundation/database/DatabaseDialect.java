package io.bivouac.foundation.database;

import io.micronaut.context.ApplicationContextBuilder;
import io.micronaut.context.ApplicationContextConfigurer;
import io.micronaut.context.annotation.ContextConfigurer;
import io.micronaut.context.env.PropertySource;
import java.util.Map;

/** Tells the framework's repositories which database they speak to; everything else is in one URL. */
@ContextConfigurer
public class DatabaseDialect implements ApplicationContextConfigurer {
    @Override
    public void configure(ApplicationContextBuilder builder) {
        builder.propertySources(
                PropertySource.of("bivouac-database", Map.of("datasources.default.dialect", "POSTGRES")));
    }
}
