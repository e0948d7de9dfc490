import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { UsageError } from './command.js';

/** Which server, and with which key. */
export interface Account {
  url: string;
  key: string | undefined;
  /** The context that it is from, if it is one. */
  context?: string | undefined;
  /** Nobody has said which server. */
  assumed?: boolean;
}

/** A server and a key under a name. */
export interface Login {
  name: string;
  url: string;
  key: string;
}

/** What is kept: the login in use, and the others. */
interface Kept {
  name?: string;
  url: string;
  key: string;
  others?: Login[];
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
export function account(given: { url?: string | undefined; key?: string | undefined; context?: string | undefined }): Account {
  const all = logins();
  const name = given.context ?? (given.url === undefined ? filled(process.env.BIVOUAC_CONTEXT) : undefined);
  if (name !== undefined) {
    const { url, key } = named(name, all);
    return { url: given.url ?? url, key: given.key ?? key, context: name };
  }
  const url = given.url ?? filled(process.env.BIVOUAC_URL) ?? all[0]?.url ?? DEFAULT_URL;
  const login = all.find((one) => one.url === url);
  const key = given.key ?? filled(process.env.BIVOUAC_API_KEY) ?? login?.key;
  const assumed = given.url === undefined && process.env.BIVOUAC_URL === undefined && all.length === 0;
  return { url, key, context: key === login?.key ? login?.name : undefined, assumed };
}

/** An empty variable says nothing. */
function filled(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}

/** The one in use first. */
export function logins(): Login[] {
  const kept = read();
  if (kept === undefined) return [];
  return [{ name: kept.name ?? nameOf(kept.url), url: kept.url, key: kept.key }, ...(kept.others ?? [])];
}

/** How a server is called when nobody chose a name. */
export function nameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

function named(name: string, all: Login[]): Login {
  const found = all.find((one) => one.name === name);
  if (found !== undefined) return found;
  const known = all.length === 0 ? 'You are not logged in anywhere.' : `There are ${all.map((one) => one.name).join(', ')}.`;
  throw new UsageError(`There is no context '${name}'. ${known}`);
}

/** Keeps a login and uses it from now on; one of the same name gives way. */
export function keep(login: Login): string {
  return write([login, ...logins().filter((one) => one.name !== login.name)]);
}

export function use(name: string): Login {
  const all = logins();
  const chosen = named(name, all);
  write([chosen, ...all.filter((one) => one !== chosen)]);
  return chosen;
}

/** Forgets a login, the one in use unless a name is given; the next one takes its place. */
export function forget(name?: string): { forgotten: Login | undefined; next: Login | undefined } {
  const all = logins();
  const forgotten = name === undefined ? all[0] : named(name, all);
  const left = all.filter((one) => one !== forgotten);
  if (left.length === 0) rmSync(file(), { force: true });
  else write(left);
  return { forgotten, next: left[0] };
}

function read(): Kept | undefined {
  try {
    return JSON.parse(readFileSync(file(), 'utf8')) as Kept;
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`${file()} cannot be read; log in again with: bivouac login`, { cause: failure });
  }
}

/** Readable by its owner only, and never half written. */
function write([first, ...others]: Login[]): string {
  mkdirSync(dirname(file()), { recursive: true, mode: 0o700 });
  const fresh = `${file()}.${process.pid}`;
  writeFileSync(fresh, `${JSON.stringify({ ...first, ...(others.length === 0 ? {} : { others }) })}\n`, { mode: 0o600 });
  chmodSync(fresh, 0o600);
  renameSync(fresh, file());
  return file();
}
