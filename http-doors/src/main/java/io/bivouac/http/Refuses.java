package io.bivouac.http;

import io.bivouac.sandboxmodel.error.ErrorCode;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Errors that an operation answers with beside those that every operation of its shape has: a missing login, a body
 * that makes no sense, an id that names nothing. They become part of the API's description.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Refuses {
    ErrorCode[] value();
}
