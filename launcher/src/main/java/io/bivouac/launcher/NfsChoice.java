package io.bivouac.launcher;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Whether and to whom workspaces are exported by NFS.
 *
 * @param mode {@code off}, {@code embedded} or {@code system}
 * @param host the address to listen on
 * @param allow CIDRs of clients; none means this machine alone
 */
record NfsChoice(String mode, String host, int port, List<String> allow, boolean async) {
    private static final int LONGEST_PREFIX = 128;

    NfsChoice {
        allow = List.copyOf(allow);
        allow.forEach(NfsChoice::requireNetwork);
        if (mode.equals("embedded") && !isLoopback(host) && allow.isEmpty()) {
            throw new StartRefused(
                    "BIVOUAC_NFS_HOST is %s, which others can reach: say with BIVOUAC_NFS_ALLOW which networks may mount, for example 10.0.0.0/8."
                            .formatted(host));
        }
    }

    static NfsChoice from(SettingSource source) {
        return new NfsChoice(
                source.text("BIVOUAC_NFS").map(NfsChoice::knownMode).orElse("embedded"),
                source.text("BIVOUAC_NFS_HOST").orElse("127.0.0.1"),
                source.number("BIVOUAC_NFS_PORT", LauncherSettings.LARGEST_PORT).orElse(2049),
                source.text("BIVOUAC_NFS_ALLOW").stream()
                        .flatMap(text -> Arrays.stream(text.split(",")))
                        .map(String::strip)
                        .filter(text -> !text.isEmpty())
                        .toList(),
                source.text("BIVOUAC_NFS_ASYNC").map(NfsChoice::yesOrNo).orElse(false));
    }

    /** @param publicUrl whose host is what others call this machine */
    Map<String, Object> properties(String publicUrl) {
        return Map.of(
                "bivouac.nfs-export.mode", mode,
                "bivouac.nfs-export.host", host,
                "bivouac.nfs-export.public-host", publicHost(publicUrl),
                "bivouac.nfs-export.port", port,
                "bivouac.nfs-export.allow", allow,
                "bivouac.nfs-export.async", async);
    }

    private String publicHost(String publicUrl) {
        boolean othersMount =
                mode.equals("system") ? !allow.isEmpty() : address(host).isAnyLocalAddress();
        if (!othersMount) {
            return host;
        }
        var named = URI.create(publicUrl).getHost();
        return named == null ? host : named.replaceAll("[\\[\\]]", "");
    }

    private static String knownMode(String text) {
        return switch (text) {
            case "off", "embedded", "system" -> text;
            default ->
                throw new StartRefused("BIVOUAC_NFS is \"%s\"; it can be off, embedded or system.".formatted(text));
        };
    }

    private static boolean yesOrNo(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new StartRefused("BIVOUAC_NFS_ASYNC is \"%s\"; it can be true or false.".formatted(text));
        };
    }

    private static boolean isLoopback(String host) {
        return address(host).isLoopbackAddress();
    }

    private static InetAddress address(String host) {
        // Only numbers: a name would be looked up, and may have several addresses.
        if (!host.matches("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*")) {
            throw new StartRefused("BIVOUAC_NFS_HOST is \"%s\"; it must be an IP address.".formatted(host));
        }
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new StartRefused("BIVOUAC_NFS_HOST is \"%s\"; it must be an IP address.".formatted(host), e);
        }
    }

    private static void requireNetwork(String text) {
        var parts = text.split("/", -1);
        boolean fits = parts.length <= 2
                && parts[0].matches("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*")
                && (parts.length == 1
                        || (parts[1].matches("\\d{1,3}") && Integer.parseInt(parts[1]) <= LONGEST_PREFIX));
        if (!fits) {
            throw new StartRefused(
                    "BIVOUAC_NFS_ALLOW has \"%s\"; it must be a list of networks such as 10.0.0.0/8,192.0.2.7."
                            .formatted(text));
        }
    }
}
