package io.bivouac.foundation.database;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;

/** {@code postgresql://user:password@host:port/database}, as people write it, taken apart for JDBC. */
public record DatabaseUrl(String jdbcUrl, String user, String password) {
    /** A database that does not answer must become a clear error, not a thread that hangs. */
    private static final Map<String, String> TIMEOUTS =
            Map.of("connectTimeout", "5", "socketTimeout", "30", "tcpKeepAlive", "true");

    private static final int DEFAULT_PORT = 5432;

    public static DatabaseUrl parse(String url) {
        var uri = parsed(url.strip());
        var scheme = uri.getScheme();
        if ((!"postgresql".equals(scheme) && !"postgres".equals(scheme)) || uri.getHost() == null) {
            throw malformed();
        }
        var login = uri.getRawUserInfo() == null
                ? new String[] {""}
                : uri.getRawUserInfo().split(":", 2);
        int port = uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort();
        var query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        return new DatabaseUrl(
                "jdbc:postgresql://" + uri.getHost() + ":" + port + uri.getRawPath() + query,
                decoded(login[0]),
                login.length > 1 ? decoded(login[1]) : "");
    }

    private static URI parsed(String url) {
        try {
            return new URI(url);
        } catch (URISyntaxException syntax) {
            throw malformed();
        }
    }

    /** Without the URL itself, which holds the password. */
    private static IllegalArgumentException malformed() {
        return new IllegalArgumentException("the database URL must look like"
                + " postgresql://user:password@host:port/database, with special characters percent-encoded");
    }

    /** For a connection outside the pool. */
    public Properties driverProperties() {
        var properties = new Properties();
        properties.putAll(TIMEOUTS);
        properties.setProperty("user", user);
        properties.setProperty("password", password);
        return properties;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return jdbcUrl + " as " + user;
    }
}
