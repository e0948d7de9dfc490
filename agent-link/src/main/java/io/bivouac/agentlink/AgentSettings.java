package io.bivouac.agentlink;

import io.bivouac.foundation.settings.OpenFiles;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.annotation.Nullable;
import jakarta.validation.constraints.Positive;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/** Where agents reach the relay, and how long they may be silent. */
@ConfigurationProperties("bivouac.agent")
public class AgentSettings {
    private boolean listen = true;
    private @Nullable Path socketFolder;
    private @Nullable Integer port;
    private String host = "0.0.0.0";
    private @Nullable Path certificate;
    private @Nullable Path key;
    private @Nullable String address;
    private @Nullable Path authorityCertificate;
    private @Nullable Path authorityKey;
    private @Nullable Path authorityFile;
    private int connections = (int) Math.min(8_192, OpenFiles.most() / 3);
    private Duration heartbeatEvery = Duration.ofSeconds(30);
    private Duration heartbeatTimeout = Duration.ofSeconds(90);
    private Duration returnTimeout = Duration.ofSeconds(30);
    private Duration pingTimeout = Duration.ofSeconds(2);
    private Duration waitForAgent = Duration.ofSeconds(2);

    /** Whether agents come here; a process that only calls other relays has none. */
    public boolean isListen() {
        return listen;
    }

    public void setListen(boolean listen) {
        this.listen = listen;
    }

    /** The folder that holds one Unix socket for each relay; without it no Unix socket is opened. */
    @Nullable public Path getSocketFolder() {
        return socketFolder;
    }

    public void setSocketFolder(@Nullable Path socketFolder) {
        this.socketFolder = socketFolder;
    }

    /** The TLS port for agents on other machines; without it there is none. */
    @Nullable public Integer getPort() {
        return port;
    }

    public void setPort(@Nullable Integer port) {
        this.port = port;
    }

    public String getHost() {
        return host;
    }

    public void setHost(String host) {
        this.host = host;
    }

    /** Where agents and other relays dial the TLS port, as {@code host} or {@code host:port}. */
    @Nullable public String getAddress() {
        return address;
    }

    public void setAddress(@Nullable String address) {
        this.address = address;
    }

    /** PEM: the authority of the relays' certificates; without it the installation makes one of its own. */
    @Nullable public Path getAuthorityCertificate() {
        return authorityCertificate;
    }

    public void setAuthorityCertificate(@Nullable Path authorityCertificate) {
        this.authorityCertificate = authorityCertificate;
    }

    /** PEM, not encrypted. */
    @Nullable public Path getAuthorityKey() {
        return authorityKey;
    }

    public void setAuthorityKey(@Nullable Path authorityKey) {
        this.authorityKey = authorityKey;
    }

    /** Where the authority's certificate is written, for agents to know their relays by. */
    @Nullable public Path getAuthorityFile() {
        return authorityFile;
    }

    public void setAuthorityFile(@Nullable Path authorityFile) {
        this.authorityFile = authorityFile;
    }

    /** The name or number that others dial; null when nobody said it. */
    @Nullable String advertisedHost() {
        if (address != null) {
            var text = address.matches(".*:[0-9]+") ? address.substring(0, address.lastIndexOf(':')) : address;
            return text.replace("[", "").replace("]", "");
        }
        return Set.of("0.0.0.0", "::").contains(host) ? null : host;
    }

    /** What others dial, when the TLS port listens at this number; null when nobody said where that is. */
    @Nullable String advertised(int listening) {
        var dialled = advertisedHost();
        if (dialled == null || (address != null && address.matches(".*:[0-9]+"))) {
            return address;
        }
        return (dialled.contains(":") ? "[" + dialled + "]" : dialled) + ":" + listening;
    }

    /** PEM, for the TLS port, instead of one by the installation's authority: for agents only, not among relays. */
    @Nullable public Path getCertificate() {
        return certificate;
    }

    public void setCertificate(@Nullable Path certificate) {
        this.certificate = certificate;
    }

    /** PEM, PKCS #8. */
    @Nullable public Path getKey() {
        return key;
    }

    public void setKey(@Nullable Path key) {
        this.key = key;
    }

    /** How many connections of agents, and of others who get this far, a process has at once. */
    @Positive public int getConnections() {
        return connections;
    }

    public void setConnections(int connections) {
        this.connections = connections;
    }

    public Duration getHeartbeatEvery() {
        return heartbeatEvery;
    }

    public void setHeartbeatEvery(Duration heartbeatEvery) {
        this.heartbeatEvery = heartbeatEvery;
    }

    /** An agent that said nothing for so long is lost. */
    public Duration getHeartbeatTimeout() {
        return heartbeatTimeout;
    }

    public void setHeartbeatTimeout(Duration heartbeatTimeout) {
        this.heartbeatTimeout = heartbeatTimeout;
    }

    /** How long an agent whose connection broke, or whose relay stopped, may take to come back. */
    public Duration getReturnTimeout() {
        return returnTimeout;
    }

    public void setReturnTimeout(Duration returnTimeout) {
        this.returnTimeout = returnTimeout;
    }

    /** How long an agent may take to show that it still holds its place against a second registration. */
    public Duration getPingTimeout() {
        return pingTimeout;
    }

    public void setPingTimeout(Duration pingTimeout) {
        this.pingTimeout = pingTimeout;
    }

    /** How long a request waits for an agent that is just reconnecting. */
    public Duration getWaitForAgent() {
        return waitForAgent;
    }

    public void setWaitForAgent(Duration waitForAgent) {
        this.waitForAgent = waitForAgent;
    }
}
