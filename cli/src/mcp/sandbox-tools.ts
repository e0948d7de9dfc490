import type { WorkspaceClient } from '@bivouac/sdk';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { answered, facts, shown, text } from './answers.js';
import type { Library } from './unpacking.js';

const MOST_LISTED = 100;

export function sandboxTools(server: McpServer, client: WorkspaceClient, { z }: Library): void {
  const sandbox = z.string().describe('The id, the name or the beginning of the id');
  const labels = z.record(z.string(), z.string());

  server.registerTool(
    'create_sandbox',
    {
      title: 'Create a sandbox',
      description: 'Makes an isolated Linux machine and waits until it runs. It has no network but the hosts in allowHosts. Files belong in /workspace. Delete it when it is not needed any more.',
      inputSchema: {
        template: z.string().optional().describe('What to make it from; "default" when absent'),
        name: z.string().optional().describe('A name that stands for the id'),
        timeoutSeconds: z.number().int().optional().describe('How long it lives: 1 to 86400, an hour when absent'),
        envs: z.record(z.string(), z.string()).optional().describe('Environment variables of all its commands'),
        labels: labels.optional(),
        allowHosts: z.array(z.string()).optional().describe('Hosts that it may reach, such as *.example.org:443'),
      },
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    },
    ({ allowHosts, ...given }, { signal }) =>
      answered(async () => {
        const wanted = { ...given, ...(allowHosts === undefined ? {} : { egress: { allow: allowHosts } }) };
        // Absent fields are undefined, which JSON leaves out.
        return facts(shown(await client.sandbox.create(wanted as Parameters<typeof client.sandbox.create>[0], { signal })));
      }),
  );

  server.registerTool(
    'list_sandboxes',
    {
      title: 'List sandboxes',
      description: `The sandboxes of this project, the newest first, ${MOST_LISTED} at most.`,
      inputSchema: {
        state: z.enum(['starting', 'running', 'paused', 'stopping', 'stopped', 'expired', 'error']).optional(),
        labels: labels.optional().describe('All of them must fit'),
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ state, labels: wanted }, { signal }) =>
      answered(async () => {
        const params = { limit: MOST_LISTED, ...(state === undefined ? {} : { state }), ...(wanted === undefined ? {} : { labels: wanted }) };
        const page = await client.sandbox.list(params, { signal });
        return facts({ sandboxes: page.items.map(shown), more: page.nextCursor !== null });
      }),
  );

  server.registerTool(
    'start_sandbox',
    {
      title: 'Start a stopped sandbox',
      description: 'Starts a sandbox that was stopped. Its files are as they were.',
      inputSchema: { sandbox },
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    ({ sandbox: id }, { signal }) => answered(async () => facts(shown(await client.sandbox.start(id, { signal })))),
  );

  server.registerTool(
    'stop_sandbox',
    {
      title: 'Stop a sandbox',
      description: 'Ends all programs of a sandbox. Its files stay, and start_sandbox starts it again.',
      inputSchema: { sandbox },
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ sandbox: id }, { signal }) => answered(async () => facts(shown(await client.sandbox.stop(id, { signal })))),
  );

  server.registerTool(
    'extend_sandbox',
    {
      title: 'Give a sandbox more time',
      description: 'Moves the end of a sandbox ahead, from its present end.',
      inputSchema: { sandbox, seconds: z.number().int().min(1).max(3600) },
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    },
    ({ sandbox: id, seconds }, { signal }) => answered(async () => facts(shown(await client.sandbox.extend(id, seconds, { signal })))),
  );

  server.registerTool(
    'delete_sandbox',
    {
      title: 'Delete a sandbox',
      description: 'Deletes a sandbox with its files, for good, and returns when it is gone.',
      inputSchema: { sandbox, keepWorkspace: z.boolean().optional().describe('Keeps /workspace for a later sandbox') },
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ sandbox: id, keepWorkspace = false }, { signal }) =>
      answered(async () => {
        await client.sandbox.delete(id, { keepWorkspace }, { signal });
        return text(`Sandbox ${id} is gone.`);
      }),
  );

  server.registerTool(
    'list_templates',
    {
      title: 'List templates',
      description: 'The templates that create_sandbox can use.',
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ signal }) => answered(async () => facts({ templates: await client.templates.list({ signal }) })),
  );
}
