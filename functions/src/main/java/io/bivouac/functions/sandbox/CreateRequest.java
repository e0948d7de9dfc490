package io.bivouac.functions.sandbox;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.bivouac.sandboxes.lifecycle.SandboxOrder;
import io.bivouac.sandboxes.lifecycle.SandboxOrder.AskedResources;
import io.bivouac.sandboxmodel.ByteSize;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
import java.util.Map;

/** What a create may ask for, as it came from outside. */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = false)
record CreateRequest(
        @Nullable String template,
        @Nullable String name,
        @JsonAlias("timeout_seconds") @Nullable Long timeoutSeconds,
        @Nullable Map<String, String> envs,
        @Nullable ResourcesRequest resources,
        @Nullable Map<String, String> labels,
        @Nullable EgressRequest egress,
        @Nullable String workspace) {

    /** The same without HTTP; the use case checks what is left to check. */
    SandboxOrder order() {
        if (template == null || template.isBlank()) {
            throw new BivouacException(
                    ErrorCode.INVALID_REQUEST, "template is missing; GET /api/v1/templates lists them.");
        }
        return new SandboxOrder(
                template,
                name,
                SandboxOrder.timeout(timeoutSeconds),
                envs,
                resources == null ? null : resources.asked(),
                labels,
                workspace,
                egress == null ? null : egress.policy(),
                false);
    }

    /** Each absent part is the template's. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    record ResourcesRequest(
            @Nullable Double cpu,
            @Nullable String memory,
            @Nullable String disk) {
        private AskedResources asked() {
            return new AskedResources(cpu, bytes("resources.memory", memory), bytes("resources.disk", disk));
        }

        private static @Nullable Long bytes(String field, @Nullable String size) {
            try {
                return size == null ? null : (Long) ByteSize.parse(size);
            } catch (IllegalArgumentException notASize) {
                throw new BivouacException(ErrorCode.INVALID_REQUEST, field + ": " + notASize.getMessage() + ".");
            }
        }
    }
}
