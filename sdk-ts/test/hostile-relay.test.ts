import { WebSocket } from 'ws';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { WorkspaceClient, type Sandbox, type Terminal } from '../src/index.js';
import { HostKeyChangedError, memoryPins, NotOwnerError, sealed, SealKey, TamperedError } from '../src/sealed/index.js';
import { HostileRelay, SEALED_UP, sealedOnly } from './harness/hostile-relay.js';
import { newProjectKey, url } from './harness/shared.js';

let real: Sandbox;
let key: string;
let relay: HostileRelay;
/** The sandbox as the victim reaches it. */
let sandbox: Sandbox;

beforeAll(async () => {
  key = await newProjectKey();
  real = await new WorkspaceClient({ apiUrl: url, apiKey: key }).sandbox.create({ template: 'default' });
});
afterAll(() => real.delete());
beforeEach(async () => {
  relay = await HostileRelay.before(url);
  sandbox = new WorkspaceClient({ apiUrl: relay.url, apiKey: key, retries: 0 }).sandbox.reference(real.id);
});
afterEach(async () => {
  await relay.close();
  // A caller may have only so many terminals, and one that is being ended still counts.
  const left = async (): Promise<string[]> => (await real.pty.list()).items.filter(({ status }) => status !== 'terminated').map(({ id }) => id);
  for (const id of await left()) await real.pty.kill(id);
  await expect.poll(left, { timeout: 60_000, interval: 100 }).toEqual([]);
});

const SECRET = 'the-secret-of-this-terminal';

/** A shell that has said its first words. */
async function open(): Promise<Terminal> {
  const terminal = await sandbox.terminal({ sealed: sealed({ pins: memoryPins() }), command: ['sh'] });
  await terminal.write('echo hello-$((1+1))\n');
  await until(terminal, 'hello-2');
  return terminal;
}

async function until(terminal: Terminal, wanted: string, before = ''): Promise<string> {
  let text = before;
  while (!text.includes(wanted)) {
    const bytes = await terminal.read();
    if (bytes === undefined) throw new Error(`The terminal ended before ${wanted}: ${text}`);
    text += Buffer.from(bytes).toString();
  }
  return text;
}

/** Types a line whose output passes the relay, and reads until the terminal fails. */
async function failure(terminal: Terminal): Promise<unknown> {
  await terminal.write('for i in 1 2 3 4 5 6; do echo line-$i; sleep 0.2; done\n');
  try {
    await until(terminal, 'never-said');
  } catch (thrown) {
    return thrown;
  }
  return undefined;
}

test('it reads everything, and knows nothing', async () => {
  const terminal = await open();
  await terminal.write(`echo ${SECRET}\n`);
  await until(terminal, `${SECRET}\r\n`);
  expect(relay.seen.length).toBeGreaterThan(8);
  expect(relay.saw(SECRET)).toBe(false);
  expect(relay.saw('hello-2')).toBe(false);
});

test('the same words in a clear terminal would be read', async () => {
  const terminal = await sandbox.terminal({ command: ['sh'] });
  await terminal.write(`echo ${SECRET}\n`);
  await until(terminal, `${SECRET}\r\n`);
  expect(relay.saw(SECRET)).toBe(true);
  terminal.close();
});

const attacksOnOutput: Record<string, () => void> = {
  'it alters': () => {
    relay.fromServer = sealedOnly(true, (frame) => {
      const changed = Buffer.from(frame);
      changed[12] = (changed[12] ?? 0) ^ 4;
      return [changed];
    });
  },
  'it replays': () => {
    relay.fromServer = sealedOnly(true, (frame) => [frame, frame]);
  },
  'it replays under a new number': () => {
    relay.fromServer = sealedOnly(true, (frame, number) => {
      const again = Buffer.from(frame);
      again.writeBigUInt64BE(BigInt(number + 1), 1);
      return [frame, again];
    });
  },
  'it drops': () => {
    let count = 0;
    relay.fromServer = sealedOnly(true, (frame) => (count++ === 1 ? [] : [frame]));
  },
  'it reorders': () => {
    let held: Buffer | undefined;
    relay.fromServer = sealedOnly(true, (frame) => {
      const out = held === undefined ? [] : [frame, held];
      held = held === undefined ? frame : undefined;
      return out;
    });
  },
  'it adds clear output': () => {
    relay.fromServer = sealedOnly(true, (frame) => [Buffer.concat([Buffer.from([1]), Buffer.alloc(8), Buffer.from('forged')]), frame]);
  },
  'it says that the program has ended': () => {
    relay.fromServer = sealedOnly(true, (frame) => [Buffer.concat([Buffer.from([2]), Buffer.alloc(8), Buffer.from('{"exitCode":0}')]), frame]);
  },
};
for (const [name, attack] of Object.entries(attacksOnOutput)) {
  test(`${name} what the sandbox says: the client notices and stops`, async () => {
    const terminal = await open();
    attack();
    const thrown = await failure(terminal);
    expect(thrown).toBeInstanceOf(TamperedError);
    await expect(terminal.wait()).rejects.toBeInstanceOf(TamperedError);
    expect(terminal.state).toBe('closed');
    await expect(terminal.write(SECRET)).rejects.toThrow();
    expect(relay.saw(SECRET)).toBe(false);
  });
}

