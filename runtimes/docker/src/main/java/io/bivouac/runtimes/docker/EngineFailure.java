package io.bivouac.runtimes.docker;

import com.github.dockerjava.api.exception.DockerException;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import java.util.regex.Pattern;

/** Turns what the client library throws into a sentence for a person. */
final class EngineFailure {
    private static final Pattern STATUS = Pattern.compile("^Status \\d+: ", Pattern.DOTALL);
    private static final Pattern MESSAGE = Pattern.compile("\"message\"\\s*:\\s*\"((?:[^\"\\\\]|\\\\.)*)\"");

    /** The container runtime's own preamble, which tells a person nothing. */
    private static final Pattern PREAMBLE =
            Pattern.compile("^(failed to create shim( task)?: |OCI runtime create failed: |OCI runtime exec failed: "
                    + "|runc create failed: |container_linux\\.go:\\d+: |starting container process caused: "
                    + "|unable to start container process: |exec failed: )+");

    private EngineFailure() {}

    static RuntimeFailure of(String what, RuntimeException failure) {
        return new RuntimeFailure("Docker could not " + what + ": " + reason(failure), failure);
    }

    static String reason(RuntimeException failure) {
        if (failure instanceof DockerException && failure.getMessage() != null) {
            return engineSays(failure.getMessage());
        }
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }

    private static String engineSays(String text) {
        var json = MESSAGE.matcher(text);
        var message = json.find()
                ? json.group(1).replace("\\n", " ").replace("\\\"", "\"").replace("\\\\", "\\")
                : STATUS.matcher(text).replaceFirst("");
        return PREAMBLE.matcher(message.strip()).replaceFirst("").replaceFirst(": unknown$", "");
    }
}
