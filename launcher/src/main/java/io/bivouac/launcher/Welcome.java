package io.bivouac.launcher;

import io.bivouac.launcher.DataFolder.Stored;

/** The last lines of a start: where everything is, and what to do next. */
final class Welcome {
    private Welcome() {}

    static void print(
            Progress progress,
            LauncherSettings settings,
            DataFolder data,
            ListenAddress address,
            Stored apiKey,
            long startedNanos) {
        var url = settings.publicUrl().orElse(address.url());
        var keyFile = data.resolve("api-key");
        boolean keyIsStored = settings.apiKey().isEmpty();
        progress.say("");
        progress.say(
                "Bivouac %s is ready (%.1f s).", ProgramVersion.current(), (System.nanoTime() - startedNanos) / 1e9);
        progress.say("  Console          %s", url);
        progress.say("  Documentation    %s/docs", url);
        if (apiKey.fresh()) {
            progress.say("  API key          %s   (shown once; kept in %s)", apiKey.value(), keyFile);
        } else {
            progress.say("  API key          %s", keyIsStored ? "in " + keyFile : "the one in BIVOUAC_API_KEY");
        }
        progress.say("");
        progress.say("Make a sandbox:");
        progress.say(
                "  curl -sS %s/api/v1/sandboxes -H \"Authorization: Bearer %s\" -H 'Content-Type: application/json' -d '{\"template\":\"default\"}'",
                url, keyIsStored ? "$(cat '" + keyFile + "')" : "$BIVOUAC_API_KEY");
    }
}
