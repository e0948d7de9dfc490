package io.bivouac.identity;

import io.bivouac.foundation.access.BoundTokens;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import java.util.Map;

/** A login with a bound token that is not valid; tells in RFC 9449's words which half of it. */
final class Refused extends BivouacException {
    private Refused(String error, String detail) {
        super(ErrorCode.UNAUTHORIZED, detail, Map.of(BoundTokens.ERROR, error));
    }

    static Refused proof(String why) {
        return new Refused("invalid_dpop_proof", "The DPoP proof is not valid: " + why + ".");
    }

    static Refused token(String why) {
        return new Refused("invalid_token", "The token is not valid: " + why + ".");
    }
}
