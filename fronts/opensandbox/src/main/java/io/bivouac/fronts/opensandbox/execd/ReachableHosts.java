package io.bivouac.fronts.opensandbox.execd;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.bivouac.fronts.opensandbox.NetworkPolicy;
import io.bivouac.fronts.opensandbox.OpenSandboxIsOn;
import io.bivouac.fronts.opensandbox.Plane;
import io.bivouac.sandboxes.lifecycle.Sandboxes;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.egress.EgressPolicy;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Patch;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.function.UnaryOperator;

/** The hosts that a sandbox may reach: shown, added to and taken from. */
@Controller(Plane.EGRESS)
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(condition = OpenSandboxIsOn.class)
class ReachableHosts {
    private final Insiders insiders;
    private final Sandboxes sandboxes;

    ReachableHosts(Insiders insiders, Sandboxes sandboxes) {
        this.insiders = insiders;
        this.sandboxes = sandboxes;
    }

    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = true)
    record PolicyView(String status, String mode, NetworkPolicy policy) {
        static PolicyView of(EgressPolicy policy) {
            return new PolicyView("ok", "proxy", NetworkPolicy.of(policy));
        }
    }

    @Get("/policy")
    PolicyView show(SandboxId id, HttpRequest<?> http) {
        return PolicyView.of(
                sandboxes.get(id, insiders.caller(id, http)).definition().egress());
    }

    @Patch("/policy")
    PolicyView add(SandboxId id, @Body List<NetworkPolicy.Rule> rules, HttpRequest<?> http) {
        return change(id, http, policy -> NetworkPolicy.merged(policy, rules));
    }

    @Delete("/policy")
    PolicyView remove(SandboxId id, @Body List<String> targets, HttpRequest<?> http) {
        return change(id, http, policy -> NetworkPolicy.without(policy, targets));
    }

    private PolicyView change(SandboxId id, HttpRequest<?> http, UnaryOperator<EgressPolicy> how) {
        var caller = insiders.caller(id, http);
        var before = sandboxes.get(id, caller).definition().egress();
        return PolicyView.of(sandboxes
                .changeEgress(id, caller, how.apply(before))
                .definition()
                .egress());
    }
}
