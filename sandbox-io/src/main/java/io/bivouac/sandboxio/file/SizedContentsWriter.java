package io.bivouac.sandboxio.file;

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

/** Sends contents with a Content-Length; the framework would send any stream in chunks. */
@Singleton
final class SizedContentsWriter implements ResponseBodyWriter<SizedContents> {
    @Override
    public ByteBodyHttpResponse<?> write(
            ByteBodyFactory factory,
            HttpRequest<?> request,
            MutableHttpResponse<SizedContents> response,
            Argument<SizedContents> type,
            MediaType mediaType,
            SizedContents body) {
        return ByteBodyHttpResponseWrapper.wrap(response, bytes(factory, body));
    }

    @Override
    public CloseableByteBody writePiece(
            ByteBodyFactory factory,
            HttpRequest<?> request,
            io.micronaut.http.HttpResponse<?> response,
            Argument<SizedContents> type,
            MediaType mediaType,
            SizedContents body) {
        return bytes(factory, body);
    }

    private static CloseableByteBody bytes(ByteBodyFactory factory, SizedContents body) {
        var pieces = body.contents().map(piece -> factory.readBufferFactory().adapt(piece));
        return factory.adapt(pieces, OptionalLong.of(body.length()));
    }

    @Override
    public void writeTo(
            Argument<SizedContents> type,
            MediaType mediaType,
            SizedContents body,
            MutableHeaders headers,
            OutputStream stream) {
        throw new UnsupportedOperationException("contents are not collected");
    }
}
