package io.bivouac.terminalrelay.door;

import io.bivouac.terminalrelay.process.RunParts;
import io.bivouac.terminalrelay.sealed.Sealing;
import io.bivouac.terminalrelay.terminal.TerminalOrder;
import io.bivouac.terminalrelay.terminal.TerminalSettings;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a session is to be. A field that is not enforced yet is refused rather than ignored.
 *
 * @param timeout in seconds
 * @param publicKey the key of whom a sealed session belongs to
 * @param sandboxId without it, a sandbox is made that ends with the session
 */
@Serdeable
record SessionRequest(
        @Nullable String command,
        @Nullable List<String> args,
        @Nullable String workdir,
        @Nullable Map<String, JsonNode> env,
        @Nullable Long timeout,
        @Nullable String sandboxId,
        @Nullable String template,
        @Nullable Integer cols,
        @Nullable Integer rows,
        @Nullable Boolean record,
        @Nullable String publicKey,
        @Nullable Boolean sealed) {
    /** Null for a clear session. */
    @Nullable Sealing sealing() {
        return Sealing.of(sealed, publicKey);
    }

    TerminalOrder order() {
        var order = TerminalOrder.of(cols, rows, null, workdir, variables(), null);
        if (command == null && args != null && !args.isEmpty()) {
            throw TerminalOrder.invalid("args need a command.");
        }
        if (command == null) {
            return order;
        }
        var words = new ArrayList<String>();
        words.add(command);
        words.addAll(args == null ? List.of() : args);
        var named = TerminalOrder.of(cols, rows, words);
        order.run().setArgv(named.run().getArgv());
        return new TerminalOrder(order.run(), named.command(), order.columns(), order.rows());
    }

    private @Nullable Map<String, String> variables() {
        if (env == null) {
            return null;
        }
        var variables = new HashMap<String, String>();
        env.forEach((name, value) -> {
            if (value == null || !value.isString()) {
                throw RunParts.invalid("env." + name + " must be text; secrets by reference are not supported yet.");
            }
            variables.put(name, value.getStringValue());
        });
        return variables;
    }

    Duration life(TerminalSettings settings) {
        if (timeout == null) {
            return settings.getSessionTimeout();
        }
        long most = settings.getLongestTimeout().toSeconds();
        if (timeout < 1 || timeout > most) {
            throw TerminalOrder.invalid("timeout must be between 1 and " + most + " seconds.");
        }
        return Duration.ofSeconds(timeout);
    }
}
