package io.bivouac.terminalrelay.permission;

import io.bivouac.foundation.access.Caller;
import io.bivouac.sandboxes.egress.TemplateHosts;
import io.bivouac.sandboxes.lifecycle.Sandboxes;
import io.bivouac.sandboxmodel.egress.EgressPolicy;
import io.bivouac.sandboxmodel.egress.EgressRule;
import io.bivouac.sandboxmodel.egress.EgressTarget;
import jakarta.inject.Singleton;
import java.util.List;

/** Opens a host for as much as an approver has said, in the transaction that stores the answer. Thread-safe. */
@Singleton
class NetworkGrants {
    private final Sandboxes sandboxes;
    private final TemplateHosts templates;

    NetworkGrants(Sandboxes sandboxes, TemplateHosts templates) {
        this.sandboxes = sandboxes;
        this.templates = templates;
    }

    void open(PermissionRequest granted, GrantScope scope, Caller caller) {
        if (scope == GrantScope.ONCE) {
            return;
        }
        var host = EgressRule.of(EgressTarget.parse(granted.host()));
        var sandbox = sandboxes.allowHosts(granted.sandbox(), caller, new EgressPolicy(List.of(host)));
        if (scope == GrantScope.TEMPLATE) {
            templates.add(caller, sandbox.definition().template(), host);
        }
    }
}
