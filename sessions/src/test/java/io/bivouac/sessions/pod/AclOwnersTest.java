package io.bivouac.sessions.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AclOwnersTest {
    @TempDir
    Path pod;

    private void put(String path) throws IOException {
        var file = pod.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "");
    }

    @Test
    void everyResourceWithAnAclOfItsOwnIsFoundAndNothingElse() throws Exception {
        put(".acl");
        put("notes/.acl$.ttl");
        put("notes/todo.acl");
        put("notes/todo");
        put("notes/deep/er/list$.ttl");
        put("notes/deep/er/list.acl");
        put("notes/acl");
        put("notes/.acl.txt");
        Files.createDirectories(pod.resolve("notes/folder.acl"));
        Files.createSymbolicLink(pod.resolve("notes/loop"), pod);
        assertThat(new AclOwners().in(pod))
                .containsExactlyInAnyOrder("/", "/notes/", "/notes/todo", "/notes/deep/er/list");
    }

    @Test
    void aPodThatIsNotThereHasNoAnswer() {
        assertThatThrownBy(() -> new AclOwners().in(pod.resolve("none"))).isInstanceOf(PodUnreadable.class);
    }
}
