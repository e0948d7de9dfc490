package io.bivouac.events;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.util.List;

/** Validates texts against the schemas, formats included. */
final class Schemas {
    private static final SchemaRegistry REGISTRY = SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12,
            registry -> registry.schemas(id -> id.startsWith(EventSchemas.ID_PREFIX)
                    ? EventSchemas.text(id.substring(EventSchemas.ID_PREFIX.length()))
                    : null));

    private Schemas() {}

    static List<Error> faults(String schema, String json) {
        return REGISTRY.getSchema(SchemaLocation.of(EventSchemas.ID_PREFIX + schema))
                .validate(
                        json,
                        InputFormat.JSON,
                        context -> context.executionConfig(config -> config.formatAssertionsEnabled(true)));
    }

    /** Whether a schema is itself one, by the rules of its own dialect. */
    static List<Error> faultsOfSchema(String name) {
        return REGISTRY.getSchema(SchemaLocation.of(SpecificationVersion.DRAFT_2020_12.getDialectId()))
                .validate(EventSchemas.text(name), InputFormat.JSON);
    }
}
