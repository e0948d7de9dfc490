package io.bivouac.runtimes.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.bivouac.sandboxmodel.runtime.InstanceSpec;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.bivouac.sandboxmodel.template.ManagedHooks;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** What {@code bivouac-agent pod} reads: the agent's configuration, its token and the files of the template. */
final class AgentVariable {
    /** Linux gives no program a longer variable. */
    private static final int LONGEST = 128 * 1024 - 64;

    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

    private AgentVariable() {}

    static String of(InstanceSpec spec, Relays relays) {
        try {
            var text = JSON.writeValueAsString(Map.of(
                    "token", spec.joinToken(),
                    "authority", relays.certificate(),
                    "config", configuration(spec, relays),
                    "files", ManagedHooks.files(spec.template().hooks())));
            if (text.getBytes(StandardCharsets.UTF_8).length > LONGEST) {
                throw new RuntimeFailure("What the agent of " + spec.id() + " is told is longer than " + LONGEST
                        + " bytes: its start command or its hooks are too long for a Pod.");
            }
            return text;
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static Map<String, Object> configuration(InstanceSpec spec, Relays relays) {
        var workload = new TreeMap<String, Object>();
        workload.put("uid", PodRecipe.USER);
        workload.put("gid", PodRecipe.USER);
        workload.put("user", "sandbox");
        workload.put("home", PodRecipe.HOME);
        workload.put("shell", null);
        var configuration = new TreeMap<String, Object>();
        configuration.put("sandboxId", spec.id().value());
        configuration.put("tokenFile", "/run/bivouac/token");
        configuration.put(
                "relay",
                Map.of(
                        "addresses",
                        relays.places().stream().map(Relays.Place::url).toList(),
                        "caFile",
                        "/run/bivouac/relay-ca.pem"));
        configuration.put("workload", workload);
        configuration.put("cwd", PodRecipe.WORKSPACE);
        configuration.put("env", Map.of("HOME", PodRecipe.HOME));
        var start = spec.template().startCommand();
        configuration.put("startCommand", start.isEmpty() ? null : start);
        configuration.put("logFile", null);
        configuration.put("guards", Map.of("nestedSandbox", spec.nestedSandbox()));
        configuration.put("unowned", spec.isUnowned());
        return configuration;
    }
}
