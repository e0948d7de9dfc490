package io.bivouac.fronts.e2b.plane;

import io.bivouac.fronts.e2b.E2bIsOn;
import io.bivouac.http.FilterOrder;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.annotation.Order;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;

/** Says whether a sandbox runs, where a request for the server's own health names one. */
@ServerFilter("/health")
@Order(FilterOrder.ADMISSION)
@Requires(condition = E2bIsOn.class)
class SandboxHealth {
    private final SandboxCallers callers;
    private final Calls calls;

    SandboxHealth(SandboxCallers callers, Calls calls) {
        this.callers = callers;
        this.calls = calls;
    }

    @RequestFilter
    @ExecuteOn(TaskExecutors.BLOCKING)
    @Nullable HttpResponse<?> answer(HttpRequest<?> request) {
        if (!request.getHeaders().contains(SandboxCallers.SANDBOX)) {
            return null;
        }
        try {
            callers.running(request);
            return HttpResponse.noContent();
        } catch (BivouacException unknown) {
            return calls.gone(request);
        }
    }
}
