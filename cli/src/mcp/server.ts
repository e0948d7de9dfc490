import type { WorkspaceClient } from '@bivouac/sdk';
import { commandTool } from './command-tool.js';
import { fileResources } from './file-resources.js';
import { fileTools } from './file-tools.js';
import { portTools } from './port-tools.js';
import { RunningCommands } from './running-commands.js';
import { sandboxTools } from './sandbox-tools.js';
import { library } from './unpacking.js';

const INSTRUCTIONS =
  'Sandboxes are isolated Linux machines: code that is not trusted runs there and not on the user\'s machine. Create one, write files to /workspace, run commands, and delete it at the end.';

/** Serves at standard input and output. The answer ends that, and the commands that still run. */
export async function serve(client: WorkspaceClient, version: string): Promise<() => Promise<void>> {
  const loaded = await library();
  const running = new RunningCommands();
  const server = new loaded.McpServer({ name: 'bivouac', title: 'Bivouac sandboxes', version }, { instructions: INSTRUCTIONS });
  sandboxTools(server, client, loaded);
  commandTool(server, client, loaded, running);
  fileTools(server, client, loaded);
  portTools(server, client, loaded);
  fileResources(server, client, loaded);
  await server.connect(new loaded.StdioServerTransport());
  return async () => {
    // Closing aborts the calls that are not answered, and so kills their commands.
    await server.close();
    await running.ended();
  };
}
