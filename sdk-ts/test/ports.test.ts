import { expect, test } from 'vitest';
import { newProject } from './harness/shared.js';

const PATIENCE = { timeout: 60_000, interval: 200 };
const SERVER = `
import http.server
class Page(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def do_GET(self):
        body = ('seen ' + self.path + ' ' + str(self.headers.get('X-Access-Token'))).encode()
        self.send_response(200)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)
http.server.ThreadingHTTPServer(('127.0.0.1', 8000), Page).serve_forever()
`;

test('a program in a sandbox is listed and reached by token, by key and by link', async () => {
  const client = await newProject();
  await using sandbox = await client.sandbox.create({ template: 'default' });
  expect(await sandbox.ports.list()).toMatchObject({ items: [], nextCursor: null });
  const token = sandbox.accessToken ?? '';
  const nobody = await fetch(sandbox.url(8000), { headers: { 'X-Access-Token': token } });
  expect(nobody.status).toBe(502);
  expect(await nobody.json()).toMatchObject({ code: 2101, name: 'PORT_UNREACHABLE' });

  await sandbox.process.start(['python3', '-c', SERVER]);
  await expect.poll(async () => (await sandbox.ports.list()).items.map(({ port }) => port), PATIENCE).toEqual([8000]);
  const [port] = (await sandbox.ports.list()).items;
  expect(port?.program).toMatch(/^python3/);
  const { headers } = sandbox.ports.access(8000);
  for (const [url, shown] of [
    [sandbox.url(8000), { 'X-Access-Token': token }],
    [port?.url ?? '', { 'X-Access-Token': token }],
    [port?.url ?? '', headers],
  ] as const) {
    expect(await (await fetch(`${url}a?b=1`, { headers: shown })).text()).toBe('seen /a?b=1 None');
  }

  const link = await sandbox.ports.link(8000, { expiresInSeconds: 60 });
  const opened = await fetch(link.url, { redirect: 'manual' });
  expect(opened.status).toBe(303);
  expect(opened.headers.get('location')).not.toContain('bivouac_link');
  const cookie = (opened.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const page = await fetch(new URL(opened.headers.get('location') ?? '', link.url), { headers: { Cookie: cookie } });
  expect(await page.text()).toBe('seen / None');

  const fresh = await sandbox.ports.renewAccessToken();
  await expect.poll(async () => (await fetch(sandbox.url(8000), { headers: { 'X-Access-Token': token } })).status, PATIENCE).toBe(401);
  expect((await fetch(sandbox.url(8000), { headers: { 'X-Access-Token': fresh } })).status).toBe(200);
  const other = await newProject();
  expect((await fetch(sandbox.url(8000), { headers: other.sandbox.reference(sandbox.id).ports.access(8000).headers })).status).toBe(403);
  await sandbox.stop();
  await expect.poll(async () => (await fetch(sandbox.url(8000), { headers })).status, PATIENCE).toBe(409);
});
