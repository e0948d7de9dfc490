import type { WorkspaceClient } from '@bivouac/sdk';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { answered, facts, text } from './answers.js';
import { BoundedText } from './bounded-text.js';
import type { RunningCommands } from './running-commands.js';
import type { Library } from './unpacking.js';

export function commandTool(server: McpServer, client: WorkspaceClient, { z }: Library, running: RunningCommands): void {
  server.registerTool(
    'run_command',
    {
      title: 'Run a command',
      description:
        'Runs a shell line in a sandbox, in /workspace unless cwd is given, and answers when it has ended. An exit code other than 0 is an answer, no error. Long output is cut in the middle. Servers and other programs that go on belong in the background.',
      inputSchema: {
        sandbox: z.string().describe('The id, the name or the beginning of the id'),
        command: z.string().describe('A line for the shell'),
        cwd: z.string().optional().describe('The folder to run it in'),
        envs: z.record(z.string(), z.string()).optional().describe('Environment variables'),
        stdin: z.string().optional().describe('Text for its standard input'),
        timeoutSeconds: z.number().positive().optional().describe('It is killed after that; 600 when absent'),
        background: z.boolean().optional().describe('Answers at once with a commandId, and the command goes on'),
      },
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    },
    ({ sandbox: id, command, background, timeoutSeconds, ...given }, { signal, _meta, sendNotification }) =>
      answered(async () => {
        const sandbox = client.sandbox.reference(id);
        const timeout = timeoutSeconds === undefined ? {} : { timeout: timeoutSeconds * 1000 };
        // Absent fields are undefined, which JSON leaves out.
        const params = { ...given, ...timeout } as { cwd?: string; envs?: Record<string, string>; stdin?: string; timeout?: number };
        if (background === true) return facts({ commandId: await sandbox.process.start(command, { ...params, signal }) });
        const output = { stdout: new BoundedText(), stderr: new BoundedText() };
        const token = _meta?.progressToken;
        let progress = 0;
        for await (const event of running.read(sandbox, sandbox.process.runStream(command, params), signal)) {
          if (event.type === 'gap') output[event.stream].add(`[${event.to - event.from} bytes were lost]`);
          if (event.type === 'stdout' || event.type === 'stderr') {
            output[event.type].add(event.data);
            progress += event.data.length;
            if (token !== undefined && !signal.aborted) {
              await sendNotification({ method: 'notifications/progress', params: { progressToken: token, progress, message: event.data } });
            }
          }
          if (event.type === 'exit') {
            const { exitCode, durationMs } = event;
            const [stdout, stderr] = [output.stdout.toString(), output.stderr.toString()];
            const truncated = event.truncated || output.stdout.cut || output.stderr.cut;
            const told = [stdout, stderr === '' ? '' : `stderr:\n${stderr}`, `exit code ${exitCode}`].filter((part) => part !== '');
            return { ...text(told.join('\n')), structuredContent: { exitCode, stdout, stderr, truncated, durationMs } };
          }
        }
        throw new Error('The stream ended before the command did.');
      }),
  );
}
