package io.bivouac.webhooks.signing;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.webhooks.fixture.PublicKeyVerifier;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
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
        var signatures = signer.sign(ID, AT, BODY);
        var key = signer.publicKey().orElseThrow();
        assertThat(signatures.split(" ")).hasSize(2);
        assertThat(PublicKeyVerifier.verifies(key, ID, AT.getEpochSecond(), BODY, signatures))
                .isTrue();
        assertThat(PublicKeyVerifier.verifies(key, ID, AT.getEpochSecond() + 1, BODY, signatures))
                .isFalse();
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
