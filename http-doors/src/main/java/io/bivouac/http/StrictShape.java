package io.bivouac.http;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.type.Argument;
import io.micronaut.serde.Decoder;
import io.micronaut.serde.Deserializer;
import io.micronaut.serde.exceptions.SerdeException;
import java.io.IOException;

/** An object or list of JSON; one of another shape is refused with the field's name. Immutable. */
record StrictShape<T>(Deserializer<T> within) implements Deserializer<T> {
    @Override
    public Deserializer<T> createSpecific(DecoderContext context, Argument<? super T> type) throws SerdeException {
        return new StrictShape<>(within.createSpecific(context, type));
    }

    @Override
    public T deserialize(Decoder decoder, DecoderContext context, Argument<? super T> type) throws IOException {
        try {
            return within.deserialize(decoder, context, type);
        } catch (SerdeException failed) {
            throw named(failed, decoder, type);
        }
    }

    @Override
    public @Nullable T deserializeNullable(Decoder decoder, DecoderContext context, Argument<? super T> type)
            throws IOException {
        try {
            return within.deserializeNullable(decoder, context, type);
        } catch (SerdeException failed) {
            throw named(failed, decoder, type);
        }
    }

    private static IOException named(SerdeException failed, Decoder decoder, Argument<?> type) {
        return FrameworkWords.wrongShape(failed.getMessage())
                .<IOException>map(shape -> decoder.createDeserializationException(
                        StrictScalar.subject(type.getName()) + " must be " + shape, null))
                .orElse(failed);
    }

    @Override
    public boolean allowNull() {
        return within.allowNull();
    }

    @Override
    public @Nullable T getDefaultValue(DecoderContext context, Argument<? super T> type) {
        return within.getDefaultValue(context, type);
    }
}
