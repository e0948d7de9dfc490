// Servers that answer badly, and clients that leave at a bad moment.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { ConnectionError, SandboxNotFoundError, WorkspaceClient, type EventStreamState } from '../src/index.js';
import { newProjectKey, url } from './harness/shared.js';

type Answer = (request: IncomingMessage, response: ServerResponse, count: number) => void;

const closing: Array<() => void> = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

/** A server that answers each request as the test says, and every handshake with nothing at all. */
async function serverThat(answer: Answer, handshake?: (socket: Socket) => void): Promise<{ client: WorkspaceClient; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => answer(request, response, requests.push(`${request.method} ${request.url}`)));
  server.on('upgrade', (request, socket) => {
    requests.push(`UPGRADE ${request.url}`);
    handshake?.(socket as Socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { client: new WorkspaceClient({ apiUrl: `http://127.0.0.1:${port}`, apiKey: 'k' }), requests };
}

function problem(response: ServerResponse, status: number, code: number, name: string): void {
  response.writeHead(status, { 'Content-Type': 'application/problem+json' }).end(JSON.stringify({ code, name, detail: name }));
}

function cutInTheMiddle(response: ServerResponse, status = 200): void {
  response.writeHead(status, { 'Content-Length': '1000' });
  response.write('{"id":', () => response.destroy());
}

test('an answer that is cut in the middle is a lost connection, and asked for again', async () => {
  const { client, requests } = await serverThat((_, response, count) => {
    if (count === 1) cutInTheMiddle(response);
    else if (count === 2) cutInTheMiddle(response, 503);
    else response.end('{"id":"sbx-1"}');
  });
  expect((await client.sandbox.get('sbx-1')).id).toBe('sbx-1');
  expect(requests).toHaveLength(3);
});

test('a cut answer to what must not be repeated is told as a lost connection', async () => {
  const { client, requests } = await serverThat((_, response) => cutInTheMiddle(response));
  await expect(client.sandbox.extend('sbx-1', 5)).rejects.toThrow(ConnectionError);
  expect(requests).toHaveLength(1);
});

test('a delete whose answer was lost has succeeded when nothing is left', async () => {
  const { client, requests } = await serverThat((_, response, count) => {
    if (count === 1) response.destroy();
    else problem(response, 404, 2001, 'SANDBOX_NOT_FOUND');
  });
  await client.sandbox.delete('sbx-1');
  expect(requests).toHaveLength(2);
  await expect(client.sandbox.delete('sbx-1')).rejects.toThrow(SandboxNotFoundError);
});

test('a sandbox may be deleted before its scope ends', async () => {
  const client = new WorkspaceClient({ apiUrl: url, apiKey: await newProjectKey() });
  await using sandbox = await client.sandbox.create({ template: 'default' });
  await sandbox.delete();
});

test('the event stream outlives passing trouble, and ends when it is refused', async () => {
  const { client, requests } = await serverThat((_, response, count) => {
    if (count === 1) response.writeHead(502).end('<html>Bad Gateway</html>');
    else if (count === 2) problem(response, 500, 9001, 'INTERNAL');
    else if (count === 3) {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end('id: 1\ndata: {"type":"gap"}\n\n');
    } else problem(response, 401, 1001, 'UNAUTHORIZED');
  });
  const states: EventStreamState[] = [];
  const seen: unknown[] = [];
  const reading = (async () => {
    for await (const event of client.events({ onState: (state) => states.push(state) })) seen.push(event);
  })();
  await expect(reading).rejects.toMatchObject({ code: 1001 });
  expect(seen).toEqual([{ type: 'gap' }]);
  expect(states).toEqual(['live', 'connecting']);
  expect(requests).toHaveLength(4);
});

const made = (_: IncomingMessage, response: ServerResponse): void => {
  response.end(JSON.stringify({ id: 'pty-1', protocols: ['bivouac.terminal.v1', 'bivouac.ticket.x'] }));
};

test('a terminal that is left while it connects stays left, and what was made for it is ended', async () => {
  const { client, requests } = await serverThat(made);
  const leaving = new AbortController();
  const opening = client.sandbox.reference('sbx-1').terminal({ signal: leaving.signal });
  await expect.poll(() => requests.some((request) => request.startsWith('UPGRADE'))).toBe(true);
  leaving.abort(new Error('enough'));
  await expect(opening).rejects.toThrow('enough');
  expect(requests.at(-1)).toBe('DELETE /api/v1/sandboxes/sbx-1/pty/pty-1');
});

test('a command that cannot be attached to says why', async () => {
  const key = await newProjectKey();
  const client = new WorkspaceClient({ apiUrl: url, apiKey: key });
  await expect(client.sandbox.reference('sbx-none').process.attach(['cat'])).rejects.toMatchObject({ code: 2001, status: 404 });
  const stranger = new WorkspaceClient({ apiUrl: url, apiKey: 'wrong' });
  await expect(stranger.sandbox.reference('sbx-none').process.attach(['cat'])).rejects.toMatchObject({ code: 1001 });
  await using sandbox = await client.sandbox.create({ template: 'default' });
  await sandbox.stop();
  await expect(sandbox.process.attach(['cat'])).rejects.toMatchObject({ code: 2004 });
});

test('attaching takes only so long, and ends with its signal', async () => {
  const { client, requests } = await serverThat(made);
  const leaving = new AbortController();
  const attaching = client.sandbox.reference('sbx-1').process.attach(['cat'], { signal: leaving.signal });
  await expect.poll(() => requests).toHaveLength(1);
  leaving.abort(new Error('enough'));
  await expect(attaching).rejects.toThrow('enough');
  const hasty = new WorkspaceClient({ apiUrl: client.sandbox.reference('x').pty.place().server, apiKey: 'k', timeout: 200 });
  await expect(hasty.sandbox.reference('sbx-1').process.attach(['cat'])).rejects.toMatchObject({ name: 'TIMEOUT' });
});

test('whoever only looked does not end the terminal', async () => {
  const client = new WorkspaceClient({ apiUrl: url, apiKey: await newProjectKey() });
  await using sandbox = await client.sandbox.create({ template: 'default' });
  await using driver = await sandbox.terminal({ command: ['cat'] });
  {
    await using viewer = await sandbox.terminal({ id: driver.id, role: 'viewer' });
    expect(viewer.state).toBe('open');
  }
  expect((await sandbox.pty.get(driver.id)).status).not.toBe('terminated');
  await driver.write('still here\n');
  expect(new TextDecoder().decode(await driver.read())).toContain('still here');
});
