# The agent alone, one static program: what an init container or an image volume carries into a sandbox's Pod.
#   docker build -f infra/images/agent.Dockerfile target/package/bivouac-VERSION-linux-x86_64 -t bivouac-agent
FROM scratch
COPY libexec/bivouac-agent /bivouac-agent
USER 65534:65534
ENTRYPOINT ["/bivouac-agent"]
