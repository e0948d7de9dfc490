# The server's image, of the package that ./gradlew package makes:
#   docker build -f infra/images/server.Dockerfile --build-arg BASE=debian:12-slim target/package -t bivouac-server
# BASE is any glibc system of 2.31 or newer, pinned as name@sha256:… where it matters. What PACKAGES names comes from its
# apt; PACKAGES="" takes BASE as it is. CACHES=yes keeps the start-up caches: 190 MB more, and half the time of a start.
ARG BASE=debian:12-slim

FROM ${BASE} AS unpacked
ARG PACKAGE=bivouac-*-linux-x86_64.tar.gz
ARG CACHES=
COPY ${PACKAGE} /package/
# With the times of the jars: the start-up caches are bound to them.
RUN mkdir -p /opt/bivouac /data && tar -xzf /package/*.tar.gz -C /opt/bivouac --strip-components=1 && \
    { [ -n "${CACHES}" ] || rm -f /opt/bivouac/lib/*.aot; } && \
    rm -f /opt/bivouac/install.sh /opt/bivouac/bivouac.service /opt/bivouac/bivouac.yml

FROM ${BASE}
ARG PACKAGES="bubblewrap e2fsprogs ca-certificates"
RUN [ -z "${PACKAGES}" ] || { apt-get update && \
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ${PACKAGES} && \
    rm -rf /var/lib/apt/lists/*; }
COPY --from=unpacked /opt/bivouac /opt/bivouac
COPY --from=unpacked --chown=10001:10001 /data /var/lib/bivouac
# A number that runs the embedded PostgreSQL needs a name.
RUN echo 'bivouac:x:10001:10001::/var/lib/bivouac:/bin/sh' >>/etc/passwd && echo 'bivouac:x:10001:' >>/etc/group
ENV BIVOUAC_HOST=0.0.0.0 BIVOUAC_DATA_DIR=/var/lib/bivouac BIVOUAC_CACHE_DIR=/var/lib/bivouac/cache BIVOUAC_LOG=stdout \
    PATH=/opt/bivouac/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
USER 10001:10001
VOLUME /var/lib/bivouac
EXPOSE 8080 8081 50051
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=6 \
    CMD ["/opt/bivouac/jdk/bin/java", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", "/opt/bivouac/lib/*", "io.bivouac.launcher.HealthCheck"]
ENTRYPOINT ["/opt/bivouac/bin/bivouac-server"]
