package io.bivouac.terminalrelay.socket;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.audit.Refusals;
import io.bivouac.terminalrelay.terminal.Client;
import io.bivouac.terminalrelay.terminal.ClientFrames;
import io.bivouac.terminalrelay.terminal.Listening;
import io.bivouac.terminalrelay.terminal.TerminalSettings;
import io.bivouac.terminalrelay.wire.BinaryCodec;
import io.bivouac.terminalrelay.wire.Codec;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpRequestWrapper;
import io.micronaut.http.server.netty.NettyHttpRequest;
import io.micronaut.json.JsonMapper;
import io.micronaut.websocket.WebSocketSession;
import io.netty.channel.ChannelHandlerContext;
import jakarta.inject.Singleton;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes over a WebSocket that the framework has opened. */
@Singleton
public class Upgrade {
    /** What a door's WebSocket may be asked to speak; the ticket beside it is never chosen. */
    public static final String PROTOCOLS = BinaryCodec.NAME + ",bivouac.json";

    private static final Logger LOG = LoggerFactory.getLogger(Upgrade.class);

    private final JsonMapper json;
    private final TerminalSettings settings;
    private final KeyHolders holders;
    private final Refusals refusals;

    Upgrade(JsonMapper json, TerminalSettings settings, KeyHolders holders, Refusals refusals) {
        this.json = json;
        this.settings = settings;
        this.holders = holders;
        this.refusals = refusals;
    }

    public void open(
            HttpRequest<?> request,
            WebSocketSession session,
            Caller caller,
            Function<JsonMapper, Codec> door,
            BiFunction<Client, Codec, Listening> join) {
        var place = placeOf(request);
        boolean binary =
                session.getSubprotocol().filter(BinaryCodec.NAME::equals).isPresent();
        var codec = binary ? new BinaryCodec(json) : door.apply(json);
        var client = new Client(place.channel(), refusalsOf(request, caller));
        holders.admit(caller, place.channel(), client, () -> {
            var frames = new ClientFrames(codec, client, join.apply(client, codec), settings.getPingEvery());
            place.channel().eventLoop().execute(() -> takeOver(place, frames));
        });
    }

    private Consumer<String> refusalsOf(HttpRequest<?> request, Caller caller) {
        var path = request.getPath();
        return why -> refusals.note(caller::project, caller.refusedBy(refusals), "frame.refused", path, why);
    }

    private static void takeOver(ChannelHandlerContext place, ClientFrames frames) {
        var early = place.pipeline().get(EarlyFrames.class);
        if (early == null) {
            // The client has gone already, and all handlers with it.
            frames.leave();
            return;
        }
        try {
            early.makeWayFor(frames, place);
        } catch (Exception failed) {
            LOG.warn("A terminal's WebSocket could not be taken over", failed);
            place.close();
            frames.leave();
        }
    }

    static ChannelHandlerContext placeOf(HttpRequest<?> request) {
        var inner = request;
        while (inner instanceof HttpRequestWrapper<?> wrapper) {
            inner = wrapper.getDelegate();
        }
        return ((NettyHttpRequest<?>) inner).getChannelHandlerContext();
    }
}
