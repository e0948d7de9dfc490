package io.bivouac.sandboxes.template.build;

import java.io.IOException;
import java.util.List;

/** Programs of Go modules, compiled in the tree. */
record GoModulesStep(List<String> modules) implements Step {
    private static final String INSTALL = "GOPATH=/tmp/go GOCACHE=/tmp/go-cache GOBIN=/usr/local/bin CGO_ENABLED=0 "
            + "GOTOOLCHAIN=local GOFLAGS=-modcacherw exec go install \"$1\"";

    @Override
    public String title() {
        return "Go programs";
    }

    @Override
    public String recipe() {
        return String.join(" ", modules);
    }

    @Override
    public void run(Workbench bench) throws IOException {
        for (var module : modules) {
            bench.inside(List.of("sh", "-ec", INSTALL, "sh", module));
        }
    }
}
