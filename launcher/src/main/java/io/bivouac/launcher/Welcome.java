package io.bivouac.launcher;

import io.bivouac.launcher.DataFolder.Stored;
import java.util.Map;
import java.util.Optional;

/** The last lines of a start: where everything is, and what to do next. */
final class Welcome {
    private Welcome() {}

    static void print(
            Progress progress,
            LauncherSettings settings,
            DataFolder data,
            ListenAddress address,
            Stored apiKey,
            Optional<String> loginCode,
            Map<String, Optional<String>> readiness,
            long startedNanos) {
        var url = settings.publicUrl().orElse(address.url());
        var keyFile = data.resolve("api-key");
        boolean keyIsStored = settings.apiKey().isEmpty();
        progress.say("");
        progress.say(
                "Bivouac %s %s (%.1f s).",
                ProgramVersion.current(),
                readiness.values().stream().allMatch(Optional::isEmpty) ? "is ready" : "has started, but is not ready",
                (System.nanoTime() - startedNanos) / 1e9);
        readiness.forEach(
                (part, wrong) -> wrong.ifPresent(why -> progress.say("  Not ready        the %s: %s", part, why)));
        progress.say("  Console          %s", url);
        loginCode.ifPresent(
                code -> progress.say("  Log in           %s/login/#%s   (works once, for an hour)", url, code));
        progress.say("  Documentation    %s/docs", url);
        if (!settings.services().isAll()) {
            progress.say("  Services         %s", settings.services());
        }
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
