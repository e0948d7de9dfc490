// What a list of a thousand sandboxes costs in the console, in Chromium: to draw it, and to draw a change; in
// milliseconds. The rows come from the page's own fetch, so that only the console is measured.
import { chromium, type Page } from 'playwright-core';

const ROWS = 1_000;
const CHANGES = 20;

/** Answers the listing with rows, and keeps the event stream open for `change`. */
function prepare(count: number): void {
  const rows = Array.from({ length: count }, (_, index) => ({
    id: `sbx-${String(index).padStart(26, '0')}`,
    name: `sandbox ${index}`,
    state: 'running',
    template: 'default',
    createdAt: new Date(Date.now() - index * 1000).toISOString(),
    expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    updatedAt: new Date().toISOString(),
    resources: { cpu: 1, memory: '512m', disk: '1g' },
    labels: { team: `team-${index % 7}`, stage: 'test' },
    egress: { allow: [], ask: true },
  }));
  const real = globalThis.fetch.bind(globalThis);
  globalThis.fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, location.href);
    if (url.pathname === '/api/v1/sandboxes' && (init?.method ?? 'GET') === 'GET') {
      const from = Number(url.searchParams.get('cursor') ?? 0);
      const next = from + 500 < count ? { nextCursor: String(from + 500) } : {};
      performance.mark('listed');
      return Promise.resolve(Response.json({ items: rows.slice(from, from + 500), ...next }));
    }
    if (url.pathname !== '/api/v1/events') return real(input, init);
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode(': hello\n\n'));
        Object.assign(globalThis, {
          change: (at: number, state: string) => {
            const event = { id: crypto.randomUUID(), type: `sandbox.${state}`, timestamp: new Date().toISOString(), project: 'p', subject: rows[at]?.id, sequence: 1, data: { ...rows[at], state } };
            controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`));
          },
        });
      },
    });
    return Promise.resolve(new Response(stream, { headers: { 'Content-Type': 'text/event-stream' } }));
  };
}

declare const scheduler: { postTask(act: () => void): void };
declare const change: (at: number, state: string) => void;

/** From the last page of the listing to its first row on the screen. */
function rendered(page: Page): Promise<number> {
  return page.evaluate(async () => {
    while (document.querySelectorAll('tr.entry').length === 0) await new Promise(requestAnimationFrame);
    const listed = performance.getEntriesByName('listed').at(-1)?.startTime ?? NaN;
    return performance.now() - listed;
  });
}

/** From an event's arrival to its row on the screen, in the middle of many. */
function updated(page: Page, changes: number): Promise<number[]> {
  return page.evaluate(async (count) => {
    const times: number[] = [];
    const state = (): string => document.querySelector('tr.entry .state')?.textContent ?? '';
    for (let at = 0; at < count; at++) {
      const wanted = at % 2 === 0 ? 'stopping' : 'running';
      const begun = performance.now();
      change(0, wanted);
      while (state() !== wanted) await new Promise<void>((resolve) => scheduler.postTask(resolve));
      times.push(performance.now() - begun);
      await new Promise(requestAnimationFrame);
    }
    return times;
  }, changes);
}

export async function listing(server: { url: string; key: string }): Promise<Record<string, number>> {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage();
    await page.goto(server.url);
    await page.getByLabel('API key').fill(server.key);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('live', { exact: true }).waitFor();
    await page.addInitScript(prepare, ROWS);
    await page.goto(`${server.url}/#/sandboxes`);
    await page.reload();
    const listRenderMilliseconds = await rendered(page);
    const times = (await updated(page, CHANGES)).sort((a, b) => a - b);
    return { listRenderMilliseconds, listUpdateMilliseconds: times[times.length >> 1] ?? NaN, listUpdateWorstMilliseconds: times.at(-1) ?? NaN };
  } finally {
    await browser.close();
  }
}
