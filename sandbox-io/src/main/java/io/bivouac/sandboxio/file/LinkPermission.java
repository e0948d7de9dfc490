package io.bivouac.sandboxio.file;

import io.bivouac.agentlink.SandboxAccess;
import io.bivouac.foundation.access.Role;
import io.bivouac.sandboxmodel.SandboxId;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.concurrent.ExecutorService;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Who may make which link: whoever could do at once what it opens. */
@Singleton
class LinkPermission {
    private final SandboxAccess access;
    private final FileAudit audit;
    private final Scheduler threads;

    LinkPermission(SandboxAccess access, FileAudit audit, @Named(TaskExecutors.BLOCKING) ExecutorService threads) {
        this.access = access;
        this.audit = audit;
        this.threads = Schedulers.fromExecutor(threads);
    }

    /** The sandbox, on a thread that may ask the database. */
    Mono<SandboxId> check(FileUse use, String method, String path) {
        var needed = switch (method) {
            case "GET" -> Role.VIEWER;
            case "PUT" -> Role.DEVELOPER;
            default -> throw FileRequests.invalid("method must be GET or PUT.");
        };
        return access.agentLater(use.sandbox(), use.caller(), needed)
                .flatMap(agent -> audit.change(use, "link", method + " " + path, Mono.just(agent.sandbox())))
                .publishOn(threads);
    }
}
