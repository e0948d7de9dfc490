package io.bivouac.sessions;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sessions.launch.LaunchAsk;
import io.bivouac.sessions.launch.LaunchRule;
import io.bivouac.sessions.pod.PodConfig;
import io.bivouac.sessions.pod.PodFiles;
import io.bivouac.sessions.secret.SecretRef;
import io.bivouac.terminalrelay.sealed.Sealing;
import io.bivouac.terminalrelay.terminal.TerminalOrder;
import io.bivouac.terminalrelay.terminal.TerminalSettings;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What a session is to be. A field that is not enforced yet is refused rather than ignored.
 *
 * @param timeout in seconds
 * @param publicKey the key of whom a sealed session belongs to
 * @param sandboxId without it, a sandbox is made that ends with the session
 * @param pod the address of the Pod whose ACL lets a guest in; the only one that this relay serves, if not said
 */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = false)
record SessionRequest(
        @Schema(minLength = 1, example = "sh") @Nullable String command,
        @Nullable List<String> args,

        @Schema(maxLength = 4096, example = "/tmp") @Nullable String workdir,

        @Schema(ref = "#/components/schemas/SessionVariables") @Nullable Map<String, JsonNode> env,

        @Schema(minimum = "1", maximum = "86400") @Nullable Long timeout,
        @Nullable String sandboxId,
        @Schema(example = "default") @Nullable String template,
        @Schema(minimum = "1", maximum = "1000") @Nullable Integer cols,
        @Schema(minimum = "1", maximum = "1000") @Nullable Integer rows,
        @Nullable Boolean record,

        @Schema(pattern = "^[A-Za-z0-9+/]{43}=$", example = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=") @Nullable String publicKey,

        @Nullable Boolean sealed,
        @Nullable String pod) {
    private static final int MOST_SECRETS = 32;
    private static final String VARIABLE = "[A-Za-z_][A-Za-z0-9_]{0,127}";

    /** Null for a clear session. */
    @Nullable Sealing sealing() {
        return Sealing.of(sealed, publicKey);
    }

    /** @param rule by which a trusted program is started; null for any other */
    TerminalOrder order(@Nullable LaunchRule rule) {
        var order = TerminalOrder.of(cols, rows, null, workdir, variables(), null);
        if (command == null && args != null && !args.isEmpty()) {
            throw BivouacException.invalidRequest("args need a command.");
        }
        if (command == null) {
            return order;
        }
        var words = new ArrayList<String>();
        words.add(command);
        words.addAll(args == null ? List.of() : args);
        var named = TerminalOrder.of(cols, rows, words);
        order.run().setArgv(named.run().getArgv());
        if (rule != null) {
            words.addAll(1, rule.prefix());
            order.run().setArgv(TerminalOrder.of(cols, rows, words).run().getArgv());
            order.run().addAllTrustedExecutables(rule.executables());
        }
        return new TerminalOrder(order.run(), named.command(), order.columns(), order.rows());
    }

    /** What is to be started, where a Pod may have completed what was asked at first. */
    LaunchAsk launch(SessionRequest first) {
        if (args != null && args.stream().anyMatch(Objects::isNull)) {
            throw BivouacException.invalidRequest("args must be a list of strings.");
        }
        var own = first.env == null ? Set.<String>of() : first.env.keySet();
        var preset = new HashSet<>(env == null ? Set.<String>of() : env.keySet());
        preset.removeAll(own);
        return new LaunchAsk(command, args == null ? List.of() : args, own, preset);
    }

    private @Nullable Map<String, String> variables() {
        if (env == null) {
            return null;
        }
        var variables = new HashMap<String, String>();
        env.forEach((name, value) -> {
            if (value != null && value.isObject()) {
                return;
            }
            if (value == null || !value.isString()) {
                throw BivouacException.invalidRequest(
                        "env." + name + " must be text, or name a secret by @ref and jsonPath.");
            }
            variables.put(name, value.getStringValue());
        });
        return variables;
    }

    /** The variables that are to hold secrets of the Pod. */
    List<SecretRef> secrets() {
        var secrets = new ArrayList<SecretRef>();
        (env == null ? Map.<String, JsonNode>of() : env).forEach((name, value) -> {
            if (value != null && value.isObject()) {
                var path = text(value.get("@ref"));
                var jsonPath = text(value.get("jsonPath"));
                if (path == null || jsonPath == null || value.size() != 2 || !name.matches(VARIABLE)) {
                    throw BivouacException.invalidRequest(
                            "env." + name + " must be text, or name a secret by @ref and jsonPath.");
                }
                secrets.add(new SecretRef(name, path, jsonPath));
            }
        });
        if (secrets.size() > MOST_SECRETS) {
            throw BivouacException.invalidRequest("env may name at most " + MOST_SECRETS + " secrets.");
        }
        return secrets;
    }

    private static @Nullable String text(@Nullable JsonNode node) {
        return node != null && node.isString() ? node.getStringValue() : null;
    }

    /** The same, with a Pod's own words where it says nothing. */
    SessionRequest completedBy(PodConfig config) {
        var variables = new HashMap<String, JsonNode>();
        config.variables().forEach((name, value) -> variables.put(name, JsonNode.createStringNode(value)));
        variables.putAll(env == null ? Map.of() : env);
        return new SessionRequest(
                command == null ? config.shell() : command,
                args,
                workdir == null ? config.workdir() : workdir,
                variables,
                timeout,
                sandboxId,
                template,
                cols,
                rows,
                record,
                publicKey,
                sealed,
                pod);
    }

    /** The same, with secrets for variables that it does not set. */
    SessionRequest with(List<SecretRef> more) {
        var variables = new HashMap<>(env == null ? Map.<String, JsonNode>of() : env);
        more.forEach(secret -> variables.putIfAbsent(
                secret.variable(),
                JsonNode.createObjectNode(Map.of(
                        "@ref",
                        JsonNode.createStringNode(secret.path()),
                        "jsonPath",
                        JsonNode.createStringNode(secret.jsonPath())))));
        return new SessionRequest(
                command, args, workdir, variables, timeout, sandboxId, template, cols, rows, record, publicKey, sealed,
                pod);
    }

    /** The same, but for these variables. */
    SessionRequest without(Set<String> names) {
        if (env == null || names.isEmpty()) {
            return this;
        }
        var variables = new HashMap<>(env);
        variables.keySet().removeAll(names);
        return new SessionRequest(
                command, args, workdir, variables, timeout, sandboxId, template, cols, rows, record, publicKey, sealed,
                pod);
    }

    /** The same, for no longer than a grant allows. */
    SessionRequest within(@Nullable Duration longest, TerminalSettings settings) {
        if (longest == null || timeout != null) {
            return this;
        }
        long seconds =
                Math.min(longest.toSeconds(), settings.getSessionTimeout().toSeconds());
        return new SessionRequest(
                command, args, workdir, env, seconds, sandboxId, template, cols, rows, record, publicKey, sealed, pod);
    }

    /** The same, where the sandbox has the workdir at another place. */
    SessionRequest startingIn(PodFiles files) {
        return files instanceof PodFiles.Shown shown && shown.workdir() != null ? in(shown.workdir()) : this;
    }

    private SessionRequest in(String folder) {
        return new SessionRequest(
                command, args, folder, env, timeout, sandboxId, template, cols, rows, record, publicKey, sealed, pod);
    }

    Duration life(TerminalSettings settings) {
        if (timeout == null) {
            return settings.getSessionTimeout();
        }
        long most = settings.getLongestTimeout().toSeconds();
        if (timeout < 1 || timeout > most) {
            throw BivouacException.invalidRequest("timeout must be between 1 and " + most + " seconds.");
        }
        return Duration.ofSeconds(timeout);
    }
}
