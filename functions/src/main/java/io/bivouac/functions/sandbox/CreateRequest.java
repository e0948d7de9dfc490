package io.bivouac.functions.sandbox;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
import java.util.Map;

/** What a create may ask for; {@link CreateRules} says within which bounds. */
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

    /** Each absent part is the template's. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    record ResourcesRequest(
            @Nullable Double cpu,
            @Nullable String memory,
            @Nullable String disk) {}
}
