package io.bivouac.runtimes.kubernetes;

import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.util.function.Function;

/** The API server and the namespace that sandboxes are in. Thread-safe. */
final class Cluster implements AutoCloseable {
    private static final int CONNECT_MILLIS = 5_000;
    private static final int REQUEST_MILLIS = 20_000;
    private static final int HTTPS = 443;

    private final KubernetesClient client;
    private final String namespace;

    Cluster(KubernetesSettings settings) {
        var config = new ConfigBuilder(configuration(settings))
                .withConnectionTimeout(CONNECT_MILLIS)
                .withRequestTimeout(REQUEST_MILLIS)
                .build();
        var asked = settings.getNamespace() == null ? config.getNamespace() : settings.getNamespace();
        this.namespace = asked == null ? "default" : asked;
        this.client = new KubernetesClientBuilder().withConfig(config).build();
    }

    private static Config configuration(KubernetesSettings settings) {
        if (settings.getConfig() == null) {
            return Config.autoConfigure(settings.getContext());
        }
        try {
            var text = Files.readString(settings.getConfig());
            return Config.fromKubeconfig(settings.getContext() == null ? text : inContext(settings.getContext(), text));
        } catch (IOException unreadable) {
            throw new RuntimeFailure(
                    "BIVOUAC_KUBERNETES_CONFIG cannot be read: " + unreadable.getMessage(), unreadable);
        }
    }

    private static String inContext(String context, String text) {
        var serialization = new KubernetesSerialization();
        var file = serialization.unmarshal(text, io.fabric8.kubernetes.api.model.Config.class);
        file.setCurrentContext(context);
        return serialization.asYaml(file);
    }

    String namespace() {
        return namespace;
    }

    URI address() {
        return URI.create(client.getConfiguration().getMasterUrl());
    }

    int port() {
        return address().getPort() < 0 ? HTTPS : address().getPort();
    }

    KubernetesClient client() {
        return client;
    }

    /** Asks the cluster. What it answers instead, or that it does not, is a sentence for a person. */
    <T> T call(String what, Function<KubernetesClient, T> request) {
        try {
            return request.apply(client);
        } catch (KubernetesClientException failed) {
            throw new RuntimeFailure("Kubernetes could not " + what + ": " + reason(failed), failed);
        }
    }

    static boolean isConflict(KubernetesClientException failed) {
        return failed.getCode() == HttpURLConnection.HTTP_CONFLICT;
    }

    static boolean isGone(KubernetesClientException failed) {
        return failed.getCode() == HttpURLConnection.HTTP_NOT_FOUND;
    }

    private static String reason(KubernetesClientException failed) {
        if (failed.getStatus() != null && failed.getStatus().getMessage() != null) {
            return failed.getStatus().getMessage();
        }
        Throwable deepest = failed;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        return String.valueOf(deepest.getMessage());
    }

    @Override
    public void close() {
        client.close();
    }
}
