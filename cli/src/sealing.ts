import { appendFileSync, chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fingerprint, sealed, SealKey, type PinStore, type TerminalSeal } from '@bivouac/sdk/sealed';
import { configFolder } from './account.js';
import { flag, text, type Context, type Option } from './command.js';

/** What commands that open terminals share. */
export const SEALING: Record<string, Option> = {
  sealed: { type: 'boolean', words: 'encrypt it end to end: not even the server can read it' },
  'host-key': { type: 'string', value: 'FINGERPRINT', words: "the sandbox's host key, when it is known from elsewhere; remembered from then on" },
};

const keyFile = (): string => join(configFolder(), 'seal-key');
const hostsFile = (): string => join(configFolder(), 'known-hosts');

/** Undefined when nobody asked for it. */
export function sealing(context: Context, guestOf?: string): TerminalSeal | undefined {
  const hostKey = text(context, 'host-key');
  if (!flag(context, 'sealed') && hostKey === undefined && guestOf === undefined) return undefined;
  const pins = knownHosts((hostKey) => context.output.note(`bivouac: new host key ${fingerprint(hostKey)}, remembered in ${hostsFile()}`));
  return sealed({ key: ownKey(), pins, ...(hostKey === undefined ? {} : { hostKey }), ...(guestOf === undefined ? {} : { guestOf }) });
}

/** The user's own key; made at its first use, and readable by nobody else. */
export function ownKey(): SealKey {
  const kept = read(keyFile());
  if (kept !== undefined) return SealKey.from(kept.trim());
  const made = SealKey.generate();
  mkdirSync(dirname(keyFile()), { recursive: true, mode: 0o700 });
  const fresh = `${keyFile()}.${process.pid}`;
  writeFileSync(fresh, `${made.secret()}\n`, { mode: 0o600 });
  chmodSync(fresh, 0o600);
  renameSync(fresh, keyFile());
  return made;
}

/** Lines of server, sandbox and key; the last one that names a sandbox holds. */
function knownHosts(told: (hostKey: string) => void): PinStore {
  return {
    get(name) {
      const line = read(hostsFile())
        ?.split('\n')
        .findLast((one) => one.startsWith(`${name} `));
      return line?.slice(name.length + 1).trim();
    },
    put(name, hostKey) {
      mkdirSync(dirname(hostsFile()), { recursive: true, mode: 0o700 });
      appendFileSync(hostsFile(), `${name} ${hostKey}\n`, { mode: 0o600 });
      told(hostKey);
    },
  };
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw failure;
  }
}
