package io.bivouac.http;

import io.bivouac.foundation.access.Caller;
import io.micronaut.core.convert.ArgumentConversionContext;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.bind.binders.TypedRequestArgumentBinder;
import jakarta.inject.Singleton;

/** Gives a function its {@link Caller}, as {@link Authentication} found it. */
@Singleton
class CallerBinder implements TypedRequestArgumentBinder<Caller> {
    private static final Argument<Caller> TYPE = Argument.of(Caller.class);

    @Override
    public Argument<Caller> argumentType() {
        return TYPE;
    }

    @Override
    public BindingResult<Caller> bind(ArgumentConversionContext<Caller> context, HttpRequest<?> request) {
        return () -> request.getAttribute(Authentication.CALLER, Caller.class);
    }
}
