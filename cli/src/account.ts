import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Which server, and with which key. */
export interface Account {
  url: string;
  key: string | undefined;
}

const DEFAULT_URL = 'http://127.0.0.1:8080';

/** Where all that is kept between calls lies. */
export function configFolder(): string {
  return join(process.env.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'bivouac');
}

function file(): string {
  return join(configFolder(), 'account.json');
}

/** What was given wins over the environment, and that over what login kept. */
export function account(given: { url?: string | undefined; key?: string | undefined }): Account {
  const kept = read();
  const url = given.url ?? process.env.BIVOUAC_URL ?? kept?.url ?? DEFAULT_URL;
  const key = given.key ?? process.env.BIVOUAC_API_KEY ?? (kept?.url === url ? kept.key : undefined);
  return { url, key };
}

function read(): Account | undefined {
  try {
    return JSON.parse(readFileSync(file(), 'utf8')) as Account;
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`${file()} cannot be read; log in again with: bivouac login`, { cause: failure });
  }
}

/** Readable by its owner only, and never half written. */
export function keep(account: Account): string {
  mkdirSync(dirname(file()), { recursive: true, mode: 0o700 });
  const fresh = `${file()}.${process.pid}`;
  writeFileSync(fresh, `${JSON.stringify(account)}\n`, { mode: 0o600 });
  chmodSync(fresh, 0o600);
  renameSync(fresh, file());
  return file();
}

export function forget(): void {
  rmSync(file(), { force: true });
}
