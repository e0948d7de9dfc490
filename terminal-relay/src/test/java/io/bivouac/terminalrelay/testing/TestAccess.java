package io.bivouac.terminalrelay.testing;

import io.bivouac.sandboxes.access.ApiKeys;
import io.bivouac.sandboxes.access.Caller;
import io.bivouac.sandboxes.access.KeyText;
import io.bivouac.sandboxes.access.Ticket;
import io.bivouac.sandboxes.access.Tickets;
import io.bivouac.sandboxes.error.BivouacException;
import io.bivouac.sandboxes.error.ErrorCode;
import io.micronaut.core.convert.ArgumentConversionContext;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.bind.binders.TypedRequestArgumentBinder;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the control plane does for the whole server: who is asking, and how refusals look. */
final class TestAccess {
    private TestAccess() {}

    @Singleton
    static final class Binder implements TypedRequestArgumentBinder<Caller> {
        private final ApiKeys keys;
        private final Tickets tickets;

        Binder(ApiKeys keys, Tickets tickets) {
            this.keys = keys;
            this.tickets = tickets;
        }

        private Optional<Caller> byTicket(HttpRequest<?> request) {
            var headers = request.getHeaders();
            return Tickets.in(headers.get("Sec-WebSocket-Protocol"))
                    .flatMap(text -> tickets.redeem(text, headers.get("Origin")))
                    .filter(ticket -> List.of(request.getPath().split("/")).contains(ticket.subject()))
                    .map(Ticket::caller);
        }

        @Override
        public Argument<Caller> argumentType() {
            return Argument.of(Caller.class);
        }

        @Override
        public BindingResult<Caller> bind(ArgumentConversionContext<Caller> context, HttpRequest<?> request) {
            var caller = request.getHeaders()
                    .findFirst("X-API-Key")
                    .flatMap(text -> keys.authenticate(new KeyText(text)))
                    .or(() -> byTicket(request))
                    .orElseThrow(() -> new BivouacException(ErrorCode.UNAUTHORIZED, "No key."));
            return () -> Optional.of(caller);
        }
    }

    @Singleton
    static final class Handler implements ExceptionHandler<BivouacException, HttpResponse<?>> {
        @Override
        public HttpResponse<?> handle(HttpRequest request, BivouacException refusal) {
            return HttpResponse.status(HttpStatus.valueOf(refusal.code().httpStatus()))
                    .body(Map.of(
                            "code",
                            refusal.code().number(),
                            "name",
                            refusal.code().name(),
                            "detail",
                            refusal.getMessage(),
                            "details",
                            refusal.details()))
                    .contentType("application/problem+json");
        }
    }
}
