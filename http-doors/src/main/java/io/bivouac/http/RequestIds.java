package io.bivouac.http;

import io.bivouac.sandboxmodel.SortableId;
import io.micronaut.context.propagation.slf4j.MdcPropagationContext;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.propagation.MutablePropagatedContext;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.util.Map;
import java.util.regex.Pattern;

/** Gives every request an id, the caller's own if it sent a sane one, for the logs and for the answer. */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
@Order(FilterOrder.REQUEST_ID)
class RequestIds {
    private static final String HEADER = "X-Request-Id";
    private static final String ATTRIBUTE = "bivouac.request-id";
    private static final Pattern SANE = Pattern.compile("[A-Za-z0-9._:-]{1,64}");

    @RequestFilter
    void name(HttpRequest<?> request, MutablePropagatedContext context) {
        var given = request.getHeaders().get(HEADER);
        var id = given != null && SANE.matcher(given).matches() ? given : SortableId.next("req_");
        request.setAttribute(ATTRIBUTE, id);
        context.add(new MdcPropagationContext(Map.of("requestId", id)));
    }

    @ResponseFilter
    void tell(HttpRequest<?> request, MutableHttpResponse<?> response) {
        request.getAttribute(ATTRIBUTE, String.class).ifPresent(id -> response.header(HEADER, id));
    }
}
