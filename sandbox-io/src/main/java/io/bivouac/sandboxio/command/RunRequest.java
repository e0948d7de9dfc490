package io.bivouac.sandboxio.command;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.bivouac.sandboxio.command.CommandOrder.Reading;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Map;

/**
 * What to run, as it came from outside; {@link Program} and {@link CommandOrder} check it.
 *
 * @param command a shell line, or the words of an argv
 * @param timeout in milliseconds
 * @param maxOutputSize of each of stdout and stderr, in bytes
 */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = false)
record RunRequest(
        @Schema(ref = "#/components/schemas/Command", requiredMode = Schema.RequiredMode.REQUIRED) @Nullable JsonNode command,

        @Schema(maxLength = 4096, example = "/tmp") @Nullable String cwd,

        @Schema(maxProperties = 1024) @Nullable Map<String, String> envs,
        @Schema(maxLength = 64, example = "root") @Nullable String user,
        @Nullable String stdin,

        @Schema(minimum = "1", maximum = "86400000") @Nullable Long timeout,

        @Schema(minimum = "1", maximum = "" + CommandOrder.LARGEST_OUTPUT) @Nullable Long maxOutputSize,

        @Nullable Boolean background,
        @Nullable Boolean stream) {
    boolean isBackground() {
        return Boolean.TRUE.equals(background);
    }

    boolean isStream() {
        return Boolean.TRUE.equals(stream);
    }

    CommandOrder order(ProcessSettings settings) {
        var line = RequestedCommand.read(command);
        var program = new Program(line, envs == null ? Map.of() : envs, cwd, user);
        return CommandOrder.of(program, stdin, reading(), timeout, maxOutputSize, settings);
    }

    /** A background command may also be read as a stream; it then goes on when its reader leaves. */
    private Reading reading() {
        if (isBackground()) {
            return Reading.IN_BACKGROUND;
        }
        return isStream() ? Reading.AS_STREAM : Reading.IN_ONE_PIECE;
    }
}
