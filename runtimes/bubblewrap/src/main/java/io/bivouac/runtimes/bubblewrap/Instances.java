package io.bivouac.runtimes.bubblewrap;

import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SortableId;
import io.bivouac.sandboxmodel.runtime.Labels;
import io.bivouac.sandboxmodel.runtime.NoSuchInstance;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The sandboxes' folders, and which of them are instances of this installation. */
final class Instances {
    private final Path folder;
    private final String installation;

    Instances(Path folder, String installation) {
        this.folder = folder;
        this.installation = installation;
    }

    SandboxFolder folder(SandboxId id) {
        return new SandboxFolder(folder.resolve(id.value()));
    }

    Optional<InstanceFile> find(SandboxId id) {
        return Json.read(folder(id).instance(), InstanceFile.class).filter(this::isOurs);
    }

    InstanceFile require(SandboxId id) {
        return find(id).orElseThrow(() -> new NoSuchInstance(id));
    }

    List<InstanceFile> list() {
        return ids().stream().flatMap(id -> find(id).stream()).toList();
    }

    /** Every folder, also of what was never finished. */
    List<SandboxId> ids() {
        var ids = new ArrayList<SandboxId>();
        if (!Files.isDirectory(folder)) {
            return ids;
        }
        try (var entries = Files.newDirectoryStream(folder)) {
            for (var entry : entries) {
                var name = entry.getFileName().toString();
                if (SortableId.matches(SandboxId.PREFIX, name)) {
                    ids.add(new SandboxId(name));
                }
            }
            return ids;
        } catch (IOException e) {
            throw new RuntimeFailure("cannot list the sandboxes: " + e, e);
        }
    }

    /** Whether a file says what this folder is, whoever's it is. */
    boolean isKnown(SandboxId id) {
        return Files.exists(folder(id).instance());
    }

    void write(InstanceFile instance) throws IOException {
        Json.write(folder(instance.sandbox()).instance(), instance);
    }

    private boolean isOurs(InstanceFile instance) {
        return installation.equals(instance.labels().get(Labels.INSTALLATION));
    }
}
