/** The practice site for people: served, logged into, and seen by the runs of the same folder. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { day1, newPlace, polya, solvingScript } from './shell.ts';

test('serves the site until Ctrl-C, with the account that runs use', async () => {
  const place = newPlace();
  expect((await polya(place, [...day1, '--model', solvingScript(place)])).code).toBe(0);
  const seen: Promise<string>[] = [];
  const visit = async (text: string, interrupt: () => void) => {
    const [login = ''] = /http\S+session=\S+/.exec(text) ?? [];
    const answer = await fetch(login, { redirect: 'manual' });
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    const page = await fetch(new URL('/2000/day/1', login), { headers: { cookie } });
    const html = await page.text();
    interrupt();
    return html;
  };
  const served = await polya(place, ['aoc', 'practice', '--cooldown', '1'], {
    onWrite: (text, interrupt) => {
      if (text.includes('Log in there')) seen.push(visit(text, interrupt));
    },
  });
  expect(served).toMatchObject({ code: 0, err: 'Ctrl-C ends it; what was solved stays.\n' });
  expect(served.out).toMatch(/^The practice site is at http:\/\/127\.0\.0\.1:\d+\n/);
  expect(await seen[0]).toContain('--- Part Two ---');
});

test('tells where it is as JSON, and which port is taken', async () => {
  const place = newPlace();
  let other: ReturnType<typeof polya> | null = null;
  const { out } = await polya(place, ['aoc', 'practice', '--json', '--user', 'ada', '--seed', '7'], {
    onWrite: (text, interrupt) => {
      if (!text.startsWith('{')) return;
      const { port } = new URL(JSON.parse(text).url);
      other = polya(place, ['aoc', 'practice', '--port', port]);
      other.then(interrupt);
    },
  });
  const { url, loginUrl } = JSON.parse(out);
  expect(loginUrl.startsWith(`${url}/auth/login?session=`)).toBe(true);
  expect(await other).toMatchObject({
    code: 3,
    out: '',
    err: expect.stringContaining('could not be started'),
  });
});

test('looking at what is kept of it makes nothing', async () => {
  const place = newPlace();
  const nothing = await polya(place, ['aoc', 'status', '--site', 'practice', '--json']);
  expect(JSON.parse(nothing.out)).toEqual({ site: 'practice', days: [] });
  expect(readdirSync(place.folder)).toEqual([]);
  await polya(place, ['aoc', 'fetch', '--site', 'practice', '--year', '2000', '--day', '3']);
  const kept = await polya(place, ['aoc', 'status', '--site', 'practice']);
  expect(kept.out).toMatch(/\n2000 +3 +\S.* 0 +yes +yes +0\n$/);
  expect(existsSync(join(place.folder, '.polya'))).toBe(true);
});
