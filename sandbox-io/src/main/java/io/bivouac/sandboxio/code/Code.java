package io.bivouac.sandboxio.code;

import io.bivouac.agent.v1.CodeOrder;
import io.bivouac.agent.v1.CreateCodeSession;
import io.bivouac.agent.v1.EndCodeSession;
import io.bivouac.agent.v1.FetchCodeResult;
import io.bivouac.agent.v1.InterruptCodeSession;
import io.bivouac.agent.v1.ListCodeSessions;
import io.bivouac.agent.v1.RestartCodeSession;
import io.bivouac.agent.v1.RunCode;
import io.bivouac.agentlink.Agent;
import io.bivouac.agentlink.SandboxAccess;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.memory.Holding;
import io.bivouac.foundation.memory.MemoryBudget;
import io.bivouac.foundation.memory.Purpose;
import io.bivouac.sandboxio.code.CodeAnswer.Answered;
import io.bivouac.sandboxio.code.CodeMetrics.Ending;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.lang.ref.Reference;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Runs code in interpreters of a running sandbox, for every front. Developers may, as with commands. Thread-safe. */
@Singleton
public class Code {
    /** What a run may have on its way at a time, beside its results. */
    private static final int WINDOW = 128 * 1024;

    private final SandboxAccess access;
    private final MemoryBudget budget;
    private final CodeMetrics metrics;
    private final CodeSettings settings;
    private final JsonMapper json;

    Code(SandboxAccess access, MemoryBudget budget, CodeMetrics metrics, CodeSettings settings, JsonMapper json) {
        this.access = access;
        this.budget = budget;
        this.metrics = metrics;
        this.settings = settings;
        this.json = json;
    }

    /** What the run says, at the reader's pace, which ends with an exit. Cancelling interrupts the code. */
    public Mono<Flux<CodeEvent>> run(String sandbox, Caller caller, CodeToRun code) {
        return access.agentLater(sandbox, caller).flatMap(agent -> {
            var owner = new Object();
            var window = budget.holding(Purpose.COMMAND_STREAM, caller.project(), owner);
            if (!window.take(WINDOW)) {
                window.close();
                return Mono.error(window.refusal());
            }
            var reading = metrics.begin(() -> {
                Reference.reachabilityFence(owner);
                window.close();
            });
            var results = budget.holding(Purpose.COMMAND_OUTPUT, caller.project(), reading);
            var running = new CodeRunning(
                    code.executionId(), reading, new ResultPieces(json, results), settings.getPingEvery());
            try {
                return running.begin(agent, order().setRun(message(code)));
            } catch (RuntimeException notStarted) {
                reading.end(Ending.REFUSED);
                results.close();
                throw notStarted;
            }
        });
    }

    /** The same in one piece. */
    public Mono<CodeResult> collect(String sandbox, Caller caller, CodeToRun code) {
        return run(sandbox, caller, code).flatMap(events -> {
            var collected = new CollectedCode(budget, caller.project());
            return events.doOnNext(collected::add)
                    .then(Mono.fromSupplier(collected::result))
                    .doOnError(_ -> collected.close());
        });
    }

    /** A session that is ready to run code. */
    public Mono<CodeSessionStatus> create(String sandbox, Caller caller, CodeLanguage language, @Nullable String cwd) {
        var create =
                CreateCodeSession.newBuilder().setLanguage(language.wireName()).setCwd(CodeToRun.cwd(cwd));
        return ask(sandbox, caller, order().setCreate(create)).map(Code::session);
    }

    public Mono<List<CodeSessionStatus>> sessions(String sandbox, Caller caller) {
        return ask(sandbox, caller, order().setList(ListCodeSessions.getDefaultInstance()))
                .map(answered ->
                        answered.sessions().stream().map(CodeSessionStatus::of).toList());
    }

    public Mono<Void> delete(String sandbox, Caller caller, String session) {
        var end = EndCodeSession.newBuilder().setSessionId(CodeToRun.session(session));
        return ask(sandbox, caller, order().setEnd(end)).then();
    }

    /** Stops what runs there; where nothing does, nothing happens. */
    public Mono<CodeSessionStatus> interrupt(String sandbox, Caller caller, String session) {
        var interrupt = InterruptCodeSession.newBuilder().setSessionId(CodeToRun.session(session));
        return ask(sandbox, caller, order().setInterrupt(interrupt)).map(Code::session);
    }

    /** A fresh interpreter under the same id. */
    public Mono<CodeSessionStatus> restart(String sandbox, Caller caller, String session) {
        var restart = RestartCodeSession.newBuilder().setSessionId(CodeToRun.session(session));
        return ask(sandbox, caller, order().setRestart(restart)).map(Code::session);
    }

    /** One form of a result of a former run, as long as the sandbox keeps it. */
    public Mono<byte[]> result(String sandbox, Caller caller, String id, String mediaType) {
        var fetch =
                FetchCodeResult.newBuilder().setResultId(CodeToRun.session(id)).setType(mediaType);
        return ask(sandbox, caller, order().setFetch(fetch))
                .map(answered -> answered.data().toByteArray());
    }

    private Mono<Answered> ask(String sandbox, Caller caller, CodeOrder.Builder order) {
        return access.agentLater(sandbox, caller).flatMap(agent -> answer(agent, caller, order));
    }

    private Mono<Answered> answer(Agent agent, Caller caller, CodeOrder.Builder order) {
        Holding room = budget.holding(Purpose.COMMAND_OUTPUT, caller.project(), order);
        return CodeAnswer.of(agent, order, room).doFinally(_ -> Reference.reachabilityFence(order));
    }

    private static CodeSessionStatus session(Answered answered) {
        return CodeSessionStatus.of(answered.done().getSession());
    }

    private CodeOrder.Builder order() {
        return CodeOrder.newBuilder()
                .setSessions(settings.getSessions())
                .setIdleMillis(settings.getSessionIdle().toMillis());
    }

    private static RunCode message(CodeToRun code) {
        var run = RunCode.newBuilder()
                .setExecutionId(code.executionId())
                .setCode(code.code())
                .putAllEnv(code.env())
                .setTimeoutMillis(code.timeout().toMillis());
        if (code.language() != null) {
            run.setLanguage(code.language().wireName());
        }
        if (code.sessionId() != null) {
            run.setSessionId(code.sessionId());
        }
        return run.build();
    }
}
