import type { WorkspaceClient } from '@bivouac/sdk';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { explained } from './answers.js';
import { MOST_READ, piece } from './contents.js';
import type { Library } from './unpacking.js';

/** Sandboxes that one listing looks into, and files of each. */
const MOST_SANDBOXES = 10;
const MOST_FILES = 100;

export function uriOf(sandbox: string, path: string): string {
  return `bivouac://${sandbox}${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** Files are resources as well, so that a person can add one to a conversation. */
export function fileResources(server: McpServer, client: WorkspaceClient, { ResourceTemplate }: Library): void {
  const running = async (signal?: AbortSignal) =>
    (await client.sandbox.list({ state: 'running', limit: MOST_SANDBOXES }, signal === undefined ? {} : { signal })).items;
  const template = new ResourceTemplate('bivouac://{sandbox}/{+path}', {
    list: async ({ signal }) => {
      const found = await Promise.all(
        (await running(signal)).map(async (sandbox) => {
          const page = await sandbox.files.list('/workspace', { limit: MOST_FILES }, { signal });
          return page.items
            .filter(({ type }) => type === 'file')
            .map(({ name, path }) => ({ uri: uriOf(sandbox.id, path), name, title: `${name} in ${sandbox.name ?? sandbox.id}` }));
        }),
      );
      return { resources: found.flat() };
    },
    complete: { sandbox: async (begun) => (await running()).map(({ id }) => id).filter((id) => id.startsWith(begun)) },
  });
  server.registerResource(
    'file',
    template,
    { title: 'A file in a sandbox', description: `The path is the whole path, such as workspace/main.py; ${MOST_READ} bytes at most.` },
    async (uri, { sandbox, path }, { signal }) => {
      const file = `/${decodeURIComponent(String(path))}`;
      const read = await piece(client.sandbox.reference(String(sandbox)), file, { offset: 0, length: MOST_READ }, signal).catch((failure: unknown) => {
        throw new Error(explained(failure), { cause: failure });
      });
      if (read.more) throw new Error(`${file} has more than the ${MOST_READ} bytes of a resource. read_file reads it in pieces.`);
      const contents = read.text === undefined ? { mimeType: 'application/octet-stream', blob: read.bytes.toString('base64') } : { mimeType: 'text/plain', text: read.text };
      return { contents: [{ uri: uri.href, ...contents }] };
    },
  );
}
