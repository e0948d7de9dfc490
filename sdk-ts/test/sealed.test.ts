import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { WorkspaceClient, type Sandbox, type Terminal } from '../src/index.js';
import { fingerprint, memoryPins, NotOwnerError, openRecording, sealed, SealKey, TamperedError } from '../src/sealed/index.js';
import { CuttingProxy } from './harness/cutting-proxy.js';
import { newProjectKey, url } from './harness/shared.js';

let sandbox: Sandbox;
let key: string;

beforeAll(async () => {
  key = await newProjectKey();
  sandbox = await new WorkspaceClient({ apiUrl: url, apiKey: key }).sandbox.create({ template: 'default' });
});
afterAll(() => sandbox.delete());
// A caller may have only so many terminals, and one that is being ended still counts.
afterEach(async () => {
  const left = async (): Promise<string[]> => (await sandbox.pty.list()).items.filter(({ status }) => status !== 'terminated').map(({ id }) => id);
  for (const id of await left()) await sandbox.pty.kill(id);
  await expect.poll(left, { timeout: 60_000, interval: 100 }).toEqual([]);
});

/** Reads until the text is there. */
async function until(terminal: Terminal, wanted: string, before = ''): Promise<string> {
  let text = before;
  const decoder = new TextDecoder();
  while (!text.includes(wanted)) {
    const bytes = await terminal.read();
    if (bytes === undefined) throw new Error(`The terminal ended before ${wanted}: ${text}`);
    text += decoder.decode(bytes, { stream: true });
  }
  return text;
}

async function all(terminal: Terminal): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const bytes of terminal) text += decoder.decode(bytes, { stream: true });
  return text;
}

test('a sealed terminal does what a clear one does', async () => {
  const seal = sealed();
  const terminal = await sandbox.terminal({ sealed: seal, command: ['sh'], cols: 100, rows: 30 });
  expect(seal.standing).toBe('owner');
  const shown = await sandbox.pty.get(terminal.id);
  expect(shown).toMatchObject({ sealed: true, hostKey: seal.hostKey, hostKeyFingerprint: seal.fingerprint });
  expect(fingerprint(seal.hostKey ?? '')).toBe(seal.fingerprint);
  await terminal.write('stty size\n');
  await until(terminal, '30 100');
  terminal.resize(132, 50);
  await terminal.write("trap 'echo caught' INT; stty size; (echo asl''eep; exec sleep 1000)\n");
  // Before that the interrupt would meet the shell between two commands.
  expect(await until(terminal, 'asleep')).toContain('50 132');
  await terminal.write('\u0003');
  await until(terminal, 'caught');
  await terminal.write('exit 5\n');
  await all(terminal);
  expect(await terminal.wait()).toEqual({ exitCode: 5 });
});

test('a large output comes whole, with keys that are replaced on the way', async () => {
  const terminal = await sandbox.terminal({ sealed: sealed(), command: ['sh', '-c', 'seq 1 3000000'] });
  let bytes = 0;
  let end = '';
  for await (const piece of terminal) {
    bytes += piece.length;
    end = Buffer.from(piece.subarray(-20)).toString();
  }
  const lines = Array.from({ length: 7 }, (_, digits) => Math.min(9 * 10 ** digits, 3_000_000 - 10 ** digits + 1) * (digits + 3));
  expect(bytes).toBe(lines.reduce((sum, length) => sum + length));
  expect(end.endsWith('3000000\r\n')).toBe(true);
});

test('a connection that is cut again and again shows and types everything once', async () => {
  const proxy = await CuttingProxy.to(url);
  const near = await new WorkspaceClient({ apiUrl: proxy.url, apiKey: key }).sandbox.get(sandbox.id);
  const script = 'i=0; while [ $i -lt 40 ]; do read x; echo "got-$x"; i=$((i+1)); done; exit 3';
  const terminal = await near.terminal({ sealed: sealed(), command: ['sh', '-c', script] });
  let text = '';
  for (let round = 0; round < 40; round++) {
    await terminal.write(`n${round}\n`);
    if (round % 8 === 3) proxy.cut();
    text = await until(terminal, `got-n${round}\r\n`, text);
  }
  text += await all(terminal);
  expect(await terminal.wait()).toEqual({ exitCode: 3 });
  const got = [...text.matchAll(/got-n(\d+)\r\n/g)].map(([, number]) => Number(number));
  expect(got).toEqual(Array.from({ length: 40 }, (_, round) => round));
  expect(proxy.connections).toBeGreaterThan(5);
  await proxy.close();
});

test('who keeps the key comes back to the screen; another key is let in by the owner alone', async () => {
  const mine = SealKey.generate();
  const owner = sealed({ key: mine });
  await using terminal = await sandbox.terminal({ sealed: owner, command: ['sh'] });
  await terminal.write('echo first-words\n');
  await until(terminal, 'first-words\r\n');
  const back = await sandbox.terminal({ id: terminal.id, sealed: sealed({ key: SealKey.from(mine.secret()) }) });
  await until(back, 'first-words');
  back.close();
  const guest = SealKey.generate();
  const visit = (): Promise<Terminal> => sandbox.terminal({ id: terminal.id, role: 'viewer', sealed: sealed({ key: guest, guestOf: mine.publicKey }) });
  await expect(visit()).rejects.toBeInstanceOf(NotOwnerError);
  await owner.admit(guest.publicKey);
  const viewer = await visit();
  await until(viewer, 'first-words');
  await terminal.write('echo later-words\n');
  await until(viewer, 'later-words');
  // Let in, but not told whose guest it is: it does not take the terminal for its own.
  await expect(sandbox.terminal({ id: terminal.id, role: 'viewer', sealed: sealed({ key: guest }) })).rejects.toBeInstanceOf(NotOwnerError);
  await owner.dismiss(guest.publicKey);
  await expect(all(viewer)).rejects.toMatchObject({ name: 'FORBIDDEN' });
  await expect(visit()).rejects.toBeInstanceOf(NotOwnerError);
  await expect(owner.admit('no key')).rejects.toMatchObject({ name: 'REFUSED_BY_HOST' });
});

