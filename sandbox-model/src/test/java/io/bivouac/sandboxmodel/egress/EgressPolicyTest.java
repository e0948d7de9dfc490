package io.bivouac.sandboxmodel.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EgressPolicyTest {
    @ParameterizedTest
    @CsvSource({
        "example.org,            example.org:443,        true",
        "example.org,            example.org:80,         false",
        "example.org,            EXAMPLE.org:443,        true",
        "example.org,            example.org.:443,       true",
        "Example.ORG.,           example.org:443,        true",
        "example.org,            www.example.org:443,    false",
        "example.org,            evilexample.org:443,    false",
        "example.org,            example.org.evil:443,   false",
        "example.org:80,         example.org:80,         true",
        "example.org:80,         example.org:443,        false",
        "*.example.org,          www.example.org:443,    true",
        "*.example.org,          a.b.example.org:443,    true",
        "*.example.org,          example.org:443,        false",
        "*.example.org,          evilexample.org:443,    false",
        "*.example.org,          www.example.org.evil:443, false",
        "*.example.org:8443,     www.example.org:443,    false",
        "203.0.113.7,            203.0.113.7:443,        true",
        "203.0.113.7,            [::ffff:203.0.113.7]:443, true",
        "[2001:db8::1],          [2001:DB8:0::1]:443,    true",
        "[2001:db8::1]:8443,     [2001:db8::1]:8443,     true",
        "[2001:db8::1],          [2001:db8::2]:443,      false",
    })
    void aRuleAllowsWhatItSaysAndNothingElse(String rule, String target, boolean allowed) {
        var policy = EgressPolicy.allowing(List.of("other.example", rule));
        assertThat(policy.allows(EgressTarget.parse(target))).isEqualTo(allowed);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "*",
                "*.",
                "*.org",
                "*.*.example.org",
                "www.*.org",
                "*example.org",
                "*.203.0.113.7",
                "https://example.org",
                "example.org/path",
                "user@example.org",
                "example.org:0",
                "example.org:65536",
                "example.org:+443",
                "example.org:0443",
                "example.org:",
                "exa mple.org",
                " example.org",
                "example..org",
                ".example.org",
                "-example.org",
                "exämple.org",
                "2001:db8::1",
                "[2001:db8::1",
                "[fe80::1%eth0]",
                "[example.org]",
                "2130706433",
                "0x7f000001",
                "0x7f.1",
                "127.1",
                "0177.0.0.1",
                "256.1.1.1",
                "1.2.3.4.5",
                "example.org\r\nX: y",
            })
    void whatIsNoRuleIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> EgressRule.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "example.org",
                "example.org:",
                ":443",
                "[::1]",
                "2130706433:80",
                "0x7f000001:80",
                "127.1:80",
                "*:443"
            })
    void whatIsNoTargetIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> EgressTarget.parse(text));
    }

    @Test
    void rulesAreShownWithTheirPortAndOnce() {
        assertThat(EgressPolicy.allowing(List.of("Example.org", "example.org:443", "*.a.example", "[2001:db8::1]"))
                        .hosts())
                .containsExactly("example.org:443", "*.a.example:443", "[2001:db8:0:0:0:0:0:1]:443");
    }

    @Test
    void whatIsShownMeansTheSameWhenItIsReadAgain() {
        var policy = EgressPolicy.allowing(List.of("*.example.org:80", "[::ffff:203.0.113.7]", "[2001:db8::1]"));
        assertThat(EgressPolicy.allowing(policy.hosts())).isEqualTo(policy);
    }

    @Test
    void thereIsABound() {
        var many = IntStream.rangeClosed(0, EgressPolicy.MOST_RULES)
                .mapToObj(i -> "h" + i + ".example")
                .toList();
        assertThatIllegalArgumentException().isThrownBy(() -> EgressPolicy.allowing(many));
        assertThatIllegalArgumentException().isThrownBy(() -> EgressPolicy.allowing(Collections.singletonList(null)));
    }

    @Test
    void aPresetReachesWhatItStandsForAndPublicWhatIsPublic() {
        var asked = EgressTarget.parse("packages.example:443");
        var policy = EgressPolicy.allowing(List.of("example.org", "@pip"));
        assertThat(policy.reach(asked, _ -> List.of())).isEqualTo(Reach.CLOSED);
        assertThat(policy.reach(asked, _ -> List.of(EgressRule.parse("packages.example"))))
                .isEqualTo(Reach.LISTED);
        var open = EgressPolicy.allowing(List.of("@public", "example.org"));
        assertThat(open.reach(asked, _ -> List.of())).isEqualTo(Reach.IF_PUBLIC);
        assertThat(open.reach(EgressTarget.parse("example.org:443"), _ -> List.of()))
                .isEqualTo(Reach.LISTED);
        assertThat(policy.hosts()).containsExactly("example.org:443", "@pip");
        assertThat(EgressPolicy.allowing(policy.hosts())).isEqualTo(policy);
        for (var wrong : List.of("@", "@Pip", "@-", "@a b")) {
            assertThatIllegalArgumentException().isThrownBy(() -> EgressPolicy.allowing(List.of(wrong)));
        }
    }
}
