package io.bivouac.sessions.secret;

import com.google.crypto.tink.AccessesPartialKey;
import com.google.crypto.tink.HybridEncrypt;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.hybrid.HpkeParameters;
import com.google.crypto.tink.hybrid.HpkePublicKey;
import com.google.crypto.tink.hybrid.HybridConfig;
import com.google.crypto.tink.util.Bytes;
import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.SecretEnvironment;
import io.bivouac.agentlink.Agent;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.sessions.launch.TurningVariables;
import io.bivouac.sessions.pod.Pod;
import io.bivouac.sessions.pod.PodUnreadable;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads secrets and seals them, in one go. Whoever asks must have been granted them. Thread-safe. */
@Singleton
public class Secrets {
    private static final String INFO = "bivouac/secrets/v1/";
    private static final String VARIABLE = "[A-Za-z_][A-Za-z0-9_]{0,127}";
    private static final int KEY_ID = 1;
    private static final HpkeParameters PARAMETERS = parameters();

    private final JsonMapper json;

    Secrets(JsonMapper json) throws GeneralSecurityException {
        HybridConfig.register();
        this.json = json;
    }

    private static HpkeParameters parameters() {
        try {
            return HpkeParameters.builder()
                    .setKemId(HpkeParameters.KemId.DHKEM_X25519_HKDF_SHA256)
                    .setKdfId(HpkeParameters.KdfId.HKDF_SHA256)
                    .setAeadId(HpkeParameters.AeadId.CHACHA20_POLY1305)
                    .setVariant(HpkeParameters.Variant.NO_PREFIX)
                    .build();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** All texts at the top of a document whose names are those of variables, each as the variable of its name. */
    public List<SecretRef> allIn(String path, Pod pod) throws PodUnreadable {
        try {
            var text = pod.read(path);
            var document = text.isEmpty() ? null : json.readValue(text.get(), JsonNode.class);
            var refs = new ArrayList<SecretRef>();
            if (document != null && document.isObject()) {
                document.entries().forEach(entry -> {
                    var name = entry.getKey();
                    if (entry.getValue().isString() && name.matches(VARIABLE) && !TurningVariables.include(name)) {
                        refs.add(new SecretRef(name, path, "$." + name));
                    }
                });
            }
            return refs;
        } catch (IOException malformed) {
            return List.of();
        }
    }

    /** Refuses before anything is made what could not be handed over later. */
    public void mustBeThere(List<SecretRef> wanted, Pod pod) {
        read(wanted, pod);
    }

    /** What only this agent can open, for the command's environment. */
    @AccessesPartialKey
    public ByteString sealed(List<SecretRef> wanted, Pod pod, Agent agent) {
        var key = agent.secretsKey();
        if (key.length == 0) {
            throw new BivouacException(
                    ErrorCode.UNSUPPORTED_BY_RUNTIME, "The sandbox's agent is too old to be given secrets.");
        }
        var plain = read(wanted, pod).toByteArray();
        try {
            var publicKey = HpkePublicKey.create(PARAMETERS, Bytes.copyFrom(key), null);
            var handle = KeysetHandle.newBuilder()
                    .addEntry(KeysetHandle.importKey(publicKey)
                            .withFixedId(KEY_ID)
                            .makePrimary())
                    .build();
            var info = (INFO + agent.sandbox().value()).getBytes(StandardCharsets.UTF_8);
            return ByteString.copyFrom(handle.getPrimitive(RegistryConfiguration.get(), HybridEncrypt.class)
                    .encrypt(plain, info));
        } catch (GeneralSecurityException broken) {
            throw new BivouacException(ErrorCode.PTY_ERROR, "The secrets could not be sealed to the agent.", broken);
        } finally {
            Arrays.fill(plain, (byte) 0);
        }
    }

    private SecretEnvironment read(List<SecretRef> wanted, Pod pod) {
        var environment = SecretEnvironment.newBuilder();
        for (var secret : wanted) {
            environment.putEnv(secret.variable(), read(secret, pod));
        }
        return environment.build();
    }

    /** Failures name the place and nothing of what is there. */
    private String read(SecretRef secret, Pod pod) {
        var path = JsonPath.parse(secret.jsonPath())
                .orElseThrow(() -> invalid(secret, "jsonPath must name one value, such as $.token or $.keys[0]"));
        try {
            var text = pod.read(secret.path()).orElseThrow(() -> invalid(secret, "there is no " + secret.path()));
            var value = path.in(json.readValue(text, JsonNode.class))
                    .orElseThrow(() -> invalid(secret, secret.path() + " has no value at " + secret.jsonPath()));
            if (value.indexOf('\0') >= 0) {
                throw invalid(secret, "the value cannot be that of a variable");
            }
            return value;
        } catch (PodUnreadable unreadable) {
            throw new BivouacException(
                    ErrorCode.UNAVAILABLE, "The Pod cannot be read: " + unreadable.getMessage() + ".");
        } catch (IOException malformed) {
            throw invalid(secret, secret.path() + " is no JSON");
        }
    }

    private static BivouacException invalid(SecretRef secret, String why) {
        return new BivouacException(ErrorCode.INVALID_REQUEST, "env." + secret.variable() + ": " + why + ".");
    }
}
