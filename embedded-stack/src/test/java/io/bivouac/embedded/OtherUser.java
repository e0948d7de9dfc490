package io.bivouac.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Another user of this machine: nobody, and one that has no name. Only root can become them. */
record OtherUser(int uid) {
    static Stream<OtherUser> all() {
        return PostgresAccount.weAreRoot() ? Stream.of(new OtherUser(65534), new OtherUser(41234)) : Stream.of();
    }

    boolean canRead(Path path) {
        return run("test", "-r", path.toString()) == 0;
    }

    int run(String... command) {
        var line = new ArrayList<>(
                List.of("setpriv", "--reuid=" + uid, "--regid=" + uid, "--clear-groups", "--no-new-privs"));
        line.addAll(List.of(command));
        try {
            return new ProcessBuilder(line).inheritIO().start().waitFor();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
