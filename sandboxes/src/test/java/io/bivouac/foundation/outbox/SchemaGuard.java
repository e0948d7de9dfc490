package io.bivouac.foundation.outbox;

import com.networknt.schema.SpecificationVersion;
import io.bivouac.foundation.fixture.EventSchemaCheck;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import jakarta.inject.Singleton;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;

/** In tests, of whatever module, no event that its schema does not describe gets into the outbox. */
@Singleton
@Requires(classes = SpecificationVersion.class) // The benchmarks use these fixtures too, without a validator.
class SchemaGuard implements BeanCreatedEventListener<NewEventRows> {
    @Override
    public NewEventRows onCreated(BeanCreatedEvent<NewEventRows> created) {
        var rows = created.getBean();
        return (NewEventRows) Proxy.newProxyInstance(
                NewEventRows.class.getClassLoader(), new Class<?>[] {NewEventRows.class}, (_, method, arguments) -> {
                    if (method.getName().equals("insert")) {
                        for (var row : (List<?>) arguments[0]) {
                            EventSchemaCheck.mustFit(((NewEvent) row).type(), ((NewEvent) row).envelope());
                        }
                    }
                    try {
                        return method.invoke(rows, arguments);
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause();
                    }
                });
    }
}
