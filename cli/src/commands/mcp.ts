import { once } from 'node:events';
import type { Command } from '../command.js';

declare const BIVOUAC_VERSION: string;

export const mcp: Command = {
  name: 'mcp',
  usage: '',
  summary: 'Serve sandboxes to an AI assistant (MCP over standard input and output)',
  examples: ['claude mcp add bivouac -- bivouac mcp', 'bivouac mcp --context work'],
  async run(context) {
    const { serve } = await import('../mcp/server.js');
    const closed = new AbortController();
    // An assistant ends the program by closing its input.
    process.stdin.once('end', () => closed.abort());
    const ended = await serve(context.client(), BIVOUAC_VERSION);
    const over = AbortSignal.any([context.signal, closed.signal]);
    if (!over.aborted) await once(over, 'abort');
    await ended();
    return 0;
  },
};
