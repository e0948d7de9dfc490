package io.bivouac.sandboxes.nfs;

import io.micronaut.context.annotation.ConfigurationProperties;
import java.util.List;

/** How workspaces are exported. */
@ConfigurationProperties(NfsSettings.PREFIX)
public class NfsSettings {
    static final String PREFIX = "bivouac.nfs-export";
    static final String MODE = PREFIX + ".mode";

    private String mode = "off";
    private String host = "127.0.0.1";
    private String publicHost = "127.0.0.1";
    private int port = 2049;
    private List<String> allow = List.of();
    private boolean async;

    /** {@code off}, {@code embedded} or {@code system}. */
    public String getMode() {
        return mode;
    }

    public void setMode(String mode) {
        this.mode = mode;
    }

    /** The address to listen on. Any but a loopback address asks clients for a token and a privileged port. */
    public String getHost() {
        return host;
    }

    public void setHost(String host) {
        this.host = host;
    }

    /** What mount commands call this host. */
    public String getPublicHost() {
        return publicHost;
    }

    public void setPublicHost(String publicHost) {
        this.publicHost = publicHost;
    }

    /** The first port that is tried, until one was found; that one is kept. */
    public int getPort() {
        return port;
    }

    public void setPort(int port) {
        this.port = port;
    }

    /** Networks that may call; none means this machine alone. */
    public List<String> getAllow() {
        return allow;
    }

    public void setAllow(List<String> allow) {
        this.allow = List.copyOf(allow);
    }

    /** Whether answers may run ahead of the disk: faster with small files, and a power cut loses the last seconds. */
    public boolean isAsync() {
        return async;
    }

    public void setAsync(boolean async) {
        this.async = async;
    }

    boolean beyondLoopback() {
        return !(host.startsWith("127.") || host.equals("::1"));
    }
}
