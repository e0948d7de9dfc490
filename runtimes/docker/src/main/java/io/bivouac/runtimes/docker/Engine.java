package io.bivouac.runtimes.docker;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.Statistics;
import com.github.dockerjava.core.DefaultDockerClientConfig;
import com.github.dockerjava.core.DockerClientImpl;
import com.github.dockerjava.core.RemoteApiVersion;
import com.github.dockerjava.transport.DockerHttpClient;
import com.github.dockerjava.zerodep.ZerodepDockerHttpClient;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Function;

/** The connection to a Docker engine. */
final class Engine implements Closeable {
    /** What Docker 20.10 speaks, and the first with one-shot statistics; calls name no version of their own. */
    static final String OLDEST_API = "1.41";

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration LONGEST_ANSWER = Duration.ofMinutes(2);
    private static final int CONNECTIONS = 64;

    private final DockerSettings settings;
    private final DefaultDockerClientConfig config;
    private final DockerHttpClient http;
    private final DockerClient client;
    private final DockerClient patient;
    private final ObjectMapper json =
            new ObjectMapper().configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false);

    Engine(DockerSettings settings) {
        this.settings = settings;
        this.config = DefaultDockerClientConfig.createDefaultConfigBuilder()
                .withDockerHost(settings.host())
                .withDockerTlsVerify(false)
                .withApiVersion(RemoteApiVersion.UNKNOWN_VERSION)
                .build();
        this.http = transport(LONGEST_ANSWER);
        this.client = DockerClientImpl.getInstance(config, http);
        this.patient = DockerClientImpl.getInstance(config, transport(Duration.ZERO));
    }

    String host() {
        return settings.host();
    }

    /** Does something with the engine; {@code what} completes "Docker could not …". */
    <T> T call(String what, Function<DockerClient, T> action) {
        try {
            return action.apply(client);
        } catch (RuntimeFailure alreadySaid) {
            throw alreadySaid;
        } catch (RuntimeException failure) {
            throw EngineFailure.of(what, failure);
        }
    }

    /**
     * A client whose answers may stay silent for a long time, such as the output of a quiet command; whoever
     * waits for it sets the bound.
     */
    DockerClient patient() {
        return patient;
    }

    /** One sample at once; the client library knows only the call that takes a second. */
    Statistics sample(String container) {
        var path = "/containers/" + container + "/stats?stream=false&one-shot=true";
        var request = DockerHttpClient.Request.builder()
                .method(DockerHttpClient.Request.Method.GET)
                .path(path)
                .build();
        return call("measure " + container, ignored -> {
            try (var response = http.execute(request)) {
                if (response.getStatusCode() != 200) {
                    throw new NotFoundException("the engine answered " + response.getStatusCode());
                }
                return json.readValue(response.getBody(), Statistics.class);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** Throws when the engine cannot be used, and says why. */
    void check() {
        var socket = settings.socket();
        if (!Files.exists(socket)) {
            throw new RuntimeFailure("There is no Docker engine at " + socket
                    + ": start it (systemctl start docker), or set bivouac.docker.host to its socket.");
        }
        if (!Files.isReadable(socket) || !Files.isWritable(socket)) {
            throw new RuntimeFailure("This user may not use the Docker engine at " + socket
                    + ": add the user to the group that owns the socket (usually docker), or run as root.");
        }
        var version = call("answer at " + socket, docker -> docker.versionCmd().exec());
        if (older(version.getApiVersion(), OLDEST_API)) {
            throw new RuntimeFailure("The Docker engine " + version.getVersion() + " speaks API "
                    + version.getApiVersion() + "; " + OLDEST_API + " (Docker 20.10) or later is needed.");
        }
    }

    static boolean older(String version, String than) {
        return Arrays.compare(numbers(version), numbers(than)) < 0;
    }

    private static int[] numbers(String version) {
        return Arrays.stream(version.split("\\.", -1))
                .mapToInt(Integer::parseInt)
                .toArray();
    }

    private DockerHttpClient transport(Duration longestAnswer) {
        return new ZerodepDockerHttpClient.Builder()
                .dockerHost(config.getDockerHost())
                .maxConnections(CONNECTIONS)
                .connectionTimeout(CONNECT_TIMEOUT)
                .responseTimeout(longestAnswer)
                .build();
    }

    @Override
    public void close() {
        try (patient) {
            client.close();
        } catch (IOException e) {
            throw new IllegalStateException("could not close the connection to Docker", e);
        }
    }
}
