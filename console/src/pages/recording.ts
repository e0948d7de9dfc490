import '@xterm/xterm/css/xterm.css';
import { h, link } from '../dom.js';
import type { Page } from '../page.js';
import { attempt } from '../parts/feedback.js';
import { Player } from '../parts/player.js';
import { atLocalTime } from '../parts/when.js';
import { client } from '../session.js';

/** Plays one recording. */
export const recordingPage: Page = ({ live, parameters, onLeave }) => {
  const id = parameters[0] ?? '';
  const stage = h('div', { class: 'card' }, h('p', { class: 'dim' }, 'Loading…'));
  let left = false;
  onLeave(() => (left = true));
  void attempt(async () => {
    const player = await Player.of(await client.recordings.open(id));
    if (left) return;
    onLeave(() => player.close());
    stage.replaceChildren(player.element);
    player.begin();
  }).then(() => stage.querySelector('p')?.replaceChildren('It cannot be shown.'));
  const about = h('span', { class: 'dim' });
  void client.recordings.list({ limit: 500 }).then(({ items }) => {
    const row = items.find(({ terminalId }) => terminalId === id);
    if (row !== undefined) about.replaceChildren(`${row.command} in ${live.sandboxes.get(row.sandboxId)?.name ?? row.sandboxId}, `, atLocalTime(row.startedAt));
  }, () => undefined);
  const download = h('a', { class: 'button', href: `/api/v1/recordings/${encodeURIComponent(id)}`, download: `${id}.cast` }, 'Download');
  return h('main', {}, link('← Recordings', '/recordings'), h('div', { class: 'row' }, h('h1', {}, 'Recording'), about, h('span', { class: 'grow' }), download), stage);
};
