package io.bivouac.functions.sandbox;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.bivouac.sandboxmodel.egress.EgressPolicy;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/**
 * Hosts that a sandbox may reach: {@code example.org}, {@code *.example.org:8443}; 443 where no port is given; and presets:
 * {@code @pip}.
 *
 * @param ask whether approvers who are there are asked about other hosts; they are when it is absent
 */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = false)
record EgressRequest(
        @ArraySchema(maxItems = EgressPolicy.MOST_RULES, schema = @Schema(example = "*.example.org:8443")) @Nullable List<String> allow,

        @Nullable Boolean ask) {
    EgressPolicy policy() {
        if (allow == null) {
            throw new BivouacException(
                    ErrorCode.INVALID_REQUEST, "egress.allow is missing; it is a list of hosts, empty for none.");
        }
        return EgressPolicy.requested(allow).asking(!Boolean.FALSE.equals(ask));
    }
}
