import { WorkspaceError } from '../errors/workspace-error.js';

/** Something on the way is not as the two ends sealed it. The terminal is left at once. */
export class TamperedError extends WorkspaceError {
  constructor(what: string, cause?: unknown) {
    super(`The sealed terminal was tampered with on the way: ${what}.`, { code: 0, name: 'TAMPERED' }, { cause });
  }
}

/** The terminal belongs to another key: somebody came first, or it was made for somebody else. */
export class NotOwnerError extends WorkspaceError {
  /** Fingerprints. */
  constructor(key: string, owner: string | undefined) {
    super(
      `This terminal belongs to ${owner ?? 'another key'}, not to our key ${key}. If you made it, somebody between you and the sandbox came first: do not use it.`,
      { code: 0, name: 'NOT_OWNER' },
    );
  }
}

/** The sandbox shows another key than the one that is known of it. */
export class HostKeyChangedError extends WorkspaceError {
  /** Fingerprints. */
  constructor(
    readonly known: string,
    readonly shown: string,
  ) {
    super(
      `The sandbox's host key is ${shown}, but ${known} is known of it. A sandbox that was started anew has a new key: if this one was, open the terminal with the new host key. If not, somebody may be in between; nothing was typed.`,
      { code: 0, name: 'HOST_KEY_CHANGED' },
    );
  }
}

/** The host would not do what was asked of it inside the channel. */
export class RefusedByHostError extends WorkspaceError {
  constructor(message: string) {
    super(message, { code: 0, name: 'REFUSED_BY_HOST' });
  }
}
