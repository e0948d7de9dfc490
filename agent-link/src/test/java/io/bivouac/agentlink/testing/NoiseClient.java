package io.bivouac.agentlink.testing;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.interfaces.XECPublicKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPublicKeySpec;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import javax.crypto.Mac;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The initiator of {@code Noise_IK_25519_ChaChaPoly_SHA256}, by the JDK's own primitives: enough to sit at a sealed
 * terminal in tests. Not thread-safe.
 */
public final class NoiseClient {
    private static final int KEY = 32;
    private static final byte[] NONE = {};

    private final KeyPair own;
    private final KeyPair ephemeral = newKeys();
    private final byte[] host;
    /** The protocol's name has just the length of a hash, so it stands for itself. */
    private byte[] hash = ascii("Noise_IK_25519_ChaChaPoly_SHA256");

    private byte[] chaining = hash;
    private byte[] handshakeKey;
    private byte[] sendKey;
    private byte[] receiveKey;
    private long sent;
    private long received;

    public NoiseClient(KeyPair own, byte[] host, String terminal) {
        this.own = own;
        this.host = host;
        mixHash(ascii("bivouac.sealed.v1 " + terminal));
        mixHash(host);
    }

    public static KeyPair newKeys() {
        return attempt(() -> KeyPairGenerator.getInstance("X25519").generateKeyPair());
    }

    /** As it goes over the wire: little-endian. */
    public static byte[] publicKey(KeyPair keys) {
        var big = ((XECPublicKey) keys.getPublic()).getU().toByteArray();
        var little = new byte[KEY];
        for (int i = 0; i < big.length && i < KEY; i++) {
            little[i] = big[big.length - 1 - i];
        }
        return little;
    }

    public byte[] first() {
        mixHash(publicKey(ephemeral));
        mixKey(shared(ephemeral, host));
        var sealedKey = sealHash(publicKey(own));
        mixKey(shared(own, host));
        return joined(publicKey(ephemeral), sealedKey, sealHash(NONE));
    }

    /** Gives what the host said with it. */
    public String second(byte[] message) {
        var theirs = Arrays.copyOf(message, KEY);
        mixHash(theirs);
        mixKey(shared(ephemeral, theirs));
        mixKey(shared(own, theirs));
        var sealed = Arrays.copyOfRange(message, KEY, message.length);
        var payload = cipher(Cipher.DECRYPT_MODE, handshakeKey, 0, hash, sealed);
        mixHash(sealed);
        var split = derive(NONE);
        sendKey = split[0];
        receiveKey = split[1];
        return new String(payload, StandardCharsets.UTF_8);
    }

    /** The number that goes with the next message. */
    public long nextNumber() {
        return sent + 1;
    }

    public byte[] seal(int type, long number, String payload) {
        var bytes = payload.getBytes(StandardCharsets.UTF_8);
        var plain = ByteBuffer.allocate(9 + bytes.length)
                .put((byte) type)
                .putLong(number)
                .put(bytes)
                .array();
        return cipher(Cipher.ENCRYPT_MODE, sendKey, sent++, NONE, plain);
    }

    public Socket.Frame open(byte[] sealed) {
        var plain = ByteBuffer.wrap(cipher(Cipher.DECRYPT_MODE, receiveKey, received++, NONE, sealed));
        int type = plain.get();
        long number = plain.getLong();
        var payload = new byte[plain.remaining()];
        plain.get(payload);
        return new Socket.Frame(type, number, payload);
    }

    private byte[] sealHash(byte[] plain) {
        var sealed = cipher(Cipher.ENCRYPT_MODE, handshakeKey, 0, hash, plain);
        mixHash(sealed);
        return sealed;
    }

    private void mixHash(byte[] data) {
        hash = sha256(joined(hash, data));
    }

    private void mixKey(byte[] secret) {
        var derived = derive(secret);
        chaining = derived[0];
        handshakeKey = derived[1];
    }

    private byte[][] derive(byte[] input) {
        var secret = hmac(chaining, input);
        var first = hmac(secret, new byte[] {1});
        return new byte[][] {first, hmac(secret, joined(first, new byte[] {2}))};
    }

    private static byte[] shared(KeyPair ours, byte[] theirs) {
        return attempt(() -> {
            var big = theirs.clone();
            for (int i = 0; i < KEY / 2; i++) {
                big[i] = theirs[KEY - 1 - i];
                big[KEY - 1 - i] = theirs[i];
            }
            big[0] &= 0x7f;
            var key = KeyFactory.getInstance("X25519")
                    .generatePublic(new XECPublicKeySpec(NamedParameterSpec.X25519, new BigInteger(1, big)));
            var agreement = KeyAgreement.getInstance("X25519");
            agreement.init(ours.getPrivate());
            agreement.doPhase(key, true);
            return agreement.generateSecret();
        });
    }

    private static byte[] cipher(int mode, byte[] key, long count, byte[] associated, byte[] data) {
        return attempt(() -> {
            var nonce = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN).putLong(4, count);
            var cipher = Cipher.getInstance("ChaCha20-Poly1305");
            cipher.init(mode, new SecretKeySpec(key, "ChaCha20"), new IvParameterSpec(nonce.array()));
            cipher.updateAAD(associated);
            return cipher.doFinal(data);
        });
    }

    private static byte[] hmac(byte[] key, byte[] data) {
        return attempt(() -> {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(data);
        });
    }

    private static byte[] sha256(byte[] data) {
        return attempt(() -> MessageDigest.getInstance("SHA-256").digest(data));
    }

    private static byte[] joined(byte[]... parts) {
        var all = new ByteArrayOutputStream();
        for (var part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private interface Step<T> {
        T take() throws GeneralSecurityException;
    }

    private static <T> T attempt(Step<T> step) {
        try {
            return step.take();
        } catch (GeneralSecurityException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
