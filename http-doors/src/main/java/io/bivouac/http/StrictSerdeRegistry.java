package io.bivouac.http;

import io.micronaut.context.BeanContext;
import io.micronaut.context.annotation.Replaces;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.core.type.Argument;
import io.micronaut.serde.Deserializer;
import io.micronaut.serde.SerdeIntrospections;
import io.micronaut.serde.config.DeserializationConfiguration;
import io.micronaut.serde.config.SerdeConfiguration;
import io.micronaut.serde.config.SerializationConfiguration;
import io.micronaut.serde.exceptions.SerdeException;
import io.micronaut.serde.support.DefaultSerdeRegistry;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;

/**
 * Reads JSON's scalars as they are written. The framework would take {@code false} for the text "false" and
 * {@code "12"} for the number 12, so that a slip of the pen becomes a name or a limit. Thread-safe.
 */
@Singleton
@Replaces(DefaultSerdeRegistry.class)
class StrictSerdeRegistry extends DefaultSerdeRegistry {
    private static final Map<Class<?>, Deserializer<?>> STRICT = Map.of(
            String.class, StrictScalar.TEXT,
            Boolean.class, StrictScalar.FLAG,
            Integer.class, StrictScalar.INTEGER,
            Long.class, StrictScalar.LONG,
            Double.class, StrictScalar.NUMBER);

    private static final String OURS = "io.bivouac.";

    StrictSerdeRegistry(
            BeanContext beans,
            SerdeIntrospections introspections,
            ConversionService conversions,
            SerdeConfiguration configuration,
            SerializationConfiguration writing,
            DeserializationConfiguration reading) {
        super(beans, introspections, conversions, configuration, writing, reading);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> Deserializer<? extends T> findDeserializer(Argument<? extends T> type) throws SerdeException {
        var strict = (Deserializer<? extends T>) STRICT.get(type.getType());
        return strict == null ? shaped(type, found(type)) : strict;
    }

    @SuppressWarnings("unchecked")
    private <T> Deserializer<? extends T> found(Argument<? extends T> type) throws SerdeException {
        return StrictTexts.reads(type) ? (Deserializer<? extends T>) new StrictTexts() : super.findDeserializer(type);
    }

    @SuppressWarnings("unchecked")
    private static <T> Deserializer<? extends T> shaped(Argument<? extends T> type, Deserializer<? extends T> found) {
        var kind = type.getType();
        boolean ours = kind.isRecord() && kind.getName().startsWith(OURS);
        return ours || kind == Map.class || kind == List.class ? new StrictShape<>((Deserializer<T>) found) : found;
    }
}
