package io.bivouac.launcher;

import io.micronaut.core.annotation.Nullable;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** Uses a server in all ways until it is told to stop, whatever is killed meanwhile, and keeps account of it. */
final class SoakUser implements Runnable {
    private static final int MOST_SANDBOXES = 3;
    private static final int PAUSE_MILLIS = 20;
    private static final String SANDBOXES = "/api/v1/sandboxes/";

    private final Supplier<Api> api;
    private final SoakLedger ledger;
    private final AtomicBoolean enough;
    private final Random random;
    private final List<String> mine = new ArrayList<>();

    /** One whose agent or supervisor was killed: it is of no further use. */
    private @Nullable String broken;

    /** @param api the server that runs now: it may be another one after each kill */
    SoakUser(Supplier<Api> api, SoakLedger ledger, AtomicBoolean enough, long seed) {
        this.api = api;
        this.ledger = ledger;
        this.enough = enough;
        this.random = new Random(seed);
    }

    @Override
    public void run() {
        try {
            while (!enough.get()) {
                use();
                Thread.sleep(random.nextInt(PAUSE_MILLIS));
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void use() throws InterruptedException {
        if (broken != null) {
            delete(broken);
            broken = null;
        }
        int chance = random.nextInt(20);
        if (mine.isEmpty() || (mine.size() < MOST_SANDBOXES && chance < 4)) {
            create();
            return;
        }
        var id = mine.get(random.nextInt(mine.size()));
        if (chance < 10) {
            command(id, random.nextInt(1_000_000));
        } else if (chance < 13) {
            terminal(id);
        } else if (chance < 15) {
            call(
                    "permission requests",
                    200,
                    () -> api.get()
                            .run(
                                    id,
                                    "bivouac-ask --action soak --resource " + random.nextInt(),
                                    ", \"background\": true"));
        } else if (chance < 17) {
            call("extensions", 200, () -> api.get().extend(id));
        } else {
            delete(id);
        }
    }

    private void create() throws InterruptedException {
        var answer = call("creates", 201, () -> api.get().create());
        if (answer != null) {
            mine.add(text(answer, "id"));
            ledger.alive.add(text(answer, "id"));
        }
    }

    private void command(String id, int number) throws InterruptedException {
        var answer = call("commands", 200, () -> api.get().run(id, "echo $((" + number + " + 1))", ""));
        if (answer != null && !text(answer, "stdout").equals(number + 1 + "\n")) {
            ledger.wrong.add("a command that echoes " + (number + 1) + " was answered " + answer.body());
        }
    }

    /** A terminal that is made, found again and ended. */
    private void terminal(String id) throws InterruptedException {
        var made = call(
                "terminals", 201, () -> api.get().send("POST", SANDBOXES + id + "/pty", "{\"command\": \"exec cat\"}"));
        if (made != null) {
            var path = SANDBOXES + id + "/pty/" + text(made, "id");
            call("terminals looked at", 200, () -> api.get().send("GET", path, ""));
            call("terminals ended", 204, () -> api.get().send("DELETE", path, ""));
        }
    }

    private void delete(String id) throws InterruptedException {
        mine.remove(id);
        // From here on nothing is promised about it, until the answer comes.
        ledger.alive.remove(id);
        if (call("deletes", 204, () -> api.get().delete(id)) != null) {
            ledger.deleted.add(id);
        }
    }

    private interface Call {
        HttpResponse<String> send() throws IOException, InterruptedException;
    }

    /** The answer, when it is the expected one. */
    private HttpResponse<String> call(String kind, int expected, Call call) throws InterruptedException {
        var row = ledger.row(kind);
        row.sent().increment();
        try {
            var answer = call.send();
            if (answer.statusCode() == expected) {
                row.kept().increment();
                return answer;
            }
            row.refused().increment();
            if (answer.statusCode() == 404 || answer.statusCode() == 409) {
                noteBroken(answer);
            }
        } catch (IOException gone) {
            row.cut().increment();
        }
        return null;
    }

    private void noteBroken(HttpResponse<String> answer) {
        mine.stream()
                .filter(id -> answer.request().uri().getPath().contains(id))
                .findFirst()
                .ifPresent(id -> broken = id);
    }

    private static String text(HttpResponse<String> answer, String field) {
        try {
            return Api.text(answer, field);
        } catch (IOException noJson) {
            return "";
        }
    }
}
