package io.bivouac.agentlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.security.SignatureException;
import java.util.List;
import org.junit.jupiter.api.Test;

class AuthorityTest {
    @Test
    void anAuthorityIsTheSameAfterItWasStored() throws Exception {
        var made = Authority.make();
        var stored = Authority.of(made.certificatePem(), made.keyPem());
        assertThat(stored.certificate()).isEqualTo(made.certificate());
        var issued = stored.issue(new RelayId(), null).certificate();
        assertThatCode(() -> issued.verify(made.certificate().getPublicKey())).doesNotThrowAnyException();
        assertThatThrownBy(() -> issued.verify(Authority.make().certificate().getPublicKey()))
                .isInstanceOf(SignatureException.class);
    }

    @Test
    void aRelaysCertificateHasTheCommonNameAndWhereItIsDialled() throws Exception {
        var authority = Authority.make();
        var byNumber = authority.issue(new RelayId(), "10.0.0.7").certificate();
        assertThat(byNumber.getSubjectAlternativeNames())
                .containsExactlyInAnyOrder(List.of(2, "relay.bivouac.internal"), List.of(7, "10.0.0.7"));
        var byName = authority.issue(new RelayId(), "relays.example").certificate();
        assertThat(byName.getSubjectAlternativeNames())
                .containsExactlyInAnyOrder(List.of(2, "relay.bivouac.internal"), List.of(2, "relays.example"));
        assertThat(RelayTls.isOfRelay(byName)).isTrue();
        assertThat(RelayTls.isOfRelay(authority.certificate())).isFalse();
        assertThat(byName.getBasicConstraints()).isNegative();
    }

    @Test
    void whatIsNoKeyIsRefused() {
        var made = Authority.make();
        assertThatThrownBy(() -> Authority.of(made.certificatePem(), made.certificatePem()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("private key");
        assertThatThrownBy(() -> Authority.of(made.keyPem(), made.keyPem()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("certificate");
    }
}
