package io.bivouac.fronts.opensandbox.control;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.fronts.opensandbox.OpenSandboxIsOn;
import io.bivouac.sandboxes.lifecycle.CreateSandboxes;
import io.bivouac.sandboxes.lifecycle.EndSandboxes;
import io.bivouac.sandboxes.lifecycle.StartPlan;
import io.bivouac.sandboxio.command.CommandOrder;
import io.bivouac.sandboxio.command.CommandOrder.Reading;
import io.bivouac.sandboxio.command.Commands;
import io.bivouac.sandboxio.command.ProcessSettings;
import io.bivouac.sandboxio.command.Program;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;

/** Makes a sandbox, and starts the program that is to run in it. */
@Controller("/v1/sandboxes")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(condition = OpenSandboxIsOn.class)
class CreateSandbox {
    private final CreateSandboxes creates;
    private final Images images;
    private final SandboxRuntime runtime;
    private final Entrypoints entrypoints;

    CreateSandbox(CreateSandboxes creates, Images images, SandboxRuntime runtime, Entrypoints entrypoints) {
        this.creates = creates;
        this.images = images;
        this.runtime = runtime;
        this.entrypoints = entrypoints;
    }

    @Post
    HttpResponse<SandboxView> create(@Body CreateRequest request, Caller caller) {
        caller.mustBe(Role.DEVELOPER);
        var order = request.order(images, runtime.capabilities());
        var sandbox = creates.create(order, caller, StartPlan.WAITING)
                .mustNotHaveFailed()
                .sandbox();
        if (request.hasProgram()) {
            entrypoints.start(sandbox, request.entrypoint(), caller);
        }
        return HttpResponse.accepted().body(SandboxView.of(sandbox, request.entrypoint()));
    }

    /** Programs that run as long as their sandbox does. Thread-safe. */
    @Singleton
    @Requires(condition = OpenSandboxIsOn.class)
    record Entrypoints(Commands commands, EndSandboxes ends, ProcessSettings settings) {
        /** A sandbox whose program cannot be started is none. */
        void start(Sandbox sandbox, List<String> words, Caller caller) {
            try {
                var program = new Program(new Program.Argv(words), Map.of(), null, null);
                var order = CommandOrder.of(program, null, Reading.IN_BACKGROUND, null, null, settings);
                commands.startInBackground(sandbox.id().value(), caller, order).block();
            } catch (RuntimeException notStarted) {
                ends.delete(sandbox.id(), false, caller);
                throw notStarted;
            }
        }
    }
}
