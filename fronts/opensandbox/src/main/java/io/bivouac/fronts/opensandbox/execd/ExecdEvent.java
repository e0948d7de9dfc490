package io.bivouac.fronts.opensandbox.execd;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;

/**
 * One event of a command's stream.
 *
 * @param timestamp in milliseconds
 * @param executionTime in milliseconds
 */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
record ExecdEvent(
        String type,
        long timestamp,
        @Nullable String text,
        @JsonProperty("execution_time") @Nullable Long executionTime,
        @Nullable Failure error) {
    /** @param value the exit code, where the command has one */
    @Serdeable
    record Failure(
            @JsonProperty("ename") String name,
            @JsonProperty("evalue") String value,
            List<String> traceback) {}

    static ExecdEvent text(String type, String text) {
        return new ExecdEvent(type, System.currentTimeMillis(), text, null, null);
    }

    static ExecdEvent complete(long millis) {
        return new ExecdEvent("execution_complete", System.currentTimeMillis(), null, millis, null);
    }

    static ExecdEvent failed(String name, String value, String detail) {
        var failure = new Failure(name, value, List.of(detail));
        return new ExecdEvent("error", System.currentTimeMillis(), null, null, failure);
    }
}
