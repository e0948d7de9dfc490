import type { WorkspaceClient } from '@bivouac/sdk';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { answered, facts, text } from './answers.js';
import { MOST_READ, piece } from './contents.js';
import { uriOf } from './file-resources.js';
import type { Library } from './unpacking.js';

const MOST_LISTED = 500;

export function fileTools(server: McpServer, client: WorkspaceClient, { z }: Library): void {
  const sandbox = z.string().describe('The id, the name or the beginning of the id');
  const path = z.string().describe('Relative paths start in /workspace');

  server.registerTool(
    'read_file',
    {
      title: 'Read a file',
      description: `The text of a file, ${MOST_READ} bytes at most in one answer. Bytes that are no text come as an embedded resource.`,
      inputSchema: {
        sandbox,
        path,
        offset: z.number().int().min(0).optional().describe('The first byte; 0 when absent'),
        length: z.number().int().min(1).max(MOST_READ).optional().describe('How many bytes'),
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ sandbox: id, path: file, offset = 0, length = MOST_READ }, { signal }) =>
      answered(async () => {
        const read = await piece(client.sandbox.reference(id), file, { offset, length }, signal);
        const content = read.text === undefined ? binary(id, file, read.bytes) : text(read.text).content;
        const next = offset + read.bytes.length;
        if (read.more) content.push(...text(`[Bytes ${offset} to ${next}; go on with offset ${next}]`).content);
        return { content };
      }),
  );

  server.registerTool(
    'write_file',
    {
      title: 'Write a file',
      description: 'Writes a whole file at once and makes the folders above it. A file that is there is replaced, unless onlyNew is set.',
      inputSchema: {
        sandbox,
        path,
        text: z.string().optional().describe('The contents as text'),
        base64: z.base64().optional().describe('The contents as base64, in place of text'),
        mode: z.string().optional().describe('Such as 0755'),
        onlyNew: z.boolean().optional().describe('Fails when the file is there'),
      },
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ sandbox: id, path: file, text: given, base64, mode, onlyNew = false }, { signal }) =>
      answered(async () => {
        if ((given === undefined) === (base64 === undefined)) throw new Error('Give either text or base64.');
        const contents = given ?? new Uint8Array(Buffer.from(base64 ?? '', 'base64'));
        const params = { parents: true, onlyNew, ...(mode === undefined ? {} : { mode }) };
        return facts({ ...(await client.sandbox.reference(id).files.write(file, contents, params, { signal })) });
      }),
  );

  server.registerTool(
    'list_files',
    {
      title: 'List files',
      description: `The entries of a folder, ${MOST_LISTED} at most.`,
      inputSchema: {
        sandbox,
        path: path.optional(),
        depth: z.number().int().min(1).optional().describe('How many levels; 1 when absent'),
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ sandbox: id, path: folder = '.', depth = 1 }, { signal }) =>
      answered(async () => {
        const page = await client.sandbox.reference(id).files.list(folder, { depth, limit: MOST_LISTED }, { signal });
        return facts({ files: page.items, more: page.nextCursor !== null });
      }),
  );
}

function binary(sandbox: string, path: string, bytes: Buffer): CallToolResult['content'] {
  const absolute = path.startsWith('/') ? path : `/workspace/${path}`;
  const resource = { uri: uriOf(sandbox, absolute), mimeType: 'application/octet-stream', blob: bytes.toString('base64') };
  return [{ type: 'resource', resource }];
}
