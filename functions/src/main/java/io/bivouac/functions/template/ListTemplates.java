package io.bivouac.functions.template;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.foundation.access.Caller;
import io.bivouac.http.Listing;
import io.bivouac.sandboxes.template.Templates;
import io.bivouac.sandboxmodel.ByteSize;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.bivouac.sandboxmodel.template.Template;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.List;

/** Lists what a sandbox can start from. */
@Tag(name = "templates")
@Controller("/api/v1/templates")
@ExecuteOn(TaskExecutors.BLOCKING)
class ListTemplates {
    private final Templates templates;
    private final SandboxRuntime runtime;

    ListTemplates(Templates templates, SandboxRuntime runtime) {
        this.templates = templates;
        this.runtime = runtime;
    }

    /**
     * @param available whether the runtime here has its root, so that a sandbox can be made from it
     * @param built what is known of its tree; null for one that is not built here, or needs no building
     * @param egress the hosts that its sandboxes may reach, unless a create says otherwise
     * @param notes what it promises and this root does not have, a sentence each
     */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record TemplateView(
            String name,
            String description,
            boolean available,
            List<String> notes,
            @Nullable Built built,
            double cpu,
            String memory,
            String disk,
            List<Integer> ports,
            List<String> egress,
            List<String> commands) {}

    /** @param sizeBytes of its tree, which all its sandboxes share */
    @Serdeable
    record Built(String hash, long sizeBytes, Instant builtAt) {}

    @Get
    @Operation(operationId = "listTemplates", summary = "Lists what a sandbox can start from")
    Listing<TemplateView> list(@Parameter(hidden = true) Caller caller) {
        return new Listing<>(templates.all().stream().map(this::view).toList(), null);
    }

    private TemplateView view(Template template) {
        var resources = template.resources();
        return new TemplateView(
                template.name(),
                template.description(),
                runtime.whyMissing(template).isEmpty(),
                runtime.shortcomings(template),
                templates
                        .built(template.name())
                        .map(built -> new Built(built.hash(), built.sizeBytes(), built.builtAt()))
                        .orElse(null),
                resources.cpu(),
                ByteSize.format(resources.memoryBytes()),
                ByteSize.format(resources.diskBytes()),
                template.ports(),
                template.egress().hosts(),
                template.commands().keySet().stream().sorted().toList());
    }
}
