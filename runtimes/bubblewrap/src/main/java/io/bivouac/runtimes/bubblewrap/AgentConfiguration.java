package io.bivouac.runtimes.bubblewrap;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.sandboxmodel.runtime.InstanceSpec;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the agent reads inside, as /run/bivouac/agent.json.
 *
 * @param workload who commands run as; null where there is only one id
 * @param unowned whether it was started before anybody asked for it
 */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
record AgentConfiguration(
        String sandboxId,
        String tokenFile,
        Relay relay,
        @Nullable Workload workload,
        String cwd,
        Map<String, String> env,
        @Nullable List<String> startCommand,
        String logFile,
        Map<String, Boolean> guards,
        boolean unowned) {
    static final String WORKSPACE = "/workspace";
    static final String HOME = "/home/sandbox";
    static final String RUN = "/run/bivouac";
    static final String RELAY = RUN + "/relay";
    static final String LOG = RUN + "/log";
    static final String COMMANDS = "/.bivouac/bin";

    /** Where the sandbox sees its agent, and the name that it goes by when it asks for permission. */
    static final String AGENT = "/.bivouac/bivouac-agent";

    static final String ASK = "bivouac-ask";
    static final int USER = 1000;
    static final String USER_NAME = "sandbox";

    private static final String PATH = COMMANDS + ":/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    /** Holds a socket for each relay. */
    @Serdeable
    record Relay(String socketFolder) {}

    /** The sandbox's ordinary user. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Workload(
            int uid,
            int gid,
            String user,
            String home,
            @Nullable String shell) {}

    static AgentConfiguration of(
            InstanceSpec spec, boolean ownUser, @Nullable String shell, Map<String, Boolean> guards) {
        var environment = new TreeMap<String, String>();
        environment.put("PATH", PATH);
        environment.put("LANG", "C.UTF-8");
        environment.put("HOME", HOME);
        environment.putAll(spec.template().envs());
        environment.putAll(spec.envs());
        var all = new TreeMap<>(guards);
        all.put("nestedSandbox", spec.nestedSandbox());
        var start = spec.template().startCommand();
        return new AgentConfiguration(
                spec.id().value(),
                RUN + "/token",
                new Relay(RELAY),
                ownUser ? new Workload(USER, USER, USER_NAME, HOME, shell) : null,
                WORKSPACE,
                environment,
                start.isEmpty() ? null : start,
                LOG + "/agent.jsonl",
                all,
                spec.isUnowned());
    }
}
