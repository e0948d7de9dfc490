package io.bivouac.webhooks.signing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class SignerTest {
    private static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
    private static final Instant AT = Instant.ofEpochSecond(1614265330);
    private static final byte[] BODY = "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8);
    private static final String EXPECTED = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
    private final SigningKeys keys = SigningKeys.parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");

    @Test
    void thePublishedCheckValueComesOut() {
        assertThat(new Signer(keys, null, null).sign(ID, AT, BODY)).isEqualTo(EXPECTED);
    }

    @Test
    void whileASecretIsReplacedBothSign() {
        var signer = new Signer(SigningKeys.fresh(false), keys, AT.plusSeconds(1));
        assertThat(signer.sign(ID, AT, BODY).split(" ")).hasSize(2).endsWith(EXPECTED);
        assertThat(signer.sign(ID, AT.plusSeconds(1), BODY).split(" "))
                .hasSize(1)
                .doesNotContain(EXPECTED);
    }

    @Test
    void theAsymmetricSignatureVerifiesWithThePublicKeyAlone() throws Exception {
        var signer = new Signer(SigningKeys.fresh(true), null, null);
        var signatures = signer.sign(ID, AT, BODY).split(" ");
        assertThat(signatures).hasSize(2);
        var verifier = Signature.getInstance("Ed25519");
        var raw = Base64.getDecoder().decode(signer.publicKey().orElseThrow().substring("whpk_".length()));
        // RFC 8410: the fixed head of an Ed25519 SubjectPublicKeyInfo, then the 32 bytes.
        var head = HexFormat.of().parseHex("302a300506032b6570032100");
        var encoded = new byte[head.length + raw.length];
        System.arraycopy(head, 0, encoded, 0, head.length);
        System.arraycopy(raw, 0, encoded, head.length, raw.length);
        verifier.initVerify(KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded)));
        verifier.update((ID + "." + AT.getEpochSecond() + ".").getBytes(StandardCharsets.UTF_8));
        verifier.update(BODY);
        assertThat(verifier.verify(Base64.getDecoder().decode(signatures[1].substring("v1a,".length()))))
                .isTrue();
    }

    @Test
    void keysSurviveBeingStored() {
        var fresh = SigningKeys.fresh(true);
        var again = SigningKeys.parse(fresh.stored());
        assertThat(again.secret()).isEqualTo(fresh.secret());
        assertThat(again.seed()).isEqualTo(fresh.seed());
        assertThat(fresh.toString()).doesNotContain(fresh.secretText());
    }
}
