package io.bivouac.foundation.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.foundation.fixture.Names;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HostLookupTest {
    private static final Duration AT_MOST = Duration.ofSeconds(20);

    @Test
    void whoseNamesHangKeepsOnlyItselfWaiting() {
        var answered = new CountDownLatch(1);
        Names.set("hanging.example", "93.184.215.14");
        Names.hold("hanging.example", answered);
        try (var lookup = new HostLookup(AT_MOST)) {
            var stuck = IntStream.range(0, 200)
                    .mapToObj(_ -> lookup.addressesOf("hanging.example", "one"))
                    .toList();
            assertThat(lookup.addressesOf("127.0.0.1", "another").join()).hasSize(1);
            assertThat(stuck).noneMatch(CompletableFuture::isDone);
            answered.countDown();
            assertThat(stuck).allSatisfy(each -> assertThat(each.join()).hasSize(1));
        }
    }

    @Test
    void whatNobodyKnowsIsSaidSo() {
        Names.set("unknown.example");
        try (var lookup = new HostLookup(AT_MOST)) {
            assertThat(lookup.addressesOf("unknown.example", "one"))
                    .failsWithin(AT_MOST)
                    .withThrowableThat()
                    .withRootCauseInstanceOf(UnknownHostException.class);
        }
    }
}
