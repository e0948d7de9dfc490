package io.bivouac.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A server's sandboxes, made and deleted over one connection. Not thread-safe. */
record Sandboxes(Connection connection) {
    static final String PATH = "/api/v1/sandboxes";
    static final String WIDE = "The sandbox may use all processors, as what it is measured beside does.";
    static final String DEFAULT = "{\"template\":\"default\"}";

    private static final Pattern ID = Pattern.compile("sbx-[0-9a-z]{26}");
    private static final int CREATED = 201;
    private static final int GONE = 204;

    /** The answer to a create whose sandbox runs. */
    String create() throws IOException {
        return connection.post(PATH, DEFAULT).mustBe(CREATED).body();
    }

    static String idIn(String answer) {
        var id = ID.matcher(answer);
        if (!id.find()) {
            throw new IllegalStateException("no sandbox in " + answer);
        }
        return id.group();
    }

    String createId() throws IOException {
        return idIn(create());
    }

    /** One that may use the whole machine, as what it is measured beside does. */
    String createWide() throws IOException {
        var processors = Runtime.getRuntime().availableProcessors();
        var body = "{\"template\":\"default\",\"resources\":{\"cpu\":" + processors + "}}";
        return idIn(connection.post(PATH, body).mustBe(CREATED).body());
    }

    List<String> createIds(int count) throws IOException {
        var ids = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            ids.add(createId());
        }
        return ids;
    }

    void delete(String id) throws IOException {
        connection.delete(PATH + "/" + id).mustBe(GONE);
    }

    void deleteAll() throws IOException {
        for (var page = list(); page.contains("sbx-"); page = list()) {
            for (var id : ID.matcher(page)
                    .results()
                    .map(found -> found.group())
                    .distinct()
                    .toList()) {
                delete(id);
            }
        }
    }

    private String list() throws IOException {
        return connection.get(PATH + "?limit=500").mustBe(200).body();
    }
}
