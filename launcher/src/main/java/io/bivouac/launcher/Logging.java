package io.bivouac.launcher;

/** Sends the JSON log where the operator wants it; must come before the first logger is used. */
final class Logging {
    private Logging() {}

    static void configure(LauncherSettings.LogTarget target, DataFolder data) {
        System.setProperty("bivouac.log.folder", data.resolve("logs").toString());
        System.setProperty(
                "bivouac.log.target",
                switch (target) {
                    case FILE -> "FILE";
                    case STDOUT -> "STDOUT";
                });
    }
}
