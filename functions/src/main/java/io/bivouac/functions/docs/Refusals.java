package io.bivouac.functions.docs;

import io.bivouac.http.Refuses;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.context.BeanContext;
import io.micronaut.http.annotation.Controller;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.swagger.v3.oas.annotations.Operation;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Finds the errors that operations name themselves, by {@link Refuses}. */
final class Refusals {
    private Refusals() {}

    static Map<String, Set<ErrorCode>> byOperation(BeanContext beans) {
        var found = new HashMap<String, Set<ErrorCode>>();
        for (var controller : beans.getBeanDefinitions(Qualifiers.byStereotype(Controller.class))) {
            for (var method : controller.getExecutableMethods()) {
                // By reflection: the framework's own metadata leaves the annotations of descriptions out.
                var refuses = method.getTargetMethod().getAnnotation(Refuses.class);
                var operation = method.getTargetMethod().getAnnotation(Operation.class);
                if (refuses != null && operation != null) {
                    found.computeIfAbsent(operation.operationId(), _ -> EnumSet.noneOf(ErrorCode.class))
                            .addAll(Arrays.asList(refuses.value()));
                }
            }
        }
        return found;
    }
}
