package io.bivouac.functions.sandbox;

import io.bivouac.sandboxes.lifecycle.IdempotentCreates;
import io.bivouac.sandboxes.lifecycle.StartedSandbox;
import io.bivouac.sandboxmodel.Sha256;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Answers to creates: as clients see them, and as the JSON that is kept for replays. */
@Singleton
class CreateAnswers implements IdempotentCreates.Answers<SandboxView> {
    private final ShownPorts ports;
    private final JsonMapper json;

    CreateAnswers(ShownPorts ports, JsonMapper json) {
        this.ports = ports;
        this.json = json;
    }

    /** The key with the hash of all that this request asks for. */
    IdempotentCreates.Key key(String text, CreateRequest request) {
        return new IdempotentCreates.Key(text, Sha256.of(bytes(request)));
    }

    @Override
    public SandboxView of(StartedSandbox started) {
        return ports.addedTo(SandboxView.of(started));
    }

    @Override
    public String write(SandboxView answer) {
        return new String(bytes(answer), StandardCharsets.UTF_8);
    }

    @Override
    public SandboxView read(String text) {
        try {
            return json.readValue(text, SandboxView.class);
        } catch (IOException foreign) {
            throw new UncheckedIOException("a stored answer cannot be read", foreign);
        }
    }

    private byte[] bytes(Object value) {
        try {
            return json.writeValueAsBytes(value);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }
}
