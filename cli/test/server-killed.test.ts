import { afterAll, beforeAll, test } from 'vitest';
import { TestServer } from '../../sdk-ts/test/harness/server.js';
import { bivouac, environment as shared } from './bivouac.js';
import { BIVOUAC, Person } from './person.js';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.stop());

test('a shell outlives its server: what was said and typed meanwhile is there when it is back', async () => {
  const environment = (): NodeJS.ProcessEnv => ({ ...shared(), BIVOUAC_URL: server.url, BIVOUAC_API_KEY: server.key });
  const { id } = JSON.parse((await bivouac(['sandbox', 'create', '--json'], { env: environment() })).stdout) as { id: string };
  const person = Person.at('killed', `${BIVOUAC} exec -it ${id} -- sh`, environment());
  await person.sees(/[$#]/);
  person.type('mark=kept; (sleep 1; echo said-while-$((1 + 1))) &', 'Enter');
  await person.sees(/&\n/);
  const restarted = server.restart();
  await person.sees('connection lost');
  person.type('echo "typed-while: $mark"', 'Enter');
  await restarted;
  await person.sees('connected again');
  await person.sees('said-while-2');
  await person.sees('typed-while: kept');
  person.type('exit 6', 'Enter');
  await person.sees('ended with 6');
});
