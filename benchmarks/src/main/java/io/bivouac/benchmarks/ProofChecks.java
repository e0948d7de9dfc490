package io.bivouac.benchmarks;

import io.bivouac.foundation.access.BoundToken;
import io.bivouac.identity.PresentedToken;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** How fast proofs are checked, on one thread, beside the mere signature by the JDK. */
final class ProofChecks {
    private static final int COUNT = 5_000;
    private static final double LEAST_PER_SECOND = 2_000;
    private static final String URL = "https://relay.example/-/terminal/sessions";

    private ProofChecks() {}

    static void measure(Table table, BenchmarkGuest guest, Scale scale) throws Exception {
        var token = guest.token();
        var presented = new ArrayList<BoundToken>();
        for (int i = 0; i < scale.of(COUNT); i++) {
            presented.add(new BoundToken(token, List.of(guest.proof("GET", URL, token)), "GET", URL));
        }
        checks(presented);
        double checked = checks(presented);
        double bare = guest.signaturesPerSecond(scale.of(COUNT));
        table.add(
                "proof and token checked, one thread",
                Figure.of("perSecond", checked, "a second"),
                Figure.of("perSecond", bare, "a second").named("ECDSA alone"),
                Figure.amount(checked / bare) + "×",
                new Goal("≥ 2,000 a second", checked >= LEAST_PER_SECOND));
    }

    private static double checks(List<BoundToken> presented) throws GeneralSecurityException {
        long begun = System.nanoTime();
        presented.forEach(token -> PresentedToken.check(token, Instant.now(), true));
        return presented.size() * 1e9 / (System.nanoTime() - begun);
    }
}
