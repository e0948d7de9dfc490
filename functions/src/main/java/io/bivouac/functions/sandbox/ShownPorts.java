package io.bivouac.functions.sandbox;

import io.bivouac.functions.sandbox.SandboxView.PortView;
import io.bivouac.sandboxes.port.PublishedPort;
import io.bivouac.sandboxes.port.PublishedPorts;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.stream.Collectors;

/** Adds to running sandboxes where their ports can be reached. */
@Singleton
class ShownPorts {
    private final PublishedPorts published;

    ShownPorts(PublishedPorts published) {
        this.published = published;
    }

    SandboxView addedTo(SandboxView view) {
        return published.any() ? addedTo(List.of(view)).getFirst() : view;
    }

    /** One question for all of them. */
    List<SandboxView> addedTo(List<SandboxView> views) {
        var running = views.stream()
                .filter(ShownPorts::isRunning)
                .map(view -> new SandboxId(view.id()))
                .toList();
        var ports = published.of(running).stream()
                .collect(Collectors.groupingBy(
                        port -> port.sandbox().value(), Collectors.mapping(ShownPorts::view, Collectors.toList())));
        return views.stream()
                .map(view -> ports.containsKey(view.id()) ? view.withPorts(ports.get(view.id())) : view)
                .toList();
    }

    private static boolean isRunning(SandboxView view) {
        return view.state().equals(SandboxState.RUNNING.wireName());
    }

    private static PortView view(PublishedPort port) {
        return new PortView(port.port(), port.address());
    }
}
