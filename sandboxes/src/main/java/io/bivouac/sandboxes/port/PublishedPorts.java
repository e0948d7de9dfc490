package io.bivouac.sandboxes.port;

import io.bivouac.sandboxes.template.Templates;
import io.bivouac.sandboxmodel.SandboxId;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.List;

/** The ports that are published. Thread-safe. */
@Singleton
public class PublishedPorts {
    private final PortRows rows;
    private final Templates templates;

    /** Never no again: a sandbox may outlive its template. */
    private volatile boolean any;

    PublishedPorts(PortRows rows, Templates templates) {
        this.rows = rows;
        this.templates = templates;
    }

    /** Whether any sandbox can have some at all; if not, nobody needs to ask for them. */
    public boolean any() {
        if (!any) {
            any = templates.all().stream()
                    .anyMatch(template -> !template.ports().isEmpty());
        }
        return any;
    }

    public List<PublishedPort> of(SandboxId id) {
        return of(List.of(id));
    }

    /** Of all these sandboxes, by port. */
    public List<PublishedPort> of(Collection<SandboxId> ids) {
        if (!any() || ids.isEmpty()) {
            return List.of();
        }
        return rows.of(ids.stream().map(SandboxId::value).toList()).stream()
                .map(row -> new PublishedPort(new SandboxId(row.sandboxId()), row.port(), row.hostPort()))
                .toList();
    }

    public void publish(PublishedPort port) {
        rows.publish(port.sandbox().value(), port.port(), port.hostPort());
    }

    /** They will not be needed again. */
    public void forget(SandboxId id) {
        rows.forget(id.value());
    }
}
