package io.bivouac.http;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.type.Argument;
import io.micronaut.serde.Decoder;
import io.micronaut.serde.Deserializer;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A JSON value of one type and no other. Immutable.
 *
 * @param name as an error says it
 * @param read null for a value of another type
 */
record StrictScalar<T>(String name, Function<Object, @Nullable T> read) implements Deserializer<T> {
    static final StrictScalar<String> TEXT =
            new StrictScalar<>("a string", value -> value instanceof String text ? text : null);
    static final StrictScalar<Boolean> FLAG =
            new StrictScalar<>("true or false", value -> value instanceof Boolean flag ? flag : null);
    static final StrictScalar<Long> LONG = new StrictScalar<>("a whole number", StrictScalar::whole);
    static final StrictScalar<Integer> INTEGER = new StrictScalar<>("a whole number", value -> {
        var whole = whole(value);
        return whole == null || whole.intValue() != whole ? null : (Integer) whole.intValue();
    });
    static final StrictScalar<Double> NUMBER = new StrictScalar<>("a number", value -> {
        return value instanceof Number number && Double.isFinite(number.doubleValue())
                ? (Double) number.doubleValue()
                : null;
    });

    private static final int LONGEST_SHOWN = 40;

    @Override
    public T deserialize(Decoder decoder, DecoderContext context, Argument<? super T> type) throws IOException {
        var value = decoder.decodeArbitrary();
        var read = this.read.apply(value);
        if (read == null) {
            throw decoder.createDeserializationException(complaint(type.getName(), value), null);
        }
        return read;
    }

    /** Entries of lists and maps have no name of their own, only a type variable's. */
    private String complaint(String field, Object value) {
        return subject(field) + " must be " + name + ", but is " + shown(value);
    }

    static String subject(String field) {
        return field.length() > 1 ? field : "A value inside";
    }

    private static String shown(@Nullable Object value) {
        return switch (value) {
            case null -> "null";
            case String text when text.length() > LONGEST_SHOWN -> "\"" + text.substring(0, LONGEST_SHOWN) + "…\"";
            case String text -> "\"" + text + "\"";
            case Map<?, ?> _ -> "an object";
            case List<?> _ -> "an array";
            default -> value.toString();
        };
    }

    /** JSON has one kind of number: 10.0 is as whole as 10. */
    private static @Nullable Long whole(Object value) {
        if (!(value instanceof Number number)) {
            return null;
        }
        try {
            return new BigDecimal(number.toString()).longValueExact();
        } catch (ArithmeticException | NumberFormatException broken) {
            return null;
        }
    }
}
