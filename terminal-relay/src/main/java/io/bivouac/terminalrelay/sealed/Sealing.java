package io.bivouac.terminalrelay.sealed;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.SealedTerms;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import java.util.Base64;

/**
 * A request that a terminal be sealed.
 *
 * @param ownerKey the X25519 key that owns it; empty for whoever first proves one to the agent
 */
public record Sealing(ByteString ownerKey) {
    /** One message of Noise. */
    public static final int LARGEST_MESSAGE = 65_535;

    private static final int KEY = 32;

    /** Null when neither field asks for it; a key alone does. */
    public static @Nullable Sealing of(@Nullable Boolean sealed, @Nullable String publicKey) {
        if (publicKey == null) {
            return Boolean.TRUE.equals(sealed) ? new Sealing(ByteString.EMPTY) : null;
        }
        if (Boolean.FALSE.equals(sealed)) {
            throw invalid("publicKey is for sealed terminals only.");
        }
        return new Sealing(ByteString.copyFrom(key(publicKey)));
    }

    private static byte[] key(String text) {
        try {
            var key = Base64.getDecoder().decode(text);
            if (key.length == KEY) {
                return key;
            }
        } catch (IllegalArgumentException malformed) {
            throw invalid("publicKey must be base64.");
        }
        throw invalid("publicKey must be an X25519 key of " + KEY + " bytes.");
    }

    private static BivouacException invalid(String why) {
        return new BivouacException(ErrorCode.INVALID_REQUEST, why);
    }

    public SealedTerms terms() {
        return SealedTerms.newBuilder().setOwnerKey(ownerKey).build();
    }
}
