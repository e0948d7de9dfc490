package io.bivouac.webhooks.sending;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.foundation.fixture.Eventually;
import io.bivouac.foundation.fixture.Names;
import io.bivouac.webhooks.fixture.Messenger;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import org.junit.jupiter.api.Test;

/** A name may mean another address when it is dialled than it meant when the endpoint was made. */
class GuardAtConnectTest {
    private static final String INSIDE = "127.0.0.2";

    @Test
    void aNameThatComesToMeanSomethingInsideIsNotDialled() throws IOException {
        Names.set("rebinding.example", "93.184.215.14");
        var messenger = Messenger.shared();
        var api = messenger.newProject();
        try (var listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getByName(INSIDE), 0));
            listener.configureBlocking(false);
            var url = "https://rebinding.example:" + listener.socket().getLocalPort() + "/";
            var made = api.endpoint(url);
            assertThat(made.status()).as(made.body()).isEqualTo(201);
            Names.set("rebinding.example", INSIDE);
            assertThat(api.endpoint(url).problem()).isEqualTo("400 5004 WEBHOOK_ADDRESS_FORBIDDEN");
            messenger.sandbox(api);
            var error = Eventually.get(
                    "an attempt",
                    () -> api.deliveries(made.text("/id"), "").text("/items/0/attempts/0/error"),
                    text -> text != null);
            assertThat(error).contains("not allowed").doesNotContain(INSIDE);
            assertThat(listener.accept()).as("a connection from inside").isNull();
            api.delete("/api/v1/webhooks/endpoints/" + made.text("/id"));
        }
    }
}
