/** `polya ahc init` as its user sees it: what was found with its sentences, JSON, exit codes, and every wrong way to call it. */

import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AtCoderSite, startAtCoder } from '../../src/practice/atcoder/site.ts';
import { typed } from '../support/typed.ts';
import { newPlace, polya } from './shell.ts';

let site: AtCoderSite;
beforeAll(async () => {
  site = await startAtCoder();
});
afterAll(() => site.close());

/** Nothing is built: all that these look at is what is told. */
const quick = (place = newPlace()) => ({
  ...place,
  env: { ...place.env, AHC_AGENT_SANDBOX_BACKEND: 'docker', DOCKER_HOST: 'unix:///nowhere.sock' },
});

describe('polya ahc init', () => {
  test('tells what it found, on what that rests, how to correct it, and what is next', async () => {
    const place = newPlace();
    const { code, out, err } = await polya(place, typed`ahc init polya002 --site ${site.url} --lang en`);
    expect([code, err]).toEqual([0, expect.stringContaining('for the statement …')]);
    expect(out).toContain('A - Parcel Vans  in workspace/polya002\n');
    expect(out).toMatch(/direction +minimise {2}"[^"]*(lower|smaller|less)[^"]*"/i);
    expect(out).toContain('otherwise: `./polya ahc config contest.direction maximise`');
    expect(out).toMatch(/scoring +relative/);
    expect(out).toContain('interactive no');
    expect(out).toMatch(/inputs +100\n/);
    expect(out).toContain('Next: `cd workspace/polya002`');
    const again = await polya(place, ['ahc', 'init', 'polya002', '--site', site.url]);
    expect(again.out).toContain('all were there; nothing was changed');
  });

  test('as JSON is one document, and what is missing is in it and in the exit code', async () => {
    const { code, out } = await polya(quick(), ['ahc', 'init', 'polya002', '--json']);
    expect(code).toBe(3);
    const told = JSON.parse(out);
    expect(told).toMatchObject({
      id: 'polya002',
      standing: 'over',
      tools: { built: false },
      contest: { direction: { value: 'minimise' } },
      template: null,
    });
    expect(told.troubles[0]).toMatchObject({
      missing: true,
      what: expect.stringContaining('The tools could not be built'),
    });
    expect(told.written).not.toContain('main.cpp');
  });

  test('asks a person before it works on a contest that may be running, and takes no for an answer', async () => {
    const place = quick();
    const from = ['ahc', 'init', 'ahc999', '--from', 'page.html'];
    execFileSync('cp', [
      join(import.meta.dirname, '../../examples/contests/polya001/statement/en.html'),
      join(place.folder, 'page.html'),
    ]);
    const refused = await polya(place, from, { isInteractive: true, confirms: false });
    expect([refused.code, refused.err]).toEqual([
      2,
      expect.stringContaining('Have you read its rules, and do they allow this?'),
    ]);
    expect(refused.err).toContain('Nothing was made.');
    expect(existsSync(join(place.folder, 'workspace'))).toBe(false);
    const taken = await polya(place, from, { isInteractive: true, confirms: true });
    expect(taken.out).toContain('you said that its rules allow this');
    const told = await polya(
      quick(),
      typed`ahc init polya001 --site ${site.url} --i-confirm-the-rules-allow-this --json`,
    );
    expect(JSON.parse(told.out).contest.confirmed).toBeNull();
  });

  test.each([
    [[], 'Missing required argument'],
    [['ahc030', 'ahc031'], 'Too many arguments'],
    [['ahc030', '--lang', 'fr'], 'Allowed choices are ja, en'],
    [['a b'], 'is no id of a contest'],
    [['tools'], 'cannot be the id of a contest'],
    [['ahc030', '--site', 'http://atcoder.jp'], 'plain HTTP'],
    [['ahc030', '--from', 'nothing'], 'nothing is not there'],
    [['polya001', '--template', 'none.cpp'], 'There is no file none.cpp'],
    [['ahc030', '--frm', 'x'], "unknown option '--frm'"],
  ])('%j is refused in words, and makes nothing', async (argv, words) => {
    const place = newPlace();
    const { code, err } = await polya(place, ['ahc', 'init', ...argv]);
    expect([code, err.toLowerCase()]).toEqual([2, expect.stringContaining(words.toLowerCase())]);
    expect(existsSync(join(place.folder, 'workspace'))).toBe(false);
  });

  test('a template is main.cpp, and what came of it is told and in the JSON', async () => {
    const place = quick();
    writeFileSync(join(place.folder, 'mine.cpp'), 'int main() {}\n');
    const { out } = await polya(place, ['ahc', 'init', 'polya002', '--template', 'mine.cpp']);
    expect(out).toMatch(/template +mine\.cpp: main\.cpp begins as it\n/);
    writeFileSync(join(place.folder, 'workspace/polya002/main.cpp'), 'int main() { return 1; }\n');
    const again = await polya(place, ['ahc', 'init', 'polya002', '--template', 'mine.cpp', '--json']);
    expect(JSON.parse(again.out).template).toEqual({ file: 'mine.cpp', is_main: false });
  });

  test('an interrupt stops it, and the next goes on', async () => {
    const place = quick();
    const busy = await startAtCoder({
      mischief: [{ path: '.zip', times: 9, does: { status: 503, headers: { 'retry-after': '30' } } }],
    });
    try {
      const onWrite = (text: string, interrupt: () => void) => {
        if (text.includes('Trying again')) interrupt();
      };
      const { code, err } = await polya(place, ['ahc', 'init', 'polya002', '--site', busy.url], { onWrite });
      expect([code, err]).toEqual([130, expect.stringContaining('Stopped. Run the same again')]);
      expect(existsSync(join(place.folder, 'workspace/polya002/problem/problem.md'))).toBe(true);
    } finally {
      await busy.close();
    }
  });
});
