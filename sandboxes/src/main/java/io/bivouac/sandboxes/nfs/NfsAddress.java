package io.bivouac.sandboxes.nfs;

/**
 * Where a workspace can be mounted.
 *
 * @param path what follows the host's name: the sandbox's id, and beyond the loopback address its token
 * @param secret whether whoever knows the path can mount it
 */
public record NfsAddress(String host, int port, String path, String options, boolean secret) {
    /**
     * Without locks, which the server does not have. Attributes are believed for a second: else what is made inside the
     * sandbox could stay unseen for half a minute.
     */
    static NfsAddress embedded(String host, int port, String path, boolean secret) {
        var options = "vers=3,nolock,proto=tcp,port=" + port + ",mountport=" + port + ",actimeo=1";
        return new NfsAddress(host, port, path, options, secret);
    }

    static NfsAddress system(String host, int port, String path) {
        return new NfsAddress(host, port, path, "actimeo=1", false);
    }

    /** Runs as it is, as root. */
    public String mountCommand() {
        var server = host.contains(":") ? "[" + host + "]" : host;
        return "mount -t nfs -o " + options + " " + server + ":" + path + " /mnt";
    }
}