test('a clear client gets nothing of a sealed terminal, and a sealed one takes no clear terminal', async () => {
  await using terminal = await sandbox.terminal({ sealed: sealed(), command: ['sh'] });
  await terminal.write('echo hidden-words\n');
  await until(terminal, 'hidden-words\r\n');
  const signal = AbortSignal.timeout(3_000);
  await expect(sandbox.terminal({ id: terminal.id, signal })).rejects.toThrow();
  await expect(sandbox.pty.resize(terminal.id, 90, 30)).rejects.toMatchObject({ name: 'CONFLICT' });
  await using clear = await sandbox.terminal({ command: ['sh'] });
  await expect(sandbox.terminal({ id: clear.id, sealed: sealed() })).rejects.toBeInstanceOf(TamperedError);
});

test('a host key is pinned at its first use', async () => {
  const pins = memoryPins();
  await using first = await sandbox.terminal({ sealed: sealed({ pins }), command: ['sh'] });
  const name = `${url} ${sandbox.id}`;
  const kept = (await sandbox.pty.get(first.id)).hostKey ?? '';
  expect(await pins.get(name)).toBe(kept);
  await using again = await sandbox.terminal({ sealed: sealed({ pins, hostKey: fingerprint(kept) }), command: ['sh'] });
  expect(again.state).toBe('open');
  await pins.put(name, SealKey.generate().publicKey);
  await expect(sandbox.terminal({ sealed: sealed({ pins }), command: ['sh'] })).rejects.toMatchObject({ name: 'HOST_KEY_CHANGED', message: expect.stringContaining('started anew') as string });
});

test('a sandbox that was started anew has a new host key, which takes the place of the old one when it is named', async () => {
  const pins = memoryPins();
  const fresh = await new WorkspaceClient({ apiUrl: url, apiKey: key }).sandbox.create({ template: 'default' });
  const before = await fresh.terminal({ sealed: sealed({ pins }), command: ['sh'] });
  const { hostKey: old } = await fresh.pty.get(before.id);
  await fresh.stop();
  await fresh.start();
  await expect(fresh.terminal({ sealed: sealed({ pins }), command: ['sh'] })).rejects.toMatchObject({ name: 'HOST_KEY_CHANGED' });
  const [made] = (await fresh.pty.list()).items.filter(({ hostKey }) => hostKey !== undefined && hostKey !== old);
  const hostKey = made?.hostKey ?? '';
  await using again = await fresh.terminal({ sealed: sealed({ pins, hostKey: fingerprint(hostKey) }), command: ['sh'] });
  expect(again.state).toBe('open');
  expect(await pins.get(`${url} ${fresh.id}`)).toBe(hostKey);
  await fresh.delete();
});

test('a recording of a sealed terminal opens for its owner alone', async () => {
  const owner = SealKey.generate();
  const seal = sealed({ key: owner });
  const terminal = await sandbox.terminal({ sealed: seal, command: ['sh', '-c', 'read x; echo "said $x"; exit 4'], record: true });
  await terminal.write('recorded-words\n');
  await all(terminal);
  const read = async (): Promise<Uint8Array | undefined> => {
    const bytes = await sandbox.pty.recording(terminal.id).catch(() => new Uint8Array(0));
    return bytes.length > 0 && openRecording(bytes, { key: owner, terminal: terminal.id }).complete ? bytes : undefined;
  };
  await expect.poll(read, { timeout: 60_000, interval: 500 }).toBeDefined();
  const bytes = (await read()) ?? new Uint8Array(0);
  expect(Buffer.from(bytes).includes('recorded-words')).toBe(false);
  const opened = openRecording(bytes, { key: owner, terminal: terminal.id, hostKey: seal.hostKey ?? '' });
  expect(opened.text.startsWith('{')).toBe(true);
  expect(opened.text).toContain('said recorded-words');
  const refused = (changed: Uint8Array, options = { key: owner, terminal: terminal.id }): void => {
    expect(() => openRecording(changed, options)).toThrow(TamperedError);
  };
  refused(bytes, { key: SealKey.generate(), terminal: terminal.id });
  refused(bytes, { key: owner, terminal: 'pty-other' });
  refused(bytes.subarray(0, bytes.length - 1));
  const changed = bytes.slice();
  changed[bytes.length - 3] = (changed[bytes.length - 3] ?? 0) ^ 1;
  refused(changed);
  // The second record left out.
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const second = 5 + view.getUint32(1);
  const third = second + 5 + view.getUint32(second + 1);
  refused(Uint8Array.of(...bytes.subarray(0, second), ...bytes.subarray(third)));
});
