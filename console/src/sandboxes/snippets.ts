import type { CreateParams } from '@bivouac/sdk';

/** A word as a shell takes it. */
function quoted(text: string): string {
  return /^[\w@%+=:,./*-]+$/.test(text) && text !== '' ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A create as the command line has it. */
export function createAsCli({ template, name, timeoutSeconds, envs, labels, resources, egress }: CreateParams): string {
  const words = ['bivouac sandbox create'];
  const option = (flag: string, value: string | number | undefined): void => {
    if (value !== undefined && value !== '') words.push(`${flag} ${quoted(String(value))}`);
  };
  option('-T', template);
  option('--name', name);
  option('--timeout', timeoutSeconds === undefined ? undefined : `${timeoutSeconds}s`);
  for (const [key, value] of Object.entries(envs ?? {})) option('-e', `${key}=${value}`);
  for (const [key, value] of Object.entries(labels ?? {})) option('--label', `${key}=${value}`);
  option('--cpu', resources?.cpu);
  option('--memory', resources?.memory);
  option('--disk', resources?.disk);
  for (const host of egress?.allow ?? []) option('--allow-host', host);
  return words.join(' \\\n  ');
}

export function createAsCurl(params: CreateParams): string {
  return [`curl -s ${location.origin}/api/v1/sandboxes`, `-H "Authorization: Bearer $BIVOUAC_API_KEY"`, `-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(params, undefined, 2))}`].join(' \\\n  ');
}

export function createAsTypeScript(params: CreateParams): string {
  const shown = JSON.stringify(params, undefined, 2).replaceAll(/"(\w+)":/g, '$1:');
  return `// npm install ${location.origin}/sdk.tgz
import { Bivouac } from '@bivouac/sdk';

const bivouac = new Bivouac({ apiUrl: '${location.origin}' });
const sandbox = await bivouac.sandbox.create(${shown});
console.log(await sandbox.process.run('uname -a'));`;
}
