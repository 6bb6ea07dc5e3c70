/** A place to make workspaces in, with a home, a cache and a clock of its own. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll } from 'vitest';
import { type InitOptions, initContest } from '../../../src/apps/ahc/intake/init.ts';
import { fakeClock } from '../../../src/io/clock.ts';
import { type AtCoderOptions, startAtCoder } from '../../../src/practice/atcoder/site.ts';
import { noSandbox } from '../../support/no-sandbox.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const closers: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closers) await close();
});

export async function siteWith(options: AtCoderOptions = {}) {
  const site = await startAtCoder(options);
  closers.push(site.close);
  return site;
}

/** A year after the practice contests. */
export const afterwards = Date.parse('2027-03-01T00:00:00Z');

export function newDesk(nowMs = afterwards) {
  const base = temporaryFolder('init');
  const folder = join(base, 'here');
  mkdirSync(folder);
  const env: Record<string, string> = { HOME: join(base, 'home'), PATH: '/nowhere', POLYA_TRUST: '1' };
  const clock = fakeClock(nowMs);
  const progress: string[] = [];
  const init = (contest: string, more: Partial<InitOptions> = {}) =>
    initContest({
      contest,
      folder,
      env,
      clock,
      sandbox: noSandbox,
      confirm: async () => false,
      onProgress: (line) => progress.push(line),
      signal: new AbortController().signal,
      ...more,
    });
  const place = (id: string, name = '') => join(folder, 'workspace', id, name);
  return {
    folder,
    env,
    clock,
    progress,
    init,
    place,
    read: (id: string, name: string) => readFileSync(place(id, name), 'utf8'),
    has: (id: string, name: string) => existsSync(place(id, name)),
    files: (id: string) => filesBelow(place(id)),
  };
}

/** With their content, by name. */
export function filesBelow(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    entries
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((file) => [relative(folder, file), readFileSync(file, 'latin1')]),
  );
}
