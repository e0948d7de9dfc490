package io.bivouac.functions.egress;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.foundation.access.Caller;
import io.bivouac.http.Listing;
import io.bivouac.sandboxes.egress.EgressPresets;
import io.bivouac.sandboxmodel.egress.EgressPolicy;
import io.bivouac.sandboxmodel.egress.EgressRule;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;

/** Lists the presets: names for hosts that are allowed together. */
@Tag(name = "sandboxes")
@Controller("/api/v1/egress/presets")
@ExecuteOn(TaskExecutors.BLOCKING)
class ListPresets {
    private final EgressPresets presets;

    ListPresets(EgressPresets presets) {
        this.presets = presets;
    }

    /**
     * @param name as it stands in an allow-list
     * @param hosts what it stands for at this server now; none for {@code @public}, and where a tool is not installed or
     *     has no source
     * @param from {@code tool} for the package sources of a tool of the server's machine, {@code operator}, or
     *     {@code public} for every public address
     */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record PresetView(String name, List<String> hosts, String from) {}

    @Get
    @Operation(operationId = "listPresets", summary = "Lists the presets that an allow-list can name")
    Listing<PresetView> list(@Parameter(hidden = true) Caller caller) {
        return new Listing<>(presets.names().stream().map(this::view).toList(), null);
    }

    private PresetView view(String name) {
        var hosts = presets.hostsOf(name).stream().map(EgressRule::toString).toList();
        return new PresetView(EgressPolicy.PRESET_SIGN + name, hosts, origin(name));
    }

    private String origin(String name) {
        if (presets.isOperators(name)) {
            return "operator";
        }
        return name.equals(EgressPolicy.PUBLIC) ? "public" : "tool";
    }
}
