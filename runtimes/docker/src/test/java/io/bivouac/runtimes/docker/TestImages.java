package io.bivouac.runtimes.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.dockerjava.transport.DockerHttpClient;
import com.github.dockerjava.zerodep.ZerodepDockerHttpClient;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/** Images of a few kilobytes around a static busybox, made on the spot: no registry is asked. */
public final class TestImages {
    public static final String FIRST = "bivouac-test:first";
    static final String SECOND = "bivouac-test:second";

    private static final List<String> COMMANDS = List.of(
            "sh", "cat", "echo", "head", "httpd", "id", "ls", "mkdir", "printf", "pwd", "rm", "sleep", "tr", "true",
            "wc");

    private TestImages() {}

    /** Makes, or makes anew, an image that differs from others by its mark. */
    public static synchronized void make(DockerSettings settings, String image, String mark) {
        assumeTrue(TestPrograms.have("busybox", "busybox-static"), "there is no busybox and it cannot be installed");
        var name = image.split(":");
        // By hand: the client library's own command ends the body too early.
        var request = DockerHttpClient.Request.builder()
                .method(DockerHttpClient.Request.Method.POST)
                .path("/images/create?fromSrc=-&repo=" + name[0] + "&tag=" + name[1])
                .body(new ByteArrayInputStream(tree(mark)))
                .build();
        try (var http = new ZerodepDockerHttpClient.Builder()
                        .dockerHost(URI.create(settings.host()))
                        .build();
                var response = http.execute(request)) {
            var answer = new String(response.getBody().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).contains("sha256:");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] tree(String mark) {
        var bytes = new ByteArrayOutputStream();
        try (var tar = new TarArchiveOutputStream(bytes)) {
            var busybox = Files.readAllBytes(TestPrograms.find("busybox").orElseThrow());
            file(tar, "bin/busybox", 0755, busybox);
            for (var command : COMMANDS) {
                var link = new TarArchiveEntry("bin/" + command, TarConstants.LF_SYMLINK);
                link.setLinkName("busybox");
                tar.putArchiveEntry(link);
                tar.closeArchiveEntry();
            }
            file(tar, "etc/passwd", 0644, "root:x:0:0:root:/root:/bin/sh\n".getBytes(StandardCharsets.UTF_8));
            file(tar, "etc/group", 0644, "root:x:0:\n".getBytes(StandardCharsets.UTF_8));
            file(tar, "mark", 0644, mark.getBytes(StandardCharsets.UTF_8));
            var temporary = new TarArchiveEntry("tmp/");
            temporary.setMode(01777);
            tar.putArchiveEntry(temporary);
            tar.closeArchiveEntry();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void file(TarArchiveOutputStream tar, String name, int mode, byte[] content) throws IOException {
        var entry = new TarArchiveEntry(name);
        entry.setMode(mode);
        entry.setSize(content.length);
        tar.putArchiveEntry(entry);
        tar.write(content);
        tar.closeArchiveEntry();
    }
}
