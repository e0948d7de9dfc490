import type { WorkspaceClient } from '@bivouac/sdk';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { answered, facts } from './answers.js';
import type { Library } from './unpacking.js';

export function portTools(server: McpServer, client: WorkspaceClient, { z }: Library): void {
  const sandbox = z.string().describe('The id, the name or the beginning of the id');

  server.registerTool(
    'list_ports',
    {
      title: 'List ports',
      description: 'The ports on which programs in a sandbox listen right now.',
      inputSchema: { sandbox },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ sandbox: id }, { signal }) => answered(async () => facts({ ports: (await client.sandbox.reference(id).ports.list({ signal })).items })),
  );

  server.registerTool(
    'port_link',
    {
      title: 'Make a link to a port',
      description: 'A URL by which a browser reaches a port of a sandbox. Whoever has the link may use the port until it expires.',
      inputSchema: {
        sandbox,
        port: z.number().int().min(1).max(65535),
        expiresInSeconds: z.number().int().positive().optional().describe('3600 when absent; seven days at most'),
      },
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    },
    ({ sandbox: id, port, expiresInSeconds }, { signal }) =>
      answered(async () => {
        const params = expiresInSeconds === undefined ? {} : { expiresInSeconds };
        return facts({ ...(await client.sandbox.reference(id).ports.link(port, params, { signal })) });
      }),
  );
}
