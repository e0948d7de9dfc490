package io.bivouac.sandboxio.file;

import io.bivouac.agent.v1.FileOrder;
import io.bivouac.agentlink.Agent;
import io.bivouac.sandboxio.file.Transfers.Transfer;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Events of a watched folder on their way out. A reader that stops holds one message here; the agent tells of the rest as missed. */
final class FileWatching extends FileOutflow<Flux<FileEvent>, FileEvent> {
    private boolean asked;

    private FileWatching(Transfer transfer) {
        super(transfer);
    }

    static Mono<Flux<FileEvent>> of(Agent agent, FileOrder.Builder order, Transfer transfer) {
        return new FileWatching(transfer).begin(agent, order);
    }

    @Override
    public void entry(io.bivouac.agent.v1.FileEntry watched) {
        begun(flux());
    }

    @Override
    void pull() {
        synchronized (this) {
            if (asked || room() == 0) {
                return;
            }
            asked = true;
        }
        request();
    }

    @Override
    public void events(List<io.bivouac.agent.v1.FileEvent> events) {
        synchronized (this) {
            asked = false;
            var reader = reader();
            if (reader != null) {
                events.stream().map(FileMessages::event).forEach(reader::next);
            }
        }
        pull();
    }
}
