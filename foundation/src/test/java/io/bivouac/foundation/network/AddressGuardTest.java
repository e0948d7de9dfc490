package io.bivouac.foundation.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressGuardTest {
    private final AddressGuard closed = AddressGuard.opening("");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "10.1.2.3",
                "100.64.0.1",
                "100.100.100.200",
                "127.0.0.1",
                "127.255.255.254",
                "169.254.169.254",
                "172.16.0.1",
                "172.31.255.255",
                "192.0.0.192",
                "192.168.1.1",
                "198.18.0.1",
                "224.0.0.1",
                "239.255.255.255",
                "255.255.255.255",
                "168.63.129.16",
                "203.0.113.9",
                "::",
                "::1",
                "::ffff:127.0.0.1",
                "::ffff:10.0.0.1",
                "::127.0.0.1",
                "fe80::1",
                "fec0::1",
                "fc00::1",
                "fd00:ec2::254",
                "ff02::1",
                "64:ff9b::7f00:1",
                "64:ff9b::a9fe:a9fe",
                "64:ff9b:1::1",
                "2002:7f00:1::",
                "2002:a9fe:a9fe::1",
                "2001:0:7f00:1::1",
                "2001:db8::1",
                "100::1",
                "3fff::1"
            })
    void whatIsInsideIsRefused(String address) throws UnknownHostException {
        assertThat(closed.objection(InetAddress.getByName(address), true)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1",
                "8.8.8.8",
                "100.63.255.255",
                "100.128.0.0",
                "172.15.0.1",
                "172.32.0.1",
                "169.253.1.1",
                "223.255.255.255",
                "2606:4700::1111",
                "2a00:1450::1",
                "64:ff9b::808:808",
                "::ffff:8.8.8.8"
            })
    void whatIsPublicMayBeReachedOverTlsOnly(String address) throws UnknownHostException {
        assertThat(closed.objection(InetAddress.getByName(address), true)).isEmpty();
        assertThat(closed.objection(InetAddress.getByName(address), false))
                .get()
                .asString()
                .contains("https");
    }

    @Test
    void anOperatorOpensRangesAlsoWithoutTls() throws UnknownHostException {
        var guard = AddressGuard.opening("127.0.0.0/8, fd00::/9");
        assertThat(guard.objection(InetAddress.getByName("127.3.2.1"), false)).isEmpty();
        assertThat(guard.objection(InetAddress.getByName("::ffff:127.0.0.1"), false))
                .isEmpty();
        assertThat(guard.objection(InetAddress.getByName("fd70::1"), false)).isEmpty();
        assertThat(guard.objection(InetAddress.getByName("fd80::1"), true)).isPresent();
        assertThat(guard.objection(InetAddress.getByName("128.0.0.1"), false)).isPresent();
        assertThat(guard.objection(InetAddress.getByName("::1"), true)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "10.0.0.0/33", "10.0.0/8", "fd00::/129", "10.0.0.0/-1", "a/b", "10.0.0.256"})
    void aRangeThatCannotBeReadIsRefused(String text) {
        assertThatThrownBy(() -> AddressGuard.opening(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(text);
    }

    @Test
    void theObjectionNamesNoAddress() throws UnknownHostException {
        assertThat(closed.objection(InetAddress.getByName("10.1.2.3"), true))
                .hasValueSatisfying(words -> assertThat(words).doesNotContainPattern("[0-9]"));
        assertThat(closed.objection(InetAddress.getByName("8.8.8.8"), false))
                .hasValueSatisfying(words -> assertThat(words).doesNotContainPattern("[0-9]"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"198.100.1.7", "::ffff:198.100.1.7", "64:ff9b::c664:107"})
    void thisMachinesOwnPublicAddressIsClosedUnlessOpened(String address) throws UnknownHostException {
        var own = InetAddress.getByName("198.100.1.7");
        var asked = InetAddress.getByName(address);
        assertThat(AddressGuard.opening("", own::equals).objection(asked, true)).isPresent();
        assertThat(AddressGuard.opening("198.100.1.7,64:ff9b::/96", own::equals).objection(asked, true))
                .isEmpty();
        assertThat(AddressGuard.opening("", _ -> false).objection(asked, true)).isEmpty();
    }

    @Test
    void theAddressesOfThisMachinesInterfacesAreItsOwn() throws UnknownHostException {
        var own = new OwnAddresses();
        assertThat(own.test(InetAddress.getByName("127.0.0.1"))).isTrue();
        assertThat(own.test(InetAddress.getByName("8.8.8.8"))).isFalse();
    }
}
