package io.bivouac.sessions.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bivouac.agentlink.testing.SolidServer;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.foundation.access.Visitor;
import io.bivouac.sessions.acl.Mode;
import io.bivouac.sessions.acl.Requester;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Pods of a real Solid server that are read over the web. */
class WebPodTest {
    private static Map<String, Object> settings(SolidServer solid, String as) throws Exception {
        var credentials = solid.credentials(as);
        var settings = new HashMap<String, Object>();
        settings.put("bivouac.solid-allow", "127.0.0.0/8,::1");
        settings.put("bivouac.pods", solid.pod("alice"));
        settings.put("bivouac.solid.client.issuer", solid.base());
        settings.put("bivouac.solid.client.id", credentials.id());
        settings.put("bivouac.solid.client.secret", credentials.secret());
        return settings;
    }

    private static Requester requester(SolidServer solid, String name) {
        return new Requester(new Visitor(solid.webId(name), "https://app.example/id", solid.base()), null, false);
    }

    @Test
    void aclsAreReadWithTheRelaysOwnLogin() throws Exception {
        var solid = SolidServer.shared();
        try (var relay = TestRelay.start(settings(solid, "alice"))) {
            var pod = relay.bean(Pods.class).get(null);
            var access = relay.bean(PodAccess.class);
            assertThat(access.modes(pod, "/anything/at/all.txt", requester(solid, "alice")))
                    .containsExactlyInAnyOrder(Mode.READ, Mode.WRITE, Mode.CONTROL);
            assertThat(access.modes(pod, "/anything/at/all.txt", requester(solid, "bob")))
                    .isEmpty();
            var file = Files.writeString(solid.folder("alice").resolve("note.txt"), "hej");
            assertThat(pod.storage().read("/note.txt")).hasValue("hej".getBytes());
            Files.delete(file);
            assertThat(pod.storage().read("/nothing.txt")).isEmpty();
        }
    }

    @Test
    void aPodThatDoesNotLetTheRelayInIsUnreadable() throws Exception {
        var solid = SolidServer.shared();
        try (var relay = TestRelay.start(settings(solid, "bob"))) {
            var pod = relay.bean(Pods.class).get(null);
            assertThatThrownBy(() -> relay.bean(PodAccess.class).modes(pod, "/", requester(solid, "bob")))
                    .isInstanceOf(PodUnreadable.class)
                    .hasMessageContaining("403");
        }
    }
}
