package io.bivouac.functions.sandbox;

import io.bivouac.foundation.access.Caller;
import io.bivouac.sandboxes.idempotency.IdempotencyKey;
import io.bivouac.sandboxes.idempotency.IdempotencyKeys;
import io.bivouac.sandboxes.lifecycle.LifecycleSettings;
import io.bivouac.sandboxes.lifecycle.StateWatch;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.Sha256;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.json.JsonMapper;
import io.micronaut.transaction.TransactionOperations;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.util.Optional;

/** Creates under an idempotency key: the first one makes the sandbox, every later one gets its answer. */
@Singleton
class Replays {
    private final IdempotencyKeys keys;
    private final NewSandboxes newSandboxes;
    private final TransactionOperations<Connection> transactions;
    private final StateWatch watch;
    private final LifecycleSettings settings;
    private final JsonMapper json;

    Replays(
            IdempotencyKeys keys,
            NewSandboxes newSandboxes,
            TransactionOperations<Connection> transactions,
            StateWatch watch,
            LifecycleSettings settings,
            JsonMapper json) {
        this.keys = keys;
        this.newSandboxes = newSandboxes;
        this.transactions = transactions;
        this.watch = watch;
        this.settings = settings;
        this.json = json;
    }

    /** The answer to an earlier request under this key. */
    Optional<SandboxView> earlier(String key, CreateRequest request, Caller caller) {
        if (key.isBlank() || key.length() > IdempotencyKeys.LONGEST) {
            throw new BivouacException(
                    ErrorCode.INVALID_REQUEST,
                    "Idempotency-Key must have 1 to " + IdempotencyKeys.LONGEST + " characters.");
        }
        return keys.find(caller.project(), key, hash(request)).map(this::answerOf);
    }

    /** Stores the draft, unless the key has been used: then gives the answer of that time. */
    Optional<SandboxView> storeOnce(String key, CreateRequest request, Sandbox draft) {
        var hash = hash(request);
        var earlier = newSandboxes.inTurn(
                draft,
                () -> transactions.executeWrite(_ -> {
                    var taken = keys.claim(draft.project(), key, hash, draft.id());
                    if (taken.isEmpty()) {
                        newSandboxes.store(draft);
                    }
                    return taken;
                }));
        return earlier.map(this::answerOf);
    }

    private SandboxView answerOf(IdempotencyKey taken) {
        if (taken.response() != null) {
            return read(taken.response());
        }
        // The first one is still under way, or its server died before it answered.
        var sandbox = watch.await(
                new SandboxId(taken.sandboxId()),
                found -> found.state() != SandboxState.STARTING,
                settings.getAnswerWithin());
        if (sandbox.state() == SandboxState.DELETED) {
            throw SandboxId.noSuchSandbox(taken.sandboxId());
        }
        return keys.find(taken.projectId(), taken.key(), taken.requestHash())
                .map(IdempotencyKey::response)
                .map(this::read)
                .orElseGet(() -> SandboxView.of(sandbox));
    }

    void remember(String key, Caller caller, SandboxView view) {
        keys.answer(caller.project(), key, new String(bytes(view), java.nio.charset.StandardCharsets.UTF_8));
    }

    private byte[] hash(CreateRequest request) {
        return Sha256.of(bytes(request));
    }

    private byte[] bytes(Object value) {
        try {
            return json.writeValueAsBytes(value);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private SandboxView read(String text) {
        try {
            return json.readValue(text, SandboxView.class);
        } catch (IOException foreign) {
            throw new UncheckedIOException("a stored answer cannot be read", foreign);
        }
    }
}
