package io.bivouac.http;

import io.micronaut.core.type.Argument;
import io.micronaut.serde.Decoder;
import io.micronaut.serde.Deserializer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A JSON array of strings. The framework's own reader takes {@code false} for the text "false". Immutable. */
record StrictTexts() implements Deserializer<List<String>> {
    static boolean reads(Argument<?> type) {
        var items = type.getTypeParameters();
        return type.getType() == List.class && items.length == 1 && items[0].getType() == String.class;
    }

    @Override
    public List<String> deserialize(Decoder decoder, DecoderContext context, Argument<? super List<String>> type)
            throws IOException {
        var item = Argument.of(String.class, "An item of " + type.getName());
        var texts = new ArrayList<String>();
        var array = decoder.decodeArray(type);
        while (array.hasNextArrayValue()) {
            texts.add(StrictScalar.TEXT.deserialize(array, context, item));
        }
        array.finishStructure();
        return texts;
    }
}
