package io.bivouac.sandboxio.gateway;

import io.bivouac.sandboxio.gateway.Entrance.Admitted;
import io.bivouac.sandboxio.gateway.ResponseHead.Door;
import io.bivouac.sandboxio.keepalive.Traffic;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.scheduling.TaskExecutors;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpRequest;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.concurrent.ExecutorService;

/** What every exchange needs. Thread-safe. */
@Singleton
class Gateway {
    private final GatewayAddresses addresses;
    private final Entrance entrance;
    private final BackConnections connections;
    private final OwnAnswers answers;
    private final PreviewLinks links;
    private final Traffic traffic;
    private final ExecutorService threads;

    Gateway(
            GatewayAddresses addresses,
            Entrance entrance,
            BackConnections connections,
            OwnAnswers answers,
            PreviewLinks links,
            Traffic traffic,
            @Named(TaskExecutors.BLOCKING) ExecutorService threads) {
        this.addresses = addresses;
        this.entrance = entrance;
        this.connections = connections;
        this.answers = answers;
        this.links = links;
        this.traffic = traffic;
        this.threads = threads;
    }

    GatewayAddresses addresses() {
        return addresses;
    }

    Entrance entrance() {
        return entrance;
    }

    BackConnections connections() {
        return connections;
    }

    OwnAnswers answers() {
        return answers;
    }

    /** For what may wait, such as a question to the database. */
    ExecutorService threads() {
        return threads;
    }

    /** The console's origin serves nothing of a sandbox to a browser: a page there could use the console's login. */
    void mustFit(Door door, Credentials shown) {
        if (door == Door.MAIN && !shown.byHeader()) {
            throw new BivouacException(
                    ErrorCode.UNAUTHORIZED,
                    "At this port, send the sandbox's token as 'X-Access-Token', or an API key; links are for "
                            + addresses.base() + ".");
        }
    }

    /** A request was let in. */
    void passed(SandboxId sandbox) {
        answers.metrics().passed();
        traffic.passed(sandbox);
    }

    /** Something moves on a connection to the sandbox. */
    void moved(SandboxId sandbox) {
        traffic.passed(sandbox);
    }

    /** The answer to whoever opened a link: where to go without its signature. */
    FullHttpResponse exchanged(HttpRequest request, Route route, Admitted leave, String scheme) {
        if (!addresses.isForBrowsers(request)) {
            // Not here, where the console's cookies are sent too.
            var url = addresses.browserUrl(route);
            var sign = url.contains("?") ? "&" : "?";
            return answers.sendTo(url + sign + PreviewLinks.PARAMETER + "="
                    + links.make(PreviewLinks.Kind.LINK, route.target(), leave.generation(), leave.linkUntil()));
        }
        return answers.sendTo(route.prefix() + route.path(), route, leave, scheme.equals("https"));
    }

    void refused(HttpRequest request, BivouacException refusal) {
        answers.note(request, refusal);
    }
}
