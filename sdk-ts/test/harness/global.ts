import type { TestProject } from 'vitest/node';
import { TestServer } from './server.js';

declare module 'vitest' {
  interface ProvidedContext {
    serverUrl: string;
    serverKey: string;
    keysFile: string;
  }
}

/** One server for all test files that do not kill theirs. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await TestServer.start({ BIVOUAC_WEBHOOK_ALLOW: '127.0.0.0/8' });
  project.provide('serverUrl', server.url);
  project.provide('serverKey', server.key);
  project.provide('keysFile', server.keysFile);
  return () => server.stop();
}
