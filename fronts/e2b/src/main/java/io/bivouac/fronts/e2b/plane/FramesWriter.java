package io.bivouac.fronts.e2b.plane;

import io.micronaut.core.type.Argument;
import io.micronaut.core.type.MutableHeaders;
import io.micronaut.http.ByteBodyHttpResponse;
import io.micronaut.http.ByteBodyHttpResponseWrapper;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.body.ByteBodyFactory;
import io.micronaut.http.body.CloseableByteBody;
import io.micronaut.http.body.ResponseBodyWriter;
import jakarta.inject.Singleton;
import java.io.OutputStream;
import java.util.OptionalLong;

/** Sends envelopes as they come. */
@Singleton
final class FramesWriter implements ResponseBodyWriter<Frames> {
    @Override
    public ByteBodyHttpResponse<?> write(
            ByteBodyFactory factory,
            HttpRequest<?> request,
            MutableHttpResponse<Frames> response,
            Argument<Frames> type,
            MediaType mediaType,
            Frames body) {
        return ByteBodyHttpResponseWrapper.wrap(response, bytes(factory, body));
    }

    @Override
    public CloseableByteBody writePiece(
            ByteBodyFactory factory,
            HttpRequest<?> request,
            io.micronaut.http.HttpResponse<?> response,
            Argument<Frames> type,
            MediaType mediaType,
            Frames body) {
        return bytes(factory, body);
    }

    private static CloseableByteBody bytes(ByteBodyFactory factory, Frames body) {
        var pieces = body.envelopes().map(piece -> factory.readBufferFactory().adapt(piece.nioBuffer()));
        return factory.adapt(pieces, OptionalLong.empty());
    }

    @Override
    public void writeTo(
            Argument<Frames> type, MediaType mediaType, Frames body, MutableHeaders headers, OutputStream stream) {
        throw new UnsupportedOperationException("streams are not collected");
    }
}
