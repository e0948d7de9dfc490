package io.bivouac.foundation.encryption;

import com.google.crypto.tink.AccessesPartialKey;
import com.google.crypto.tink.Aead;
import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.aead.AeadConfig;
import com.google.crypto.tink.aead.AesGcmKey;
import com.google.crypto.tink.aead.AesGcmParameters;
import com.google.crypto.tink.util.SecretBytes;
import io.bivouac.foundation.settings.InstallationKeys;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.stream.Stream;

/**
 * Encrypts what is stored, bound to the place it is stored at. Several keys may be given: the first encrypts, all
 * decrypt, so that a key can be replaced. Thread-safe.
 */
@Singleton
public class SecretBox {
    private static final int KEY_BYTES = 32;
    private static final int IV_BYTES = 12;
    private static final int TAG_BYTES = 16;

    private final Aead aead;

    @Inject
    SecretBox(InstallationKeys installation) {
        this(installation.encryption());
    }

    /** @param keys 32 bytes each in Base64, separated by commas */
    SecretBox(String keys) {
        try {
            AeadConfig.register();
            var keyset = KeysetHandle.newBuilder();
            var parsed = Stream.of(keys.split(",")).map(SecretBox::parse).toList();
            for (var key : parsed) {
                var entry = KeysetHandle.importKey(key);
                keyset.addEntry(key.equals(parsed.getFirst()) ? entry.makePrimary() : entry);
            }
            aead = keyset.build().getPrimitive(RegistryConfiguration.get(), Aead.class);
        } catch (GeneralSecurityException refused) {
            throw new IllegalArgumentException(
                    "BIVOUAC_ENCRYPTION_KEY cannot be used: " + refused.getMessage(), refused);
        }
    }

    /** @param place where it will be stored, such as a table, a row and a column: it opens nowhere else */
    public byte[] seal(String secret, String place) {
        try {
            return aead.encrypt(secret.getBytes(StandardCharsets.UTF_8), place.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("cannot encrypt", impossible);
        }
    }

    /** Throws when it was sealed by another key, or for another place. */
    public String open(byte[] sealed, String place) {
        try {
            return new String(aead.decrypt(sealed, place.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
        } catch (GeneralSecurityException foreign) {
            throw new IllegalStateException(
                    place + " was encrypted with another key than those in BIVOUAC_ENCRYPTION_KEY", foreign);
        }
    }

    @AccessesPartialKey
    private static AesGcmKey parse(String base64) {
        try {
            var bytes = Base64.getDecoder().decode(base64.strip());
            if (bytes.length != KEY_BYTES) {
                throw new IllegalArgumentException("a key has " + bytes.length + " bytes");
            }
            return AesGcmKey.builder()
                    .setParameters(AesGcmParameters.builder()
                            .setKeySizeBytes(KEY_BYTES)
                            .setIvSizeBytes(IV_BYTES)
                            .setTagSizeBytes(TAG_BYTES)
                            .setVariant(AesGcmParameters.Variant.TINK)
                            .build())
                    .setKeyBytes(SecretBytes.copyFrom(bytes, InsecureSecretKeyAccess.get()))
                    .setIdRequirement(idOf(bytes))
                    .build();
        } catch (IllegalArgumentException | GeneralSecurityException unreadable) {
            throw new IllegalArgumentException(
                    "BIVOUAC_ENCRYPTION_KEY must be 32 bytes in Base64, or several such keys separated by commas",
                    unreadable);
        }
    }

    /** Each ciphertext names its key by this number. */
    private static int idOf(byte[] key) throws GeneralSecurityException {
        return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(key)).getInt();
    }
}
