package io.bivouac.sandboxes.lifecycle;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.sandboxes.idempotency.IdempotencyKey;
import io.bivouac.sandboxes.idempotency.IdempotencyKeys;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.micronaut.context.annotation.Requires;
import io.micronaut.transaction.TransactionOperations;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Creates under an idempotency key: the first one makes the sandbox, every later one gets the first one's answer.
 * Thread-safe.
 */
@Singleton
@Requires(beans = SandboxRuntime.class)
public class IdempotentCreates {
    private final CreateSandboxes creates;
    private final LifecycleCalls calls;
    private final IdempotencyKeys keys;
    private final SandboxStore store;
    private final TransactionOperations<Connection> transactions;

    IdempotentCreates(
            CreateSandboxes creates,
            LifecycleCalls calls,
            IdempotencyKeys keys,
            SandboxStore store,
            TransactionOperations<Connection> transactions) {
        this.creates = creates;
        this.calls = calls;
        this.keys = keys;
        this.store = store;
        this.transactions = transactions;
    }

    /** A key that a caller chose, and the hash of all that was asked under it. */
    public record Key(String text, byte[] requestHash) {
        public Key {
            if (text.isBlank() || text.length() > IdempotencyKeys.LONGEST) {
                throw new BivouacException(
                        ErrorCode.INVALID_REQUEST,
                        "Idempotency-Key must have 1 to " + IdempotencyKeys.LONGEST + " characters.");
            }
        }
    }

    /** A front's answers, and how they are kept: the text is the front's own, and stays readable for a day. */
    public interface Answers<A> {
        A of(StartedSandbox started);

        String write(A answer);

        A read(String text);
    }

    /** @param order asked for only if nothing was made under the key: a replay is not checked again */
    public <A> A create(Key key, Supplier<SandboxOrder> order, Caller caller, StartPlan plan, Answers<A> answers) {
        caller.mustBe(Role.DEVELOPER);
        var earlier = keys.find(caller.project(), key.text(), key.requestHash());
        if (earlier.isPresent()) {
            return answerOf(earlier.get(), answers);
        }
        try (var draft = creates.draft(order.get(), caller, plan);
                var _ = calls.take(draft.sandbox().id())) {
            var taken = storeOnce(key, draft, caller);
            if (taken.isPresent()) {
                return answerOf(taken.get(), answers);
            }
            var answer = answers.of(creates.start(draft, plan).mustNotHaveFailed());
            keys.answer(caller.project(), key.text(), answers.write(answer));
            return answer;
        }
    }

    /** Stores the draft, unless the key has been used meanwhile: then gives what was made under it. */
    private Optional<IdempotencyKey> storeOnce(Key key, Draft draft, Caller caller) {
        var sandbox = draft.sandbox();
        return store.inTurn(
                sandbox.project(),
                () -> transactions.executeWrite(_ -> {
                    var taken = keys.claim(sandbox.project(), key.text(), key.requestHash(), sandbox.id());
                    if (taken.isEmpty()) {
                        creates.store(draft, caller);
                    }
                    return taken;
                }));
    }

    private <A> A answerOf(IdempotencyKey taken, Answers<A> answers) {
        if (taken.response() != null) {
            return answers.read(taken.response());
        }
        // The first one is still under way, or its server died before it answered.
        var sandbox = calls.awaitStart(new SandboxId(taken.sandboxId()));
        if (sandbox.state() == SandboxState.DELETED) {
            throw SandboxId.noSuchSandbox(taken.sandboxId());
        }
        return keys.find(taken.projectId(), taken.key(), taken.requestHash())
                .map(IdempotencyKey::response)
                .map(answers::read)
                .orElseGet(() -> answers.of(asItIs(sandbox)));
    }

    private StartedSandbox asItIs(Sandbox sandbox) {
        if (sandbox.state() == SandboxState.STARTING) {
            store.makeDurable();
        }
        return new StartedSandbox(sandbox, null).mustNotHaveFailed();
    }
}
