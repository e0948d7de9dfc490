package io.bivouac.foundation.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bivouac.foundation.network.GuardedDialer.Destination;
import io.bivouac.foundation.share.Party;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GuardedDialerTest {
    private static final Party PARTY = new Party("project", "caller");

    private final GuardedDialer dialer = new GuardedDialer(AddressGuard.opening("127.0.0.0/8"), Duration.ofSeconds(5));
    private final List<InetSocketAddress> dialled = new ArrayList<>();

    @AfterEach
    void close() {
        dialer.close();
    }

    @Test
    void anAddressInsideIsNeverDialled() {
        assertThatThrownBy(dialer.dial(new Destination("10.1.2.3", 443, true), PARTY, this::connect)::join)
                .hasRootCauseInstanceOf(AddressRefused.class)
                .hasRootCauseMessage("it leads to an address that is not public");
        assertThat(dialled).isEmpty();
    }

    @Test
    void aPublicAddressNeedsEncryptionAndAnOpenedOneDoesNot() {
        assertThatThrownBy(dialer.dial(new Destination("1.1.1.1", 80, false), PARTY, this::connect)::join)
                .hasRootCauseInstanceOf(AddressRefused.class);
        assertThat(dialer.dial(new Destination("127.0.0.1", 80, false), PARTY, this::connect)
                        .join())
                .isEqualTo("127.0.0.1:80");
    }

    @Test
    void addressesAreDialledInTurnUntilOneAnswers() {
        var connected = GuardedDialer.connectToFirst(addresses(3), 7, address -> {
            dialled.add(address);
            return dialled.size() < 2
                    ? CompletableFuture.failedFuture(new IOException("refused"))
                    : CompletableFuture.completedFuture("second");
        });
        assertThat(connected.join()).isEqualTo("second");
        assertThat(dialled).hasSize(2).allMatch(address -> address.getPort() == 7);
    }

    @Test
    void theLastFailureIsToldAndNotAllOfALongListAreDialled() {
        var connected = GuardedDialer.<String>connectToFirst(addresses(9), 7, address -> {
            dialled.add(address);
            return CompletableFuture.failedFuture(new IOException("refused " + dialled.size()));
        });
        assertThatThrownBy(connected::join).hasRootCauseMessage("refused 4");
        assertThatThrownBy(GuardedDialer.connectToFirst(List.of(), 7, this::connect)::join)
                .hasRootCauseMessage("the name has no address");
    }

    private CompletableFuture<String> connect(InetSocketAddress address) {
        dialled.add(address);
        return CompletableFuture.completedFuture(address.getAddress().getHostAddress() + ":" + address.getPort());
    }

    private static List<InetAddress> addresses(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(n -> InetAddress.ofLiteral("127.0.0." + n))
                .toList();
    }
}
