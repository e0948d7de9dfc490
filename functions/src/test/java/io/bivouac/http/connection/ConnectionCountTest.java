package io.bivouac.http.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ConnectionCountTest {
    private static final int OF_AN_ADDRESS = 2;

    private final ConnectionSettings settings = new ConnectionSettings();

    /** One from each of these addresses, in this order. */
    private List<EmbeddedChannel> opened(String... addresses) {
        settings.setConnections(5);
        settings.setConnectionsPerAddress(OF_AN_ADDRESS);
        var count = new ConnectionCount(new HttpConnections(settings, new SimpleMeterRegistry()), settings);
        return Stream.of(addresses)
                .map(address -> {
                    var channel = new From(address);
                    count.open(channel);
                    return (EmbeddedChannel) channel;
                })
                .toList();
    }

    private static List<Boolean> areOpen(List<EmbeddedChannel> channels) {
        return channels.stream().map(EmbeddedChannel::isOpen).toList();
    }

    private static final class From extends EmbeddedChannel {
        private final String address;

        private From(String address) {
            this.address = address;
        }

        @Override
        protected SocketAddress remoteAddress0() {
            return new InetSocketAddress(address, 4_000);
        }
    }

    @Test
    void theOldestOfAnAddressMakesRoomForItsNext() {
        assertThat(areOpen(opened("192.0.2.1", "192.0.2.2", "192.0.2.1", "192.0.2.1")))
                .containsExactly(false, true, true, true);
    }

    @Test
    void aNetworkOfVersionSixIsOneAddress() {
        assertThat(areOpen(opened("2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8:0:1::1")))
                .containsExactly(false, true, true, true);
    }

    @Test
    void thisMachineAndTrustedProxiesStandForMany() {
        settings.setTrustedProxies(List.of("192.0.2.0/24"));
        assertThat(areOpen(opened("192.0.2.1", "192.0.2.1", "192.0.2.1", "127.0.0.1", "127.0.0.1")))
                .containsOnly(true);
        assertThat(areOpen(opened("127.0.0.1", "127.0.0.1", "127.0.0.1", "127.0.0.1", "127.0.0.1", "127.0.0.1")))
                .containsExactly(false, true, true, true, true, true);
    }
}
