import { expect, test } from 'vitest';
import { newProjectKey } from '../../sdk-ts/test/harness/shared.js';
import { screenSize } from '../src/interactive.js';
import { versions } from '../src/commands/doctor.js';
import { bivouac, environment } from './bivouac.js';

interface Checked {
  checks: Array<{ name: string; ok: boolean; seen: string; costs?: string; remedy?: string }>;
}

test('a system key sees its own side first, then the machine', async () => {
  const { stdout } = await bivouac(['doctor', '--json']);
  const { checks } = JSON.parse(stdout) as Checked;
  expect(checks.slice(0, 3).map((check) => check.name)).toEqual(['server', 'version', 'key']);
  expect(checks[2]?.seen).toContain('role admin');
  const names = checks.map((check) => check.name);
  for (const name of ['trial sandbox', 'bubblewrap', 'user namespaces', 'cgroups', 'loop devices', 'jdk', 'disk', 'inodes', 'ports', 'clock', 'container']) {
    expect(names).toContain(name);
  }
  for (const check of checks) {
    expect(check.ok).toBe(check.costs === undefined);
    expect(check.ok).toBe(check.remedy === undefined);
  }
  expect((await bivouac(['doctor'])).stdout).toContain('✓ server');
});

test('another key sees its role and nothing of the machine', async () => {
  const { stdout } = await bivouac(['doctor', '--json'], { env: { ...environment(), BIVOUAC_API_KEY: await newProjectKey() } });
  const { checks } = JSON.parse(stdout) as Checked;
  expect(checks.map((check) => check.name)).toEqual(['server', 'version', 'key']);
});

test('a server that is not there and a key that is not valid are named with what mends them', async () => {
  const away = await bivouac(['doctor', '--url', 'http://127.0.0.1:1', '--json']);
  expect(away.code).toBe(1);
  expect((JSON.parse(away.stdout) as Checked).checks).toMatchObject([{ name: 'server', ok: false }]);
  const stranger = await bivouac(['doctor', '--key', 'bvk_nobody_has_this_one', '--json']);
  expect(stranger.code).toBe(1);
  expect((JSON.parse(stranger.stdout) as Checked).checks).toMatchObject([{ name: 'server', ok: true }, { name: 'key', ok: false, remedy: 'bivouac login' }]);
});

test('versions fit when their series is the same', () => {
  expect(versions('1.4.0', '1.2.3').ok).toBe(true);
  expect(versions('0.2.0', '0.2.9').ok).toBe(true);
  expect(versions('0.2.0', '0.1.0').ok).toBe(false);
  expect(versions('2.0.0', '1.9.0').ok).toBe(false);
});

test('a terminal without a size counts as 80 by 24', () => {
  expect(screenSize({ columns: 0, rows: 0 })).toEqual({ cols: 80, rows: 24 });
  expect(screenSize({})).toEqual({ cols: 80, rows: 24 });
  expect(screenSize({ columns: 120, rows: 40 })).toEqual({ cols: 120, rows: 40 });
});
