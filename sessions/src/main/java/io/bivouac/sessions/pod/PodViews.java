package io.bivouac.sessions.pod;

import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.sandboxmodel.runtime.FolderRights;
import io.bivouac.sandboxmodel.runtime.FolderView;
import io.bivouac.sandboxmodel.runtime.FolderViews;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.bivouac.sessions.acl.Mode;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Shows Pods to the sandboxes of the sessions that they granted, as far as their ACLs go. Thread-safe. */
@Singleton
public class PodViews {
    /** Where a sandbox has the whole Pod. */
    public static final String FOLDER = "/pod";

    /** A relay that takes a little longer than usual does not make sandboxes blind. */
    private static final Duration SLACK = Duration.ofSeconds(5);

    /** What is never shown, and so is no place to work in. The view itself is the guard; this is the clear word. */
    private static final Pattern HIDDEN =
            Pattern.compile("/(\\.secrets|\\.terminal|\\.internal|[^/]*\\.(acl|acr|meta))/", Pattern.CASE_INSENSITIVE);

    /** Folders that a sandbox has of its own. */
    private static final Set<String> SYSTEM = Set.of(
            ".bivouac",
            "bin",
            "boot",
            "dev",
            "etc",
            "home",
            "lib",
            "lib32",
            "lib64",
            "libx32",
            "media",
            "mnt",
            "opt",
            "pod",
            "proc",
            "root",
            "run",
            "sbin",
            "srv",
            "sys",
            "tmp",
            "usr",
            "var");

    private final @Nullable SandboxRuntime runtime;
    private final PodAccess access;
    private final AclOwners owners;
    private final Duration lease;

    PodViews(@Nullable SandboxRuntime runtime, PodAccess access, AclOwners owners, PodSettings settings) {
        this.runtime = runtime;
        this.access = access;
        this.owners = owners;
        this.lease = settings.getUnreadable().plus(settings.getAskEvery()).plus(SLACK);
    }

    /**
     * For a sandbox that is made for the session.
     *
     * @param workdir as the session asked for it
     */
    public PodFiles of(Grant grant, @Nullable String workdir) throws PodUnreadable {
        var folder = grant.pod().storage().folder();
        if (folder.isEmpty()) {
            return absent("the Pod is read over the web");
        }
        var obstacle = obstacle();
        if (obstacle.isPresent()) {
            return absent(obstacle.get());
        }
        var inPod = grant.ask().workdir();
        if (HIDDEN.matcher(inPod).find()) {
            throw new BivouacException(ErrorCode.FORBIDDEN, "No session works in " + inPod + " of a Pod.");
        }
        var places = new HashMap<>(Map.of(FOLDER, "/"));
        String start = null;
        if (inPod.equals("/")) {
            start = FOLDER;
        } else if (isContainer(folder.get(), inPod)) {
            var asked = withoutSlash(workdir == null ? inPod : workdir);
            if (SYSTEM.contains(asked.split("/")[1])) {
                start = FOLDER + withoutSlash(inPod);
            } else {
                places.put(asked, inPod);
            }
        }
        return new PodFiles.Shown(new FolderView(folder.get(), places), rights(grant, folder.get()), start);
    }

    /** Why sandboxes see no folder here, as a clause. */
    private Optional<String> obstacle() {
        if (runtime == null) {
            return Optional.of("this relay makes no sandboxes");
        }
        return runtime.folderViews()
                .map(FolderViews::obstacle)
                .orElseGet(() -> Optional.of("the runtime " + runtime.name() + " shows no folders of its host"));
    }

    /** For a sandbox that was there before. */
    public static PodFiles absent(String why) {
        return new PodFiles.Absent("The Pod's files are not in the sandbox: " + why + ".");
    }

    /** What a running session's sandbox may do from now on; nothing where its sandbox sees no Pod, or is elsewhere. */
    void refresh(SandboxId sandbox, Grant grant) throws PodUnreadable {
        var folder = grant.pod().storage().folder();
        var views = Optional.ofNullable(runtime).flatMap(SandboxRuntime::folderViews);
        if (folder.isPresent() && views.isPresent() && views.get().hasView(sandbox)) {
            views.get().grant(sandbox, rights(grant, folder.get()));
        }
    }

    private FolderRights rights(Grant grant, Path folder) throws PodUnreadable {
        var entries = new HashMap<String, FolderRights.Entry>();
        for (var owner : owners.in(folder)) {
            entry(grant, owner, entries);
        }
        return new FolderRights(lease, grant.within(), entries);
    }

    /** An ACL that cannot be read still is the nearest: those further up do not speak for it. */
    private void entry(Grant grant, String owner, Map<String, FolderRights.Entry> entries) {
        try {
            access.ownModes(grant.pod(), owner, grant.requester())
                    .ifPresent(modes ->
                            entries.put(owner, new FolderRights.Entry(seen(modes.own()), seen(modes.below()))));
        } catch (PodUnreadable | IllegalArgumentException unreadable) {
            entries.put(owner, FolderRights.Entry.NOTHING);
        }
    }

    private static Set<FolderRights.Mode> seen(Set<Mode> modes) {
        var seen = EnumSet.noneOf(FolderRights.Mode.class);
        for (var mode : modes) {
            switch (mode) {
                case READ -> seen.add(FolderRights.Mode.READ);
                case WRITE -> seen.add(FolderRights.Mode.WRITE);
                case APPEND -> seen.add(FolderRights.Mode.APPEND);
                case CONTROL -> {
                    // Who may use the Pod is not said in a sandbox.
                }
            }
        }
        return seen;
    }

    private static boolean isContainer(Path folder, String path) {
        return Files.isDirectory(folder.resolve(path.substring(1)), LinkOption.NOFOLLOW_LINKS);
    }

    private static String withoutSlash(String path) {
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }
}
