package io.bivouac.foundation.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.foundation.fixture.Eventually;
import io.bivouac.foundation.fixture.Names;
import io.bivouac.foundation.share.Bound;
import io.bivouac.foundation.share.Party;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HostLookupTest {
    private static final Duration AT_MOST = Duration.ofSeconds(20);

    @Test
    void whoseNamesHangKeepsOnlyItselfWaiting() {
        var answered = new CountDownLatch(1);
        Names.set("hanging.example", "93.184.215.14");
        Names.hold("hanging.example", answered);
        Names.set("quick.example", "93.184.215.15");
        try (var lookup = new HostLookup(AT_MOST)) {
            var stuck = IntStream.range(0, 200)
                    .mapToObj(i -> lookup.addressesOf("hanging.example", new Party("one", "key-" + i)))
                    .toList();
            assertThat(lookup.addressesOf("quick.example", new Party("another", "key"))
                            .join())
                    .hasSize(1);
            assertThat(stuck).noneMatch(CompletableFuture::isDone);
            answered.countDown();
            assertThat(stuck).allSatisfy(each -> assertThat(each.join()).hasSize(1));
        }
    }

    @Test
    void aLookUpThatNobodyWaitsForStillCountsAgainstItsParty() {
        var answered = new CountDownLatch(1);
        var party = new Party("one", "key");
        Names.set("silent.example", "93.184.215.14");
        Names.hold("silent.example", answered);
        try (var lookup = new HostLookup(Duration.ofMillis(50))) {
            int share = lookup.places().bounds().perCaller();
            for (int i = 0; i < share; i++) {
                assertThat(lookup.addressesOf("silent.example", party))
                        .failsWithin(AT_MOST)
                        .withThrowableThat()
                        .withRootCauseInstanceOf(TimeoutException.class);
            }
            assertThat(lookup.places().takenBy("one")).isEqualTo(share);
            Names.set("other.example", "93.184.215.14");
            assertThat(lookup.addressesOf("other.example", party)).failsWithin(AT_MOST);
            Eventually.that("a refusal", () -> lookup.places().refused(Bound.CALLER) == 1);
            answered.countDown();
            Eventually.that("the party is forgotten", () -> lookup.places().takenBy("one") == 0);
        }
    }

    @Test
    void anAddressIsNotLookedUp() {
        try (var lookup = new HostLookup(AT_MOST)) {
            assertThat(lookup.addressesOf("127.0.0.1", new Party("one", "key")))
                    .isCompletedWithValueMatching(
                            addresses -> addresses.getFirst().isLoopbackAddress());
        }
    }

    @Test
    void whatNobodyKnowsIsSaidSo() {
        Names.set("unknown.example");
        try (var lookup = new HostLookup(AT_MOST)) {
            assertThat(lookup.addressesOf("unknown.example", new Party("one", "key")))
                    .failsWithin(AT_MOST)
                    .withThrowableThat()
                    .withRootCauseInstanceOf(UnknownHostException.class);
        }
    }
}
