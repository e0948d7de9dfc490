package io.bivouac.sandboxes.token;

import io.bivouac.foundation.settings.InstallationKeys;
import io.bivouac.sandboxmodel.SandboxId;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Tokens that each fit one sandbox and one purpose. They are derived from the installation's secret, so nothing
 * has to be stored and any process can check one. Thread-safe.
 */
@Singleton
public class SandboxTokens {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int SHORTEST_SECRET = 32;

    private final SecretKeySpec secret;

    SandboxTokens(InstallationKeys installation) {
        var bytes = Base64.getDecoder().decode(installation.token());
        if (bytes.length < SHORTEST_SECRET) {
            throw new IllegalArgumentException("BIVOUAC_TOKEN_KEY must have at least " + SHORTEST_SECRET + " bytes");
        }
        this.secret = new SecretKeySpec(bytes, ALGORITHM);
    }

    /** What the agent inside shows to the relay. */
    public String joinToken(SandboxId id) {
        return token("join", id);
    }

    public boolean isJoinToken(SandboxId id, String candidate) {
        return isSame(joinToken(id), candidate);
    }

    /**
     * What opens the sandbox's own ports to whoever holds it.
     *
     * @param generation how often the sandbox was given a new one
     */
    public String accessToken(SandboxId id, int generation) {
        return generation == 0 ? token("access", id) : token("access", id.value() + "/" + generation);
    }

    public boolean isAccessToken(SandboxId id, int generation, String candidate) {
        return isSame(accessToken(id, generation), candidate);
    }

    /** What opens commands and files of the sandbox, and not its ports; it ends with the access token of its time. */
    public String workToken(SandboxId id, int generation) {
        return token("work", id.value() + "/" + generation);
    }

    public boolean isWorkToken(SandboxId id, int generation, String candidate) {
        return isSame(workToken(id, generation), candidate);
    }

    /** What a link to a port is signed with, or a browser's leave to use one; the claim says which, and until when. */
    public String previewSignature(String claim) {
        return token("preview", claim);
    }

    public boolean isPreviewSignature(String claim, String candidate) {
        return isSame(previewSignature(claim), candidate);
    }

    /** The part of an NFS path that only those know who were told of it. */
    public String mountToken(SandboxId id) {
        return token("mount", id);
    }

    /** What seals the NFS handles of the sandbox's files, in hexadecimal. */
    public String mountKey(SandboxId id) {
        return HexFormat.of().formatHex(bytes("mount-key", id.value()));
    }

    /** What opens one file of the sandbox to whoever has the link; the claim says which, how and until when. */
    public String fileLinkToken(SandboxId id, String claim) {
        return token("file-link/" + id.value(), claim);
    }

    public boolean isFileLinkToken(SandboxId id, String claim, String candidate) {
        return isSame(fileLinkToken(id, claim), candidate);
    }

    /** What one relay shows to another. */
    public String relayToken(String relay) {
        return token("relay", relay);
    }

    public boolean isRelayToken(String relay, String candidate) {
        return isSame(relayToken(relay), candidate);
    }

    private static boolean isSame(String expected, String candidate) {
        return MessageDigest.isEqual(
                expected.getBytes(StandardCharsets.UTF_8), candidate.getBytes(StandardCharsets.UTF_8));
    }

    private String token(String purpose, SandboxId id) {
        return token(purpose, id.value());
    }

    private String token(String purpose, String id) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes(purpose, id));
    }

    private byte[] bytes(String purpose, String id) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(secret);
            return mac.doFinal((purpose + "/" + id).getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
