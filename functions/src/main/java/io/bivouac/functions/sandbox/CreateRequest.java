package io.bivouac.functions.sandbox;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.bivouac.sandboxes.lifecycle.SandboxOrder;
import io.bivouac.sandboxes.lifecycle.SandboxOrder.AskedResources;
import io.bivouac.sandboxmodel.ByteSize;
import io.bivouac.sandboxmodel.OnExpiry;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Map;

/** What a create may ask for, as it came from outside. */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = false)
record CreateRequest(
        @Schema(requiredMode = Schema.RequiredMode.REQUIRED, pattern = "\\S", example = "default") @Nullable String template,

        @Schema(pattern = "\\S", maxLength = 128, example = "build 12") @Nullable String name,

        @Schema(minimum = "1", maximum = "86400") @JsonAlias("timeout_seconds") @Nullable Long timeoutSeconds,

        @Schema(maxProperties = 256) @Nullable Map<String, String> envs,
        @Nullable ResourcesRequest resources,
        @Schema(maxProperties = 64) @Nullable Map<String, String> labels,
        @Nullable EgressRequest egress,
        @Nullable String workspace,
        @Nullable KeepAliveRequest keepAlive,

        @Schema(
                allowableValues = {"keep", "stop", "delete"},
                defaultValue = "keep")
        @Nullable String onExpiry,

        @Nullable Boolean autoResume) {

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
                false,
                keepAlive != null && Boolean.TRUE.equals(keepAlive.onTraffic()),
                end(onExpiry),
                Boolean.TRUE.equals(autoResume));
    }

    private static OnExpiry end(@Nullable String choice) {
        if (choice == null) {
            return OnExpiry.KEEP;
        }
        return OnExpiry.ofWireName(choice)
                .orElseThrow(() -> BivouacException.invalidRequest(
                        "onExpiry must be keep, stop or delete, but is \"" + choice + "\"."));
    }

    /** @param onTraffic whether traffic to its ports, commands and terminals move its end ahead */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    record KeepAliveRequest(@Nullable Boolean onTraffic) {}

    /** Each absent part is the template's. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    record ResourcesRequest(
            @Schema(minimum = "0.05", maximum = "64") @Nullable Double cpu,

            @Schema(pattern = SIZE, example = "256m") @Nullable String memory,

            @Schema(pattern = SIZE, example = "1g") @Nullable String disk) {
        private static final String SIZE = "^\\s*[0-9]{1,12}\\s*[kmgtKMGT]?([iI]?[bB])?\\s*$";

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
