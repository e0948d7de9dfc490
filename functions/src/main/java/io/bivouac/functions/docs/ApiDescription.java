package io.bivouac.functions.docs;

import io.micronaut.context.BeanContext;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.swagger.v3.oas.annotations.Hidden;
import io.swagger.v3.oas.annotations.OpenAPIDefinition;
import io.swagger.v3.oas.annotations.enums.SecuritySchemeType;
import io.swagger.v3.oas.annotations.info.Info;
import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import io.swagger.v3.oas.annotations.security.SecurityScheme;

/** Gives the OpenAPI description of every route that this process serves. */
@OpenAPIDefinition(
        info =
                @Info(
                        title = "Bivouac",
                        version = "1",
                        description =
                                "Isolated Linux sandboxes in milliseconds. Every error is application/problem+json "
                                        + "with a number from one table; see docs/errors.md."),
        security = @SecurityRequirement(name = "key"))
@SecurityScheme(name = "key", type = SecuritySchemeType.HTTP, scheme = "bearer", description = "An API key.")
@Hidden
@Controller
class ApiDescription {
    private final String yaml;

    ApiDescription(BeanContext beans) {
        this.yaml = MergedDescription.fromClasspath(Refusals.byOperation(beans));
    }

    @Get(value = "/openapi.yml", produces = "application/yaml")
    String description() {
        return yaml;
    }
}