const attacksOnInput: Record<string, (frame: Buffer, number: number) => Buffer[]> = {
  'it alters': (frame) => {
    const changed = Buffer.from(frame);
    changed[12] = (changed[12] ?? 0) ^ 4;
    return [changed];
  },
  'it replays': (frame) => [frame, frame],
  'it drops': () => [],
  'it types by itself': (frame) => [Buffer.concat([Buffer.from([65]), Buffer.alloc(7), Buffer.from([9]), Buffer.from('echo forged-words\n')]), frame],
};
for (const [name, attack] of Object.entries(attacksOnInput)) {
  test(`${name} what is typed: it is applied once, as it was typed, or not at all`, async () => {
    const terminal = await open();
    let attacks = 0;
    relay.fromClient = sealedOnly(false, (frame, number) => (attacks++ === 0 ? attack(frame, number) : [frame]));
    await terminal.write('echo once-$((40+2))\n');
    await terminal.write('echo done-$((3+4))\n');
    const text = await until(terminal, 'done-7');
    expect(attacks).toBeGreaterThan(0);
    expect(text.match(/once-42/g)).toHaveLength(1);
    expect(text).not.toContain('forged-words\r\n');
  });
}

test('it makes a clear terminal where a sealed one was asked for: nothing is said', async () => {
  relay.request = (path, body) => (path.endsWith('/pty') && body !== '' ? JSON.stringify({ ...(JSON.parse(body) as object), publicKey: null }) : body);
  await expect(open()).rejects.toBeInstanceOf(TamperedError);
  expect(relay.connections).toBe(0);
});

test('it shows another host key than the known one: nothing is said', async () => {
  const pins = memoryPins();
  const first = await sandbox.terminal({ sealed: sealed({ pins }), command: ['sh'] });
  first.close();
  const before = relay.connections;
  relay.answer = (_, body) => body.replace(/"hostKey":"[^"]*"/, `"hostKey":"${SealKey.generate().publicKey}"`);
  await expect(sandbox.terminal({ sealed: sealed({ pins }), command: ['sh'] })).rejects.toBeInstanceOf(HostKeyChangedError);
  expect(relay.connections).toBe(before);
});

test('it shows a host key of its own at the first use: the fingerprint from elsewhere tells', async () => {
  await using trusted = await real.terminal({ sealed: sealed({ pins: memoryPins() }), command: ['sh'] });
  const { hostKeyFingerprint = '' } = await real.pty.get(trusted.id);
  relay.answer = (_, body) => body.replace(/"hostKey":"[^"]*"/, `"hostKey":"${SealKey.generate().publicKey}"`);
  const attempt = sandbox.terminal({ sealed: sealed({ pins: memoryPins(), hostKey: hostKeyFingerprint }), command: ['sh'] });
  await expect(attempt).rejects.toBeInstanceOf(HostKeyChangedError);
});

test('it puts its own key in place of the client\'s: the client finds that it is not the owner', async () => {
  relay.request = (_, body) => body.replace(/"publicKey":"[^"]*"/, `"publicKey":"${SealKey.generate().publicKey}"`);
  await expect(open()).rejects.toBeInstanceOf(NotOwnerError);
});

test('it comes first and lets the client in as its guest: the client finds that it is not the owner', async () => {
  const theirs = sealed({ pins: memoryPins() });
  await using trap = await real.terminal({ sealed: theirs, command: ['sh'] });
  const { hostKey = '' } = await real.pty.get(trap.id);
  let admitted: Promise<void> | undefined;
  relay.request = (_, body) => {
    const { publicKey } = (body === '' ? {} : JSON.parse(body)) as { publicKey?: string };
    if (publicKey !== undefined) admitted = theirs.admit(publicKey, 'driver');
    return body;
  };
  const tickets = await real.pty.ticket(trap.id);
  relay.answer = (path, body) => (path.endsWith('/pty') ? JSON.stringify({ ...(JSON.parse(body) as object), id: trap.id, hostKey, protocols: tickets.protocols }) : body);
  await expect(open()).rejects.toBeInstanceOf(NotOwnerError);
  await admitted;
});

test('it sends the client to another of its terminals: the handshake does not fit', async () => {
  const owner = SealKey.generate();
  await using other = await real.terminal({ sealed: sealed({ key: owner, pins: memoryPins() }), command: ['sh'] });
  const tickets = await real.pty.ticket(other.id);
  relay.answer = (path, body) => (path.endsWith('/pty') ? JSON.stringify({ ...(JSON.parse(body) as object), protocols: tickets.protocols }) : body);
  relay.redirect = (path) => path.replace(/pty-[a-z0-9]+/i, other.id);
  await expect(sandbox.terminal({ sealed: sealed({ key: owner, pins: memoryPins() }), command: ['sh'] })).rejects.toThrow();
});

test('it joins as one more viewer: it is shown nothing', async () => {
  const terminal = await open();
  // With any key of its own, and with the server's full rights.
  await expect(real.terminal({ id: terminal.id, role: 'viewer', sealed: sealed({ pins: memoryPins() }) })).rejects.toBeInstanceOf(NotOwnerError);
  // With the client's own first message, once more.
  const first = relay.seen.find((frame) => frame[0] === SEALED_UP && frame.readBigUInt64BE(1) === 0n);
  const { protocols } = await real.pty.ticket(terminal.id);
  const address = `${url.replace(/^http/, 'ws')}/api/v1/sandboxes/${real.id}/pty/${terminal.id}/ws?role=viewer`;
  const socket = new WebSocket(address, protocols);
  const heard: Buffer[] = [];
  socket.on('message', (data: Buffer) => void heard.push(data));
  await new Promise((resolve) => socket.on('open', resolve));
  socket.send(first ?? '');
  await expect.poll(() => heard.length, { timeout: 30_000 }).toBe(1);
  await terminal.write(`echo ${SECRET}\n`);
  await until(terminal, `${SECRET}\r\n`);
  // The answer to a handshake that it cannot finish is all that it ever hears.
  expect(heard).toHaveLength(1);
  socket.close(1000);
});
