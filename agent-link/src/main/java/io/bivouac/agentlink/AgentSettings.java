package io.bivouac.agentlink;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.annotation.Nullable;
import java.nio.file.Path;
import java.time.Duration;

/** Where agents reach the relay, and how long they may be silent. */
@ConfigurationProperties("bivouac.agent")
public class AgentSettings {
    private @Nullable Path socketFolder;
    private @Nullable Integer port;
    private String host = "0.0.0.0";
    private @Nullable Path certificate;
    private @Nullable Path key;
    private Duration heartbeatEvery = Duration.ofSeconds(30);
    private Duration heartbeatTimeout = Duration.ofSeconds(90);
    private Duration returnTimeout = Duration.ofSeconds(30);
    private Duration pingTimeout = Duration.ofSeconds(2);
    private Duration waitForAgent = Duration.ofSeconds(2);

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

    /** PEM, for the TLS port. */
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
