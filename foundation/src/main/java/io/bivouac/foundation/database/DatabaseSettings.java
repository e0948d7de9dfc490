package io.bivouac.foundation.database;

import io.micronaut.context.annotation.ConfigurationProperties;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;

/** Where the database is. */
@ConfigurationProperties("bivouac.database")
public class DatabaseSettings {
    private String url;
    private int poolSize = 16;

    @NotBlank public String getUrl() {
        return url;
    }

    public void setUrl(String url) {
        this.url = url;
    }

    /** Connections in the pool; locks and LISTEN have their own. */
    @Min(2) @Max(200) public int getPoolSize() {
        return poolSize;
    }

    public void setPoolSize(int poolSize) {
        this.poolSize = poolSize;
    }

    public DatabaseUrl parsed() {
        return DatabaseUrl.parse(url);
    }
}
