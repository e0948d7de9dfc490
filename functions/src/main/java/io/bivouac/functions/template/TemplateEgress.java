package io.bivouac.functions.template;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.foundation.access.Caller;
import io.bivouac.sandboxes.egress.EgressPresets;
import io.bivouac.sandboxes.egress.TemplateHosts;
import io.bivouac.sandboxes.template.Templates;
import io.bivouac.sandboxmodel.egress.EgressPolicy;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Put;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;

/** The hosts that a project has opened for its new sandboxes of a template, beside the catalogue's. */
@Tag(name = "templates")
@Controller("/api/v1/templates/{name}/egress")
@ExecuteOn(TaskExecutors.BLOCKING)
class TemplateEgress {
    private final Templates templates;
    private final TemplateHosts hosts;
    private final EgressPresets presets;

    TemplateEgress(Templates templates, TemplateHosts hosts, EgressPresets presets) {
        this.templates = templates;
        this.hosts = hosts;
        this.presets = presets;
    }

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record OpenedHosts(List<String> allow) {}

    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    record OpenedHostsRequest(
            @ArraySchema(maxItems = EgressPolicy.MOST_RULES, schema = @Schema(example = "*.example.org:8443")) @Nullable List<String> allow) {}

    @Get
    @Operation(
            operationId = "getTemplateEgress",
            summary = "Shows the hosts that the project has opened for a template")
    OpenedHosts show(String name, @Parameter(hidden = true) Caller caller) {
        return view(hosts.of(caller.project(), templates.get(name).name()));
    }

    @Put
    @Operation(
            operationId = "changeTemplateEgress",
            summary = "Replaces the hosts that the project has opened for new sandboxes of a template")
    OpenedHosts replace(String name, @Body OpenedHostsRequest request, @Parameter(hidden = true) Caller caller) {
        if (request.allow() == null) {
            throw BivouacException.invalidRequest("allow is missing; it is a list of hosts, empty for none.");
        }
        var wanted = presets.checked(EgressPolicy.requested(request.allow()));
        return view(hosts.replace(caller, templates.get(name).name(), wanted));
    }

    private static OpenedHosts view(EgressPolicy policy) {
        return new OpenedHosts(policy.hosts());
    }
}
