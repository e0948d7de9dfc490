package io.bivouac.launcher;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;

/** A container's health check, where there is no curl: ends with 0 when the server of this container answers. */
public final class HealthCheck {
    private static final int USUAL_PORT = 8080;
    private static final Duration PATIENCE = Duration.ofSeconds(4);

    private HealthCheck() {}

    public static void main(String[] arguments) {
        var port = System.getenv().getOrDefault("BIVOUAC_PORT", Integer.toString(USUAL_PORT));
        System.exit(answers("http://127.0.0.1:" + port + "/health") ? 0 : 1);
    }

    static boolean answers(String address) {
        try {
            var connection = (HttpURLConnection) URI.create(address).toURL().openConnection();
            connection.setConnectTimeout((int) PATIENCE.toMillis());
            connection.setReadTimeout((int) PATIENCE.toMillis());
            return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
        } catch (IOException away) {
            System.err.println(address + ": " + away.getMessage());
            return false;
        }
    }
}
