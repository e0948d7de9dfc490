package io.bivouac.functions;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.foundation.paging.Page;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Answers stay within their bytes. */
class AnswersTest {
    private static final String SANDBOXES = "/api/v1/sandboxes";

    /** Each of its labels has six bytes a character in JSON: 98,304 in all, and the names. */
    private static final String LARGE = "{\"template\":\"default\",\"labels\":{"
            + IntStream.range(0, 64)
                    .mapToObj(i -> "\"l" + i + "\":\"" + "\\u0001".repeat(256) + "\"")
                    .collect(Collectors.joining(","))
            + "}}";

    private static final int FIT_ON_A_PAGE = Page.LARGEST_BYTES / 100_000;

    private final Client client = TestServer.shared().newProject();

    @Test
    void aPageOfSandboxesEndsByItsBytesAndTheNextGoesOn() {
        var made = new ArrayList<String>();
        for (int i = 0; i < FIT_ON_A_PAGE + 3; i++) {
            made.addFirst(client.post(SANDBOXES, LARGE).text("/id"));
        }
        var listed = pages(SANDBOXES, "id");
        assertThat(listed)
                .hasSizeGreaterThan(1)
                .allSatisfy(page -> assertThat(page).hasSizeBetween(1, FIT_ON_A_PAGE));
        assertThat(listed.stream().flatMap(List::stream)).containsExactlyElementsOf(made);
    }

    @Test
    void aPageOfEventsEndsByItsBytesAndTheNextGoesOn() {
        var id = client.post(SANDBOXES, LARGE).text("/id");
        client.post(SANDBOXES + "/" + id + "/stop", "");
        client.post(SANDBOXES + "/" + id + "/start", "");
        var listed = pages(SANDBOXES + "/" + id + "/events", "sequence");
        assertThat(listed).hasSizeGreaterThan(1);
        var all = listed.stream().flatMap(List::stream).toList();
        assertThat(all)
                .isEqualTo(IntStream.rangeClosed(1, all.size())
                        .mapToObj(Integer::toString)
                        .toList());
    }

    private List<List<String>> pages(String path, String field) {
        var pages = new ArrayList<List<String>>();
        var cursor = "";
        do {
            var page = client.get(path + "?limit=500" + cursor);
            var items = new ArrayList<String>();
            page.json("/items")
                    .values()
                    .forEach(item -> items.add(item.get(field).coerceStringValue()));
            pages.add(items);
            cursor = page.text("/nextCursor") == null ? "" : "&cursor=" + page.text("/nextCursor");
        } while (!cursor.isEmpty());
        return pages;
    }

    @Test
    void anAnswerThatDoesNotFitIsRefusedAndCounted() {
        var small = TestServer.with(Map.of("bivouac.memory.budget", "1MB"));
        try {
            var refused = small.client().get(SANDBOXES);
            assertThat(refused.problem()).isEqualTo("429 9002 RATE_LIMITED");
            assertThat(refused.header("Retry-After")).isEqualTo("1");
            assertThat(small.client().get("/metrics").body())
                    .contains("bivouac_memory_refused_total{cause=\"project\",purpose=\"listing\"} 1.0")
                    .contains("bivouac_memory_held_bytes{purpose=\"listing\"} 0.0");
            assertThat(small.client().get("/api/v1/templates").status()).isEqualTo(200);
        } finally {
            small.stop();
        }
    }

    @Test
    void whatWasHeldForAnAnswerIsGivenBackWhenItWasSent() {
        for (int i = 0; i < 100; i++) {
            assertThat(client.get(SANDBOXES).status()).isEqualTo(200);
        }
        assertThat(client.get("/metrics").body()).contains("bivouac_memory_held_bytes{purpose=\"listing\"} 0.0");
    }
}
