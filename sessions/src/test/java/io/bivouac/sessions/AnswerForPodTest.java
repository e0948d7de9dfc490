package io.bivouac.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.Guest;
import io.bivouac.agentlink.testing.Http;
import io.bivouac.agentlink.testing.PodHouse;
import io.bivouac.agentlink.testing.RealAgent;
import io.bivouac.agentlink.testing.Socket;
import io.bivouac.agentlink.testing.Wait;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Who decides about the questions of sessions that a Pod granted, and what its ACL decides beforehand. */
class AnswerForPodTest {
    private static PodHouse house;
    private static Guest alice;
    private static Guest bob;

    @BeforeAll
    static void start() throws Exception {
        house = PodHouse.start(Map.of());
        alice = house.guest("alice");
        bob = house.guest("bob");
    }

    @AfterAll
    static void stop() {
        house.close();
    }

    /** A session of bob's whose program asks, prints the answer and stays. */
    private static Http.Answer asking(String arguments) throws IOException {
        var line = RealAgent.ask(house.sandbox()) + " --json " + arguments + "; exec cat";
        var made = bob.post(PodHouse.SESSIONS, house.session("command", "sh", "args", List.of("-c", line)));
        assertThat(made.status()).as("%s", made).isEqualTo(201);
        return made;
    }

    private static Socket attached(Http.Answer session) {
        var ticket = session.body().get("protocols").get(1).getStringValue();
        return Socket.open(session.text("wsUrl"), Map.of(), "bivouac.json", ticket);
    }

    private static List<JsonNode> open(Guest guest) {
        try {
            var listed = guest.get(PodHouse.PERMISSIONS + "?state=open");
            assertThat(listed.status()).as("%s", listed).isEqualTo(200);
            return List.copyOf(
                    (java.util.Collection<JsonNode>) toList(listed.body().get("items")));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static List<JsonNode> toList(JsonNode array) {
        var all = new java.util.ArrayList<JsonNode>();
        array.values().forEach(all::add);
        return all;
    }

    private static String question(String resource) {
        var found = new String[1];
        Wait.until(() -> {
            for (var item : open(alice)) {
                if (item.get("resource").getStringValue().equals(resource)) {
                    found[0] = item.get("id").getStringValue();
                }
            }
            return found[0] != null;
        });
        return found[0];
    }

    private static Http.Answer answer(Guest guest, String request, boolean granted) throws IOException {
        return guest.post(PodHouse.PERMISSIONS + "/" + request + "/answer", Map.of("granted", granted));
    }

    @Test
    void whoControlsThePodsTerminalsAnswersFromAnywhere() throws IOException {
        house.letBobIn("");
        try (var socket = attached(asking("--action deploy --resource one"))) {
            var request = question("one");
            assertThat(open(bob)).isEmpty();
            assertThat(open(house.guest("mallory"))).isEmpty();
            assertThat(bob.get(PodHouse.PERMISSIONS + "/" + request).status()).isEqualTo(403);
            // The session's own identity, in its own terminal and at the door; and somebody else.
            socket.send("{\"type\":\"permission_response\",\"requestId\":\"" + request + "\",\"granted\":true}");
            assertThat(socket.awaitMessage("error").get("code").getStringValue())
                    .isEqualTo("FORBIDDEN");
            assertThat(answer(bob, request, true).status()).isEqualTo(403);
            assertThat(answer(house.guest("mallory"), request, true).status()).isEqualTo(403);
            assertThat(alice.get(PodHouse.PERMISSIONS + "/" + request).text("state"))
                    .isEqualTo("open");
            assertThat(answer(alice, request, true).text("state")).isEqualTo("granted");
            socket.awaitText(text -> text.contains("\"granted\":true"));
            assertThat(answer(alice, request, false).status()).isEqualTo(409);
            assertThat(house.acts()).anySatisfy(row -> {
                assertThat(row.action()).isEqualTo("permission.granted");
                assertThat(row.subject()).isEqualTo(request);
                assertThat(row.actor()).isEqualTo(house.webId("alice"));
            });
        }
    }

    @Test
    void whoeverASessionRunsForAnswersItsQuestionsIfTheyHoldThatRight() throws IOException {
        house.letBobIn("");
        house.acl(".terminal", house.rule("bob", "acl:Read, acl:Write, acl:Control", ""));
        try (var socket = attached(asking("--action deploy --resource own"))) {
            var request =
                    socket.awaitMessage("permission_request").get("requestId").getStringValue();
            socket.send("{\"type\":\"permission_response\",\"requestId\":\"" + request + "\",\"granted\":true}");
            socket.awaitText(text -> text.contains("\"granted\":true"));
        }
    }

    @Test
    void aRightThatWasWithdrawnMeanwhileIsNone() throws IOException {
        house.letBobIn("");
        try (var _ = attached(asking("--action deploy --resource later"))) {
            var request = question("later");
            house.acl(".terminal", house.rule("bob", "acl:Read, acl:Write", ""));
            assertThat(answer(alice, request, true).status()).isEqualTo(403);
            assertThat(open(alice)).isEmpty();
        }
    }

    @Test
    void whatTheAclPreAuthorisesNobodyIsAskedFor() throws IOException {
        house.letBobIn("udf:preAuthorize \"Bash npm test\", \"Edit /workspace/*\"");
        try (var socket = attached(asking("--action Bash --resource 'npm test'"))) {
            socket.awaitText(text -> text.contains("\"granted\":true") && text.contains("\"decidedBy\":\"acl\""));
        }
        try (var socket = attached(asking("--action Edit --resource /workspace/src/Main.java"))) {
            socket.awaitText(text -> text.contains("\"granted\":true"));
        }
        assertThat(house.acts()).anySatisfy(row -> {
            assertThat(row.action()).isEqualTo("permission.granted");
            assertThat(row.actor()).isEqualTo("acl");
            assertThat(row.detail()).contains("npm test").contains("ACL of " + PodHouse.POD);
        });
        for (var other : List.of(
                "--action Bash --resource 'npm test; rm -r .'",
                "--action Bash --resource 'npm  test'",
                "--action Write --resource 'npm test'",
                "--action Edit --resource /workspace/../etc/passwd",
                "--action Edit --resource '/workspace/$(id)'")) {
            try (var socket = attached(asking(other + " --timeout 1"))) {
                socket.awaitText(text -> text.contains("\"granted\":false"));
            }
        }
    }
}
