import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Film } from './film.mjs';

export const COLUMNS = 100;
export const ROWS = 18;
const LOOK_EVERY = 30;
const KEY_EVERY = 18;
const PATIENCE = 30_000;

/** A shell in tmux that is typed into, and watched. */
export class DemoShell {
  film = new Film();
  #socket;
  #watch;
  #shown = '';

  constructor(folder, cli, server) {
    this.#socket = join(folder, 'tmux');
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'bivouac'), `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`);
    chmodSync(join(bin, 'bivouac'), 0o755);
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, BIVOUAC_URL: server.url, BIVOUAC_API_KEY: server.key, PS1: '$ ', TERM: 'xterm-256color' };
    execFileSync('tmux', ['-S', this.#socket, '-f', '/dev/null', 'new-session', '-d', '-x', `${COLUMNS}`, '-y', `${ROWS}`, 'bash', '--norc', '--noprofile'], { env });
    this.#tmux('set', '-g', 'status', 'off');
  }

  async ready() {
    while (!this.#look().startsWith('$')) await sleep(LOOK_EVERY);
    this.#watch = setInterval(() => this.#look(), LOOK_EVERY);
  }

  /** Types a line as a person would, and Enter; what would be pasted comes at once. */
  async type(line) {
    for (const part of line.split(/(sbx-[0-9a-z]+)/)) {
      for (const key of part.startsWith('sbx-') ? [part] : part) {
        // A semicolon alone would end tmux's own command.
        this.#tmux('send-keys', '-l', key === ';' ? '\\;' : key);
        await sleep(KEY_EVERY);
      }
    }
    await sleep(250);
    this.#tmux('send-keys', 'Enter');
  }

  /** Waits until the screen has this, and gives it. */
  async waitFor(pattern) {
    const end = Date.now() + PATIENCE;
    while (Date.now() < end) {
      const found = pattern.exec(this.#shown);
      if (found) return found[0];
      await sleep(LOOK_EVERY);
    }
    throw new Error(`The screen has no ${pattern}:\n${this.#shown}`);
  }

  /** Waits until the last line with text ends like this. */
  async prompt(pattern) {
    // What was typed is still the last line for a moment.
    await sleep(100);
    const end = Date.now() + PATIENCE;
    while (!pattern.test(`${this.#shown.trimEnd()} `)) {
      if (Date.now() > end) throw new Error(`The screen does not end with ${pattern}:\n${this.#shown}`);
      await sleep(LOOK_EVERY);
    }
  }

  /** Leaves the screen as it is for a while, for the eye. */
  hold(millis) {
    this.#look();
    this.film.pause(millis);
  }

  close() {
    clearInterval(this.#watch);
    this.#tmux('kill-server');
  }

  #look() {
    const said = this.#tmux('display-message', '-p', '#{cursor_x},#{cursor_y}', ';', 'capture-pane', '-e', '-p');
    const [place, ...rows] = said.split('\n');
    this.film.see(rows.slice(0, ROWS), place.split(',').map(Number));
    // eslint-disable-next-line no-control-regex
    this.#shown = rows.join('\n').replace(/\x1b\[[0-9;]*m/g, '');
    return this.#shown;
  }

  #tmux(...words) {
    return execFileSync('tmux', ['-S', this.#socket, ...words], { encoding: 'utf8' });
  }
}
