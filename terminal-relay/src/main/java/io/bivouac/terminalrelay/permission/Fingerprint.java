package io.bivouac.terminalrelay.permission;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.PermissionAsked;
import io.bivouac.sandboxmodel.Sha256;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * Tells questions apart. It is taken of all that was asked, before anything is cut or cleaned to be shown, so that a
 * grant never covers more than what it was given for.
 */
final class Fingerprint {
    private Fingerprint() {}

    static String of(PermissionAsked question) {
        var digest = Sha256.digest();
        add(digest, question.getSourceBytes());
        add(digest, question.getActionBytes());
        add(digest, question.getResourceBytes());
        add(digest, question.getDescriptionBytes());
        add(digest, question.getCwdBytes());
        add(digest, question.getInput());
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Of one field only, so that it is no question's that a program can ask. */
    static String ofHost(String host) {
        var digest = Sha256.digest();
        add(digest, ByteString.copyFromUtf8(host));
        return HexFormat.of().formatHex(digest.digest());
    }

    /** With its length, so that nothing can be moved from one field to the next. */
    private static void add(MessageDigest digest, ByteString field) {
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(field.size()).flip());
        digest.update(field.asReadOnlyByteBuffer());
    }
}
