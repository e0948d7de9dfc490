// Run by Deno, with the package as it is built: a sandbox, a command, its output as it comes, input, a terminal.
import { WorkspaceClient } from '../../dist/index.js';

const [apiUrl, apiKey] = Deno.args;
const client = new WorkspaceClient({ apiUrl, apiKey });
await using sandbox = await client.sandbox.create({ template: 'default' });
console.log((await sandbox.process.run('echo "run $((1 + 1))"')).stdout.trim());
for await (const event of sandbox.process.runStream('echo streamed; exit 3')) {
  if (event.type === 'stdout') console.log(event.data.trim());
  if (event.type === 'exit') console.log('exit', event.exitCode);
}
const attached = await sandbox.process.attach(['cat']);
await attached.write(new TextEncoder().encode('attached'));
attached.end();
for await (const { bytes } of attached) console.log(new TextDecoder().decode(bytes));
const terminal = await sandbox.terminal({ command: ['sh', '-c', 'stty size'], cols: 90, rows: 20 });
let text = '';
for await (const bytes of terminal) text += new TextDecoder().decode(bytes);
console.log(text.trim());
