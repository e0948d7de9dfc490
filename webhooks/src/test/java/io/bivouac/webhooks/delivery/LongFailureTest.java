package io.bivouac.webhooks.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.foundation.database.DatabaseUrl;
import io.bivouac.foundation.fixture.Eventually;
import io.bivouac.foundation.fixture.TestStack;
import io.bivouac.webhooks.fixture.Messenger;
import io.bivouac.webhooks.fixture.Receiver;
import io.bivouac.webhooks.fixture.Receiver.Reply;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** What days would bring is brought by setting a date back. */
class LongFailureTest {
    private static final String ENDPOINTS = "/api/v1/webhooks/endpoints/";

    private final Messenger messenger = Messenger.shared();

    @Test
    void anEndpointThatFailsForDaysIsDisabledAndOneThatRecoversIsNot() throws SQLException {
        var api = messenger.newProject();
        try (var receiver = new Receiver().answering(500);
                var watcher = new Receiver()) {
            var failing = api.endpoint(receiver.url(), "\"types\":[\"sandbox.created\"]", "\"retry\":\"short\"");
            var path = ENDPOINTS + failing.text("/id");
            api.endpoint(watcher.url(), "\"types\":[\"webhook.disabled\"]");
            messenger.sandbox(api);
            Eventually.that("a first failure", () -> api.get(path).text("/failingSince") != null);
            setBack(failing.text("/id"));
            receiver.answering(200);
            Eventually.that("recovered", () -> {
                messenger.sandbox(api);
                return api.get(path).text("/failingSince") == null;
            });
            assertThat(api.get(path).text("/enabled")).isEqualTo("true");
            receiver.answering(500);
            Eventually.that("failing again", () -> {
                messenger.sandbox(api);
                return api.get(path).text("/failingSince") != null;
            });
            setBack(failing.text("/id"));
            Eventually.that("disabled", () -> {
                messenger.sandbox(api);
                return "failing".equals(api.get(path).text("/disabledReason"));
            });
            Eventually.that("somebody was told", () -> !watcher.received().isEmpty());
            assertThat(watcher.received().getFirst().text()).contains("\"reason\":\"failing\"");
            api.delete(path);
        }
    }

    @Test
    void aFailureThatIsOverAtOnceIsNotHeldAgainstAnEndpoint() {
        var api = messenger.newProject();
        try (var receiver = new Receiver()) {
            receiver.answering(_ -> new Reply(receiver.received().isEmpty() ? 500 : 200, ""));
            var made = api.endpoint(receiver.url(), "\"types\":[\"sandbox.created\"]", "\"retry\":\"short\"");
            var path = ENDPOINTS + made.text("/id");
            messenger.sandbox(api);
            Eventually.that("a failure", () -> api.get(path).text("/failingSince") != null);
            // Nothing else is sent that could be taken for another success.
            Eventually.that("it is over", () -> api.get(path).text("/failingSince") == null);
            assertThat(receiver.received()).hasSize(2);
            api.delete(path);
        }
    }

    private static void setBack(String endpoint) throws SQLException {
        var url = DatabaseUrl.parse(TestStack.get().postgres().url());
        try (var connection = DriverManager.getConnection(url.jdbcUrl(), url.driverProperties());
                var statement = connection.prepareStatement(
                        "UPDATE webhook_endpoints SET failing_since = now() - interval '6 days' WHERE id = ?")) {
            statement.setString(1, endpoint);
            statement.executeUpdate();
        }
    }
}
