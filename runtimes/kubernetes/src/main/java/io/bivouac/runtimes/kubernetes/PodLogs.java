package io.bivouac.runtimes.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bivouac.sandboxmodel.runtime.LogLine;
import io.bivouac.sandboxmodel.runtime.LogQuery;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;

/** Reads what the agent has written for its Pod; the node keeps it with the time of each line, as long as the Pod is there. */
final class PodLogs {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Cluster cluster;
    private final Pods pods;

    PodLogs(Cluster cluster, Pods pods) {
        this.cluster = cluster;
        this.pods = pods;
    }

    /** The cluster cuts the tail before it looks at times, and knows no latest one, so that is done here. */
    List<LogLine> read(String pod, LogQuery query) {
        var text = cluster.call("read the log of " + pod, _ -> {
            try {
                return pods.at(pod)
                        .inContainer(PodRecipe.CONTAINER)
                        .usingTimestamps()
                        .tailingLines(query.until() == null ? query.tail() : LogQuery.LARGEST_TAIL)
                        .getLog();
            } catch (KubernetesClientException failed) {
                if (Cluster.isGone(failed)) {
                    return "";
                }
                throw failed;
            }
        });
        var lines = text.lines()
                .map(PodLogs::line)
                .filter(line -> query.covers(line.time()))
                .toList();
        return bounded(lines.subList(Math.max(0, lines.size() - query.tail()), lines.size()));
    }

    private static List<LogLine> bounded(List<LogLine> lines) {
        long kept = 0;
        int first = lines.size();
        while (first > 0 && kept + lines.get(first - 1).text().length() <= LogQuery.MOST_BYTES) {
            first--;
            kept += lines.get(first).text().length();
        }
        return List.copyOf(lines.subList(first, lines.size()));
    }

    /** The agent writes JSON lines that name the stream; anything else is the agent's own last words. */
    private static LogLine line(String written) {
        int space = Math.max(0, written.indexOf(' '));
        var text = written.substring(space).strip();
        var time = time(written.substring(0, space), Instant.now());
        try {
            var told = JSON.readTree(text);
            if (told != null && told.hasNonNull("stream") && told.hasNonNull("text")) {
                return new LogLine(
                        time(told.path("time").asText(), time),
                        told.get("stream").asText(),
                        told.get("text").asText());
            }
        } catch (JsonProcessingException notAgentsFormat) {
            return new LogLine(time, "agent", text);
        }
        return new LogLine(time, "agent", text);
    }

    private static Instant time(String text, Instant otherwise) {
        try {
            return Instant.parse(text);
        } catch (DateTimeException none) {
            return otherwise;
        }
    }
}
