import '@xterm/xterm/css/xterm.css';
import { h, link } from '../dom.js';
import type { Page } from '../page.js';
import { attempt } from '../parts/feedback.js';
import { Player } from '../parts/player.js';
import { client } from '../session.js';

/** Plays one recording. */
export const recordingPage: Page = ({ parameters, onLeave }) => {
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
  const download = h('a', { class: 'button', href: `/api/v1/recordings/${encodeURIComponent(id)}`, download: `${id}.cast` }, 'Download');
  return h('main', {}, link('← Recordings', '/recordings'), h('div', { class: 'row' }, h('h1', {}, 'Recording'), h('span', { class: 'dim mono' }, id), h('span', { class: 'grow' }), download), stage);
};
