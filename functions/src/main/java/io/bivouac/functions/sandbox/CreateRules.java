package io.bivouac.functions.sandbox;

import io.bivouac.functions.sandbox.CreateRequest.ResourcesRequest;
import io.bivouac.http.RequestText;
import io.bivouac.sandboxes.template.Templates;
import io.bivouac.sandboxmodel.ByteSize;
import io.bivouac.sandboxmodel.Definition;
import io.bivouac.sandboxmodel.Resources;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SortableId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.sandboxmodel.runtime.Capabilities;
import io.bivouac.sandboxmodel.template.Template;
import io.micronaut.core.annotation.Nullable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Turns a create request into a definition, or says what is wrong with it. */
final class CreateRules {
    static final Duration DEFAULT_TIMEOUT = Duration.ofHours(1);
    static final Duration LONGEST_TIMEOUT = Duration.ofHours(24);
    static final int LONGEST_NAME = 128;
    static final int MOST_LABELS = 64;
    static final int LONGEST_LABEL = 256;
    static final int MOST_ENVS = 256;
    static final int LONGEST_ENV = 32 * 1024;
    static final int MOST_ENV_BYTES = 128 * 1024;
    static final double LEAST_CPU = 0.05;
    static final double MOST_CPU = 64;
    static final long LEAST_BYTES = ByteSize.parse("16m");
    static final long MOST_MEMORY = ByteSize.parse("256g");
    static final long MOST_DISK = ByteSize.parse("1t");

    private static final Pattern LABEL_KEY = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._/-]{0,62}");
    private static final Pattern ENV_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");

    private CreateRules() {}

    static Definition definition(CreateRequest request, Templates templates) {
        if (request.template() == null || request.template().isBlank()) {
            throw wrong("template is missing; GET /api/v1/templates lists them");
        }
        var template = templates.get(request.template());
        return new Definition(
                template.name(),
                name(request.name()),
                resources(request.resources(), template),
                envs(request.envs()),
                labels(request.labels()),
                workspace(request.workspace()),
                request.egress() == null ? template.egress() : request.egress().policy());
    }

    /** A limit that nobody would hold is refused rather than promised. */
    static void mustBeEnforced(ResourcesRequest asked, Capabilities can) {
        mustBeEnforced("resources.cpu", asked.cpu(), can.cpuLimit(), can);
        mustBeEnforced("resources.memory", asked.memory(), can.memoryLimit(), can);
        mustBeEnforced("resources.disk", asked.disk(), can.diskLimit(), can);
    }

    private static void mustBeEnforced(String field, @Nullable Object asked, boolean enforced, Capabilities can) {
        if (asked != null && !enforced) {
            throw new BivouacException(
                    ErrorCode.UNSUPPORTED_BY_RUNTIME,
                    field + " cannot be enforced here, so it is refused rather than ignored. "
                            + String.join(" ", can.notes()));
        }
    }

    static Duration timeout(CreateRequest request) {
        if (request.timeoutSeconds() == null) {
            return DEFAULT_TIMEOUT;
        }
        long seconds = request.timeoutSeconds();
        if (seconds < 1 || seconds > LONGEST_TIMEOUT.toSeconds()) {
            throw wrong("timeoutSeconds must be between 1 and " + LONGEST_TIMEOUT.toSeconds());
        }
        return Duration.ofSeconds(seconds);
    }

    private static @Nullable String name(@Nullable String name) {
        if (name != null && (name.isBlank() || name.length() > LONGEST_NAME)) {
            throw wrong("name must have 1 to " + LONGEST_NAME + " characters");
        }
        return name == null ? null : RequestText.storable("name", name);
    }

    private static Resources resources(@Nullable ResourcesRequest asked, Template template) {
        var usual = template.resources();
        if (asked == null) {
            return usual;
        }
        double cpu = asked.cpu() == null ? usual.cpu() : asked.cpu();
        if (!(cpu >= LEAST_CPU && cpu <= MOST_CPU)) {
            throw wrong("resources.cpu must be between " + LEAST_CPU + " and " + MOST_CPU + " cores");
        }
        return new Resources(
                cpu,
                bytes("resources.memory", asked.memory(), usual.memoryBytes(), MOST_MEMORY),
                bytes("resources.disk", asked.disk(), usual.diskBytes(), MOST_DISK));
    }

    private static long bytes(String field, @Nullable String asked, long usual, long most) {
        if (asked == null) {
            return usual;
        }
        long bytes;
        try {
            bytes = ByteSize.parse(asked);
        } catch (IllegalArgumentException notASize) {
            throw wrong(field + ": " + notASize.getMessage());
        }
        if (bytes < LEAST_BYTES || bytes > most) {
            throw wrong(field + " must be between " + ByteSize.format(LEAST_BYTES) + " and " + ByteSize.format(most));
        }
        return bytes;
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
            checked.put(key, RequestText.storable(field + "." + key, value));
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
