import { WorkspaceClient, type Sandbox, type Terminal } from '../src/index.js';
import { sealed } from '../src/sealed/index.js';

/** How fast a flood comes and a key comes back, through the same client, in the clear and sealed; printed as JSON. */
const [url = '', key = '', id = '', megabytes = '100', keys = '1000'] = process.argv.slice(2);
const sandbox = new WorkspaceClient({ apiUrl: url, apiKey: key }).sandbox.reference(id);

function open(isSealed: boolean, line: string): Promise<Terminal> {
  return sandbox.terminal({ command: ['sh', '-c', line], ...(isSealed ? { sealed: sealed() } : {}) });
}

async function flood(isSealed: boolean): Promise<number> {
  const terminal = await open(isSealed, `stty raw -echo; read x; head -c ${megabytes}000000 /tmp/flood`);
  await terminal.write('go\n');
  let bytes = 0;
  const begun = performance.now();
  for await (const piece of terminal) bytes += piece.length;
  const seconds = (performance.now() - begun) / 1000;
  if (bytes !== Number(megabytes) * 1e6) throw new Error(`${bytes} bytes came`);
  return bytes / 1e6 / seconds;
}

async function echo(isSealed: boolean): Promise<{ p50: number; p99: number }> {
  const terminal = await open(isSealed, 'stty raw -echo; printf y; exec cat');
  await terminal.read();
  const times: number[] = [];
  for (let i = 0; i < 2 * Number(keys); i++) {
    const begun = performance.now();
    await terminal.write('x');
    await terminal.read();
    // The first half is for the compilers.
    if (i >= Number(keys)) times.push(performance.now() - begun);
  }
  await terminal.kill();
  terminal.close();
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}

async function prepare(into: Sandbox): Promise<void> {
  const line = `yes 'The quick brown fox jumps over the lazy dog, again and again, and then it rests' | head -c ${megabytes}000000 > /tmp/flood`;
  await into.process.run(line, { timeout: 120_000 });
}

await prepare(sandbox);
await flood(false);
await flood(true);
const figures = { clear: 0, sealed: 0 };
// The better of two each, in turn: a pause of the machine meets only one of them.
for (let round = 0; round < 2; round++) {
  figures.clear = Math.max(figures.clear, await flood(false));
  figures.sealed = Math.max(figures.sealed, await flood(true));
}
const echoes = { clear: await echo(false), sealed: await echo(true) };
console.log(JSON.stringify({ floodClear: figures.clear, floodSealed: figures.sealed, echoClear: echoes.clear.p50, echoSealed: echoes.sealed.p50 }));
process.exit(0);
