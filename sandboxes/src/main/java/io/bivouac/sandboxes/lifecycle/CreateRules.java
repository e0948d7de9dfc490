package io.bivouac.sandboxes.lifecycle;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.database.StorableText;
import io.bivouac.sandboxes.egress.EgressPresets;
import io.bivouac.sandboxes.egress.TemplateHosts;
import io.bivouac.sandboxes.lifecycle.SandboxOrder.AskedResources;
import io.bivouac.sandboxes.template.Templates;
import io.bivouac.sandboxmodel.Definition;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SortableId;
import io.bivouac.sandboxmodel.egress.EgressPolicy;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.sandboxmodel.runtime.Capabilities;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.bivouac.sandboxmodel.template.Template;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Turns an order into a definition that the runtime can keep, or says what is wrong with it. Thread-safe. */
@Singleton
@Requires(beans = SandboxRuntime.class)
class CreateRules {
    static final int LONGEST_NAME = 128;
    static final int MOST_LABELS = 64;
    static final int LONGEST_LABEL = 256;
    static final int MOST_ENVS = 256;
    static final int LONGEST_ENV = 32 * 1024;
    static final int MOST_ENV_BYTES = 128 * 1024;

    private static final Pattern LABEL_KEY = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._/-]{0,62}");
    private static final Pattern ENV_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");

    private final Templates templates;
    private final ResourceRules resources;
    private final SandboxRuntime runtime;
    private final KnownHosts egress;

    /** What names of hosts in orders and templates stand for. */
    @Singleton
    record KnownHosts(EgressPresets presets, TemplateHosts templates) {}

    CreateRules(Templates templates, ResourceRules resources, SandboxRuntime runtime, KnownHosts egress) {
        this.templates = templates;
        this.resources = resources;
        this.runtime = runtime;
        this.egress = egress;
    }

    Definition definition(SandboxOrder order, Caller caller) {
        var template = templates.get(order.template());
        var definition = new Definition(
                template.name(),
                name(order.name()),
                resources.resources(order.resources(), template.resources()),
                envs(order.envs()),
                labels(order.labels()),
                workspace(order.workspace()),
                egress(order, template, caller),
                order.nestedSandbox(),
                order.autoResume());
        mustHaveDisk();
        template.howToBuild(runtime.name()).ifPresent(how -> {
            throw new BivouacException(ErrorCode.TEMPLATE_NOT_BUILT, how, Map.of("template", template.name()));
        });
        runtime.whyMissing(template).ifPresent(why -> {
            throw new BivouacException(ErrorCode.UNSUPPORTED_BY_RUNTIME, why);
        });
        if (order.resources() != null) {
            mustBeEnforced(order.resources(), runtime.capabilities());
        }
        if (definition.workspace() != null) {
            mustBeKept(definition.workspace(), caller);
        }
        return definition;
    }

    /** The template's hosts are those of the catalogue and those that the project has opened for it. */
    private EgressPolicy egress(SandboxOrder order, Template template, Caller caller) {
        if (order.egress() != null) {
            return egress.presets().checked(order.egress());
        }
        var opened = egress.templates().of(caller.project(), template.name());
        try {
            return egress.presets().checked(template.egress().and(opened));
        } catch (IllegalArgumentException tooMany) {
            throw wrong("egress of template " + template.name() + ": " + tooMany.getMessage());
        }
    }

    /** The longest life that use may give a sandbox of this order. */
    Duration maxLifetime(SandboxOrder order) {
        return templates.get(order.template()).maxLifetime();
    }

    /** Refuses while so little of the host's disk is free that it is kept for the host itself. */
    void mustHaveDisk() {
        runtime.diskReserve().objection().ifPresent(why -> {
            throw new BivouacException(ErrorCode.INSUFFICIENT_STORAGE, why);
        });
    }

    /** A limit that nobody would hold is refused rather than promised. */
    private static void mustBeEnforced(AskedResources asked, Capabilities can) {
        mustBeEnforced("resources.cpu", asked.cpu(), can.cpuLimit(), can);
        mustBeEnforced("resources.memory", asked.memoryBytes(), can.memoryLimit(), can);
        mustBeEnforced("resources.disk", asked.diskBytes(), can.diskLimit(), can);
    }

    private static void mustBeEnforced(String field, @Nullable Object asked, boolean enforced, Capabilities can) {
        if (asked != null && !enforced) {
            throw new BivouacException(
                    ErrorCode.UNSUPPORTED_BY_RUNTIME,
                    field + " cannot be enforced here, so it is refused rather than ignored. "
                            + String.join(" ", can.notes()));
        }
    }

    private void mustBeKept(String workspace, Caller caller) {
        var kept = runtime.keptData().stream()
                .filter(data -> data.id().value().equals(workspace))
                .findFirst()
                .orElseThrow(() -> new BivouacException(
                        ErrorCode.WORKSPACE_NOT_FOUND, "There is no kept workspace " + workspace + "."));
        caller.mustOwn(kept.project(), "Workspace " + workspace);
    }

    private static @Nullable String name(@Nullable String name) {
        if (name != null && (name.isBlank() || name.length() > LONGEST_NAME)) {
            throw wrong("name must have 1 to " + LONGEST_NAME + " characters");
        }
        return name == null ? null : StorableText.checked("name", name);
    }

    private static Map<String, String> envs(@Nullable Map<String, String> envs) {
        var checked = checked("envs", envs, MOST_ENVS, ENV_NAME, LONGEST_ENV);
        int bytes = checked.entrySet().stream()
                .mapToInt(env -> bytes(env.getKey()) + bytes(env.getValue()))
                .sum();
        if (bytes > MOST_ENV_BYTES) {
            throw wrong("envs has " + bytes + " bytes of names and values, at most " + MOST_ENV_BYTES + " are taken");
        }
        return checked;
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static Map<String, String> labels(@Nullable Map<String, String> labels) {
        return checked("labels", labels, MOST_LABELS, LABEL_KEY, LONGEST_LABEL);
    }

    private static Map<String, String> checked(
            String field, @Nullable Map<String, String> given, int most, Pattern name, int longest) {
        if (given == null) {
            return Map.of();
        }
        if (given.size() > most) {
            throw wrong(field + " has " + given.size() + " entries, at most " + most + " are taken");
        }
        var checked = new HashMap<String, String>();
        given.forEach((key, value) -> {
            if (!name.matcher(key).matches()) {
                throw wrong(field + " has an entry named '" + key + "', which is no valid name");
            }
            if (value == null || value.length() > longest) {
                throw wrong(field + "." + key + " must be text of at most " + longest + " characters");
            }
            checked.put(key, StorableText.checked(field + "." + key, value));
        });
        return checked;
    }

    private static @Nullable String workspace(@Nullable String workspace) {
        if (workspace != null && !SortableId.matches(SandboxId.PREFIX, workspace)) {
            throw new BivouacException(ErrorCode.WORKSPACE_NOT_FOUND, "There is no kept workspace " + workspace + ".");
        }
        return workspace;
    }

    private static BivouacException wrong(String detail) {
        return new BivouacException(ErrorCode.INVALID_REQUEST, detail + ".");
    }
}
