package io.bivouac.benchmarks;

import java.util.Optional;

/** Real sandboxes of the distribution with bubblewrap: how fast they come, and what they cost while they wait. */
final class SandboxGroup implements Group {
    @Override
    public String name() {
        return "sandbox";
    }

    @Override
    public String about() {
        return "create to running, many at once, memory and processor time of idle ones; beside docker and bare bwrap";
    }

    @Override
    public Table measure(Scale scale) throws Exception {
        var table = new Table("sandbox: p50 / p99 over HTTP; bubblewrap, the host's files as the tree");
        try (var docker = Docker.find().orElse(null);
                var folder = new WorkFolder("sandbox");
                var server = Server.start(folder.path().resolve("data"))) {
            var engine = Optional.ofNullable(docker);
            new SandboxCreation(server, engine, scale).measure(table);
            new SandboxBurst(server, engine).measure(table);
            new SandboxMemory(server, engine).measure(table);
            new SandboxIdleness(server).measure(table);
        }
        table.note(
                "docker: `docker run -d` of the command line client with --network none; its tree is one static busybox.");
        return table;
    }
}
