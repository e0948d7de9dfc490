package io.bivouac.launcher;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** Says yes to every permission request that it finds open. */
final class SoakApprover implements Runnable {
    private static final int PAUSE_MILLIS = 300;

    private final Supplier<Api> api;
    private final SoakLedger ledger;
    private final AtomicBoolean enough;

    SoakApprover(Supplier<Api> api, SoakLedger ledger, AtomicBoolean enough) {
        this.api = api;
        this.ledger = ledger;
        this.enough = enough;
    }

    @Override
    public void run() {
        while (!enough.get()) {
            try {
                Thread.sleep(PAUSE_MILLIS);
                answerAll();
            } catch (IOException gone) {
                // The server is being killed; the requests are still there afterwards.
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    void answerAll() throws IOException, InterruptedException {
        var page = api.get().send("GET", "/api/v1/permissions?state=open&limit=100", "");
        if (page.statusCode() != 200) {
            return;
        }
        for (var item : (List<?>) Api.json(page).get("items")) {
            var row = ledger.row("permission answers");
            row.sent().increment();
            try {
                var answer = api.get()
                        .send(
                                "POST",
                                "/api/v1/permissions/" + ((Map<?, ?>) item).get("id") + "/answer",
                                "{\"granted\": true}");
                (answer.statusCode() == 200 ? row.kept() : row.refused()).increment();
            } catch (IOException cut) {
                row.cut().increment();
                throw cut;
            }
        }
    }
}
