package io.bivouac.fronts.e2b.plane;

import io.bivouac.sandboxio.file.FileEntry;
import io.bivouac.sandboxio.file.FileType;
import io.micronaut.json.tree.JsonNode;
import java.util.LinkedHashMap;

/** Files as E2B's SDKs read them. */
final class Entries {
    private static final int PERMISSIONS = 0777;
    private static final String LETTERS = "rwxrwxrwx";

    private Entries() {}

    static JsonNode of(FileEntry entry) {
        var fields = new LinkedHashMap<String, Object>();
        fields.put("name", entry.name());
        fields.put("type", type(entry.type()));
        fields.put("path", entry.path());
        fields.put("size", entry.size());
        fields.put("mode", entry.mode() & PERMISSIONS);
        fields.put("permissions", permissions(entry));
        fields.put("owner", entry.user());
        fields.put("group", entry.group());
        fields.put("modifiedTime", entry.modifiedAt().toString());
        if (entry.target() != null) {
            fields.put("symlinkTarget", entry.target());
        }
        return Json.of(fields);
    }

    /** A link counts as a file: the SDKs drop entries of any third type. */
    private static String type(FileType type) {
        return type == FileType.FOLDER ? "FILE_TYPE_DIRECTORY" : "FILE_TYPE_FILE";
    }

    private static String permissions(FileEntry entry) {
        var text = new StringBuilder(entry.type() == FileType.FOLDER ? "d" : "-");
        for (int i = 0; i < LETTERS.length(); i++) {
            boolean set = (entry.mode() >> (LETTERS.length() - 1 - i) & 1) == 1;
            text.append(set ? LETTERS.charAt(i) : '-');
        }
        return text.toString();
    }
}
