package io.bivouac.webhooks.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.foundation.access.ApiKeys;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.foundation.database.DatabaseUrl;
import io.bivouac.foundation.fixture.Names;
import io.bivouac.foundation.fixture.TestStack;
import io.bivouac.webhooks.fixture.Api;
import io.bivouac.webhooks.fixture.Messenger;
import java.nio.charset.StandardCharsets;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EndpointsTest {
    private static final String ENDPOINTS = "/api/v1/webhooks/endpoints";
    private static final String URL = "https://hooks.example.org/bivouac";

    private final Api api = Messenger.shared().newProject();

    @Test
    void anEndpointIsMadeShownChangedAndDeleted() {
        var made = api.endpoint(URL, "\"types\":[\"sandbox.*\",\"agent.connected\"]", "\"description\":\"mine\"");
        assertThat(made.status()).isEqualTo(201);
        assertThat(made.text("/id")).matches("whe_[0-9a-z]{26}");
        assertThat(made.text("/secret")).startsWith("whsec_");
        assertThat(Base64.getDecoder().decode(made.text("/secret").substring(6)))
                .hasSize(32);
        assertThat(made.text("/enabled")).isEqualTo("true");
        var path = ENDPOINTS + "/" + made.text("/id");
        var shown = api.get(path);
        assertThat(shown.text("/url")).isEqualTo(URL);
        assertThat(shown.text("/types/1")).isEqualTo("agent.connected");
        assertThat(shown.text("/description")).isEqualTo("mine");
        assertThat(shown.body()).doesNotContain("secret");
        var changed = api.patch(
                path,
                "{\"types\":[\"*\"],\"enabled\":false,\"fifo\":true,\"retry\":\"short\",\"rateLimit\":7,\"signing\":\"v1a\"}");
        assertThat(changed.status()).isEqualTo(200);
        assertThat(changed.text("/enabled")).isEqualTo("false");
        assertThat(changed.text("/disabledReason")).isEqualTo("user");
        assertThat(changed.text("/rateLimit")).isEqualTo("7");
        assertThat(changed.text("/publicKey")).startsWith("whpk_");
        assertThat(api.patch(path, "{\"rateLimit\":0,\"enabled\":true}").json("/rateLimit"))
                .isNull();
        assertThat(api.get(ENDPOINTS).text("/items/0/id")).isEqualTo(made.text("/id"));
        assertThat(api.delete(path).status()).isEqualTo(204);
        assertThat(api.get(path).problem()).isEqualTo("404 5001 WEBHOOK_NOT_FOUND");
        assertThat(api.delete(path).problem()).isEqualTo("404 5001 WEBHOOK_NOT_FOUND");
        assertThat(api.get(ENDPOINTS).size("/items")).isZero();
    }

    @Test
    void aNameServerThatDoesNotAnswerIsNoFaultOfTheUrl() {
        var answered = new CountDownLatch(1);
        Names.set("silent.example", "93.184.215.14");
        Names.hold("silent.example", answered);
        try {
            var refused = api.endpoint("http://silent.example/hook");
            assertThat(refused.problem()).isEqualTo("503 9003 UNAVAILABLE");
            assertThat(refused.body()).contains("silent.example cannot be looked up right now");
            // Guarded at each connection, so it may be looked up later.
            assertThat(api.endpoint("https://silent.example/hook").status()).isEqualTo(201);
            assertThat(Messenger.shared()
                            .newProject()
                            .endpoint("https://93.184.215.14/hook")
                            .status())
                    .isEqualTo(201);
        } finally {
            answered.countDown();
        }
    }

    @Test
    void anotherProjectsEndpointIsForbiddenInEveryWay() {
        var path = ENDPOINTS + "/" + api.endpoint(URL).text("/id");
        var stranger = Messenger.shared().newProject();
        assertThat(stranger.get(path).problem()).isEqualTo("403 1002 FORBIDDEN");
        assertThat(stranger.patch(path, "{\"enabled\":false}").problem()).isEqualTo("403 1002 FORBIDDEN");
        assertThat(stranger.delete(path).problem()).isEqualTo("403 1002 FORBIDDEN");
        assertThat(stranger.post(path + "/rotate-secret", "").problem()).isEqualTo("403 1002 FORBIDDEN");
        assertThat(stranger.post(path + "/test", "").problem()).isEqualTo("403 1002 FORBIDDEN");
        assertThat(stranger.get(path + "/deliveries").problem()).isEqualTo("403 1002 FORBIDDEN");
        assertThat(stranger.get(ENDPOINTS).size("/items")).isZero();
        assertThat(api.get(path).text("/enabled")).isEqualTo("true");
        assertThat(api.get(ENDPOINTS + "/nothing").problem()).isEqualTo("404 5001 WEBHOOK_NOT_FOUND");
    }

    @ParameterizedTest
    @CsvSource({
        "http://hooks.example.org/, 5004",
        "http://8.8.8.8/, 5004",
        "https://10.0.0.1/, 5004",
        "https://169.254.169.254/latest/meta-data, 5004",
        "https://[::1]/, 5004",
        "https://[::ffff:10.0.0.1]/, 5004",
        "https://[64:ff9b::a00:1]/, 5004",
        "ftp://hooks.example.org/, 1003",
        "hooks.example.org, 1003",
        "https://user:word@hooks.example.org/, 1003",
        "https://hooks.example.org/#part, 1003",
        "https://hooks.example.org:99999/, 1003",
        "https:///path, 1003",
        "https://a b/, 1003",
        "'', 1003"
    })
    void aUrlThatMayNotBeIsRefused(String url, String code) {
        var refused = api.endpoint(url);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("/code")).isEqualTo(code);
        assertThat(api.get(ENDPOINTS).size("/items")).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"types\":[\"sandbox.exploded\"]",
                "\"types\":[\"sand*\"]",
                "\"types\":[]",
                "\"types\":[null]",
                "\"retry\":\"never\"",
                "\"rateLimit\":-1",
                "\"concurrency\":0",
                "\"signing\":\"v2\"",
                "\"description\":\"a\\u0000b\"",
                "\"description\":\"\\ud800\"",
                "\"events\":[\"sandbox.created\"]"
            })
    void aFieldThatMakesNoSenseIsRefused(String field) {
        assertThat(api.endpoint(URL, field).problem()).isEqualTo("400 1003 INVALID_REQUEST");
        assertThat(api.get(ENDPOINTS).size("/items")).isZero();
    }

    @Test
    void aViewerSeesButChangesNothing() {
        var path = ENDPOINTS + "/" + api.endpoint(URL).text("/id");
        var keys = Messenger.shared().bean(ApiKeys.class);
        var admin = new Caller("key_test", api.project(), Role.ADMIN, false);
        var viewer = new Api(
                api.base(),
                keys.make(admin, "viewer", Role.VIEWER, false).text().value(),
                api.project());
        assertThat(viewer.get(path).status()).isEqualTo(200);
        // Many a URL lets whoever has it write, so a viewer is told its origin and a hash.
        var origin = URL.substring(0, URL.indexOf('/', "https://".length()));
        for (var shown :
                List.of(viewer.get(path).text("/url"), viewer.get(ENDPOINTS).text("/items/0/url"))) {
            assertThat(shown).matches(Pattern.quote(origin) + "/#sha256=[0-9a-f]{12}");
        }
        assertThat(api.get(path).text("/url")).isEqualTo(URL);
        assertThat(viewer.endpoint(URL).problem()).isEqualTo("403 1002 FORBIDDEN");
        assertThat(viewer.delete(path).problem()).isEqualTo("403 1002 FORBIDDEN");
        assertThat(viewer.post(path + "/rotate-secret", "").problem()).isEqualTo("403 1002 FORBIDDEN");
    }

    @Test
    void aRotatedSecretIsAnotherOneAndTheOldOneEndsAfterADay() {
        var made = api.endpoint(URL);
        var rotated = api.post(ENDPOINTS + "/" + made.text("/id") + "/rotate-secret", "");
        assertThat(rotated.status()).isEqualTo(200);
        assertThat(rotated.text("/secret")).startsWith("whsec_").isNotEqualTo(made.text("/secret"));
        assertThat(Instant.parse(rotated.text("/previousSecretUntil")))
                .isBetween(
                        Instant.now().plus(Duration.ofHours(23)), Instant.now().plus(Duration.ofHours(25)));
    }

    @Test
    void aReplacedSecretIsForgottenWhenItsTimeIsOver() throws Exception {
        var path = ENDPOINTS + "/" + api.endpoint(URL).text("/id");
        var rotated = api.post(path + "/rotate-secret", "");
        var database = DatabaseUrl.parse(TestStack.get().postgres().url());
        try (var connection = DriverManager.getConnection(database.jdbcUrl(), database.driverProperties());
                var statement = connection.createStatement()) {
            var own = " WHERE id = '" + rotated.text("/id") + "'";
            statement.execute("UPDATE webhook_endpoints SET previous_until = now() - interval '1 minute'" + own);
            assertThat(api.get(path).json("/previousSecretUntil")).isNull();
            Messenger.shared().bean(Endpoints.class).forgetReplacedSecrets();
            try (var row = statement.executeQuery("SELECT previous_secret, secret FROM webhook_endpoints" + own)) {
                assertThat(row.next()).isTrue();
                assertThat(row.getBytes(1)).isNull();
                assertThat(row.getBytes(2)).isNotEmpty();
            }
        }
        assertThat(api.get(path).text("/enabled")).isEqualTo("true");
    }

    @Test
    void aDisabledEndpointIsNotTested() {
        var path = ENDPOINTS + "/" + api.endpoint(URL, "\"enabled\":false").text("/id");
        assertThat(api.post(path + "/test", "").problem()).isEqualTo("409 1004 CONFLICT");
        assertThat(api.get(path + "/deliveries").size("/items")).isZero();
    }

    @Test
    void theDatabaseHoldsNoSecretThatCouldBeRead() throws Exception {
        var made = api.endpoint(URL, "\"signing\":\"v1a\"");
        var url = DatabaseUrl.parse(TestStack.get().postgres().url());
        try (var connection = DriverManager.getConnection(url.jdbcUrl(), url.driverProperties());
                var statement = connection.prepareStatement("SELECT secret FROM webhook_endpoints WHERE id = ?")) {
            statement.setString(1, made.text("/id"));
            try (var row = statement.executeQuery()) {
                assertThat(row.next()).isTrue();
                var stored = new String(row.getBytes(1), StandardCharsets.ISO_8859_1);
                assertThat(stored)
                        .doesNotContain(made.text("/secret"))
                        .doesNotContain("whsec_")
                        .doesNotContain("whsk_")
                        .doesNotContain(new String(
                                Base64.getDecoder().decode(made.text("/secret").substring(6)),
                                StandardCharsets.ISO_8859_1));
            }
        }
    }

    @Test
    void theLimitOfAProjectHolds() {
        try (var small = Messenger.with(
                java.util.Map.of("bivouac.webhooks.endpoints-per-project", 2, "bivouac.webhooks.dispatch", false))) {
            var project = small.newProject();
            assertThat(project.endpoint(URL).status()).isEqualTo(201);
            var second = project.endpoint(URL);
            assertThat(project.endpoint(URL).problem()).isEqualTo("429 5003 WEBHOOK_LIMIT_EXCEEDED");
            project.delete(ENDPOINTS + "/" + second.text("/id"));
            assertThat(project.endpoint(URL).status()).isEqualTo(201);
        }
    }
}
