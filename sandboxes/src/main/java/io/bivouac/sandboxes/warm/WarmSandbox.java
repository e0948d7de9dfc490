package io.bivouac.sandboxes.warm;

import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.template.Template;

/** A running sandbox without an owner. The id is nobody's knowledge before a create takes it. */
public record WarmSandbox(SandboxId id, Template template, WaitingAgent agent) {}
