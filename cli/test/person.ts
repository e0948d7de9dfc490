import { execFileSync } from 'node:child_process';
import { afterAll, expect } from 'vitest';
import { PROGRAM } from './bivouac.js';

const PATIENCE = { timeout: 60_000, interval: 100 };

/** One tmux for each test file. */
const server = `bivouac-test-${process.pid}-${crypto.randomUUID().slice(0, 8)}`;
let begun = false;

afterAll(() => {
  if (begun) tmux(['kill-server']);
});

function tmux(words: string[]): string {
  return execFileSync('tmux', ['-L', server, '-f', '/dev/null', ...words]).toString();
}

/** The program, as a person's shell would call it. */
export const BIVOUAC = `${process.execPath} ${PROGRAM}`;

/** A person at a real terminal. */
export class Person {
  private constructor(private readonly name: string) {}

  static at(name: string, command: string, env: NodeJS.ProcessEnv): Person {
    // tmux gives its sessions the environment of whoever came first.
    const told = ['BIVOUAC_URL', 'BIVOUAC_API_KEY', 'XDG_CONFIG_HOME'].flatMap((one) => ['-e', `${one}=${env[one] ?? ''}`]);
    begun = true;
    tmux(['new-session', '-d', '-s', name, '-x', '100', '-y', '30', ...told, `${command}; echo "ended with $?"; sleep 1000`]);
    return new Person(name);
  }

  type(...keys: string[]): void {
    tmux(['send-keys', '-t', this.name, ...keys]);
  }

  resize(columns: number, rows: number): void {
    tmux(['resize-window', '-t', this.name, '-x', String(columns), '-y', String(rows)]);
  }

  screen(): string {
    return tmux(['capture-pane', '-p', '-t', this.name]);
  }

  /** Does something again and again until it is seen. */
  seesAfter(what: string | RegExp, act: () => void): Promise<void> {
    const screen = (): string => {
      const shown = this.screen();
      if (!shown.match(what)) act();
      return shown;
    };
    return expect.poll(screen, { ...PATIENCE, interval: 1000 }).toMatch(what);
  }

  sees(what: string | RegExp): Promise<void> {
    return expect.poll(() => this.screen(), PATIENCE).toMatch(what);
  }
}
