package io.bivouac.sandboxes.warm;

import io.bivouac.sandboxmodel.SandboxId;

/** A running sandbox without an owner. The id is nobody's knowledge before a create takes it. */
public record WarmSandbox(SandboxId id, String template, WaitingAgent agent) {}
