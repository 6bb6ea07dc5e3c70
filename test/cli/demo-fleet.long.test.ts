/** `polya demo fleet`: rows by host, one worker killed, nothing lost or paid twice, and nothing left of it, however it ends. */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pageAt } from '../server/browser.ts';
import { until } from '../support/until.ts';
import { call, start } from './process.ts';
import { atExit, newPlace, type Place } from './shell.ts';

let places = 0;

/** With a folder for what is temporary: a socket in it must have a short path. */
function placeOf(): Place & { readonly temporary: string } {
  const place = newPlace();
  const temporary = join('/tmp', `polya-t-${process.pid}-${places++}`);
  mkdirSync(temporary, { mode: 0o711 });
  atExit(() => rmSync(temporary, { recursive: true, force: true }));
  return {
    ...place,
    env: { ...place.env, TMPDIR: temporary, OPENAI_API_KEY: 'sk-nobody-is-to-have-it' },
    temporary,
  };
}

/** Whoever of them lives, by what their environments name. */
const left = ({ temporary }: { readonly temporary: string }): readonly string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return (
        /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`${temporary}/polya-fleet`)
      );
    } catch {
      return false;
    }
  });

/** A folder of the sandbox's own stays, as after any command. */
const isTidy = (place: ReturnType<typeof placeOf>) =>
  left(place).length === 0 && !readdirSync(place.temporary).some((name) => name.startsWith('polya-fleet'));

test('each row has its hosts, one moves, none is lost, and no call is paid twice', async () => {
  const place = placeOf();
  const { code, out, err } = await call(place, ['demo', 'fleet', '--json']);
  expect([code, err]).toEqual([0, expect.stringContaining('The model is a SCRIPT')]);
  const { demo, label, hosts, killed, rows, lost, paidTwice, settledCalls } = JSON.parse(out);
  expect({ demo, label, hosts, lost, paidTwice }).toEqual({
    ...{ demo: 'fleet', label: 'script: replies written ahead, no model was asked' },
    ...{ hosts: ['host-a', 'host-b'], lost: 0, paidTwice: 0 },
  });
  expect(settledCalls).toBeGreaterThan(10);
  expect(killed.rows.length).toBeGreaterThan(0);
  const other = hosts.find((host: string) => host !== killed.host);
  // A row that it had in hand is another's now; of one that it had only just taken, the journal does not say so.
  const moved = killed.rows.map((run: string) => rows.find((row: { run: string }) => row.run === run).hosts);
  expect(moved).toContainEqual([killed.host, other]);
  for (const own of moved) expect(own.at(-1)).toBe(other);
  expect(isTidy(place)).toBe(true);
  expect(readdirSync(place.folder)).toEqual([]);
});

test('Ctrl-C ends it at once, and nothing is left; nor where it is killed', async () => {
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    const place = placeOf();
    const demo = start(place, ['demo', 'fleet']);
    let said = '';
    demo.child.stderr?.on('data', (text: string) => {
      said += text;
    });
    await until(() => said.includes('Run-set '));
    demo.child.kill(signal);
    const { code } = await demo.ended;
    expect(code).toBe(signal === 'SIGINT' ? 130 : null);
    await until(() => isTidy(place));
  }
});

test('--view shows its hosts and its rows until Ctrl-C', async () => {
  const place = placeOf();
  const demo = start(place, ['demo', 'fleet', '--view']);
  let said = '';
  demo.child.stderr?.on('data', (text: string) => {
    said += text;
  });
  const address = await until(() => /http:\/\/\S+#\/hosts/.exec(said)?.[0] ?? null);
  const { page, wrong, close } = await pageAt(address, { allowed: new URL('/', address).href });
  await page.locator('article.host').first().waitFor();
  await until(() => said.includes('The page stays'));
  expect(said).not.toContain('could not go on');
  await page.getByRole('link', { name: 'Sets' }).click();
  await page.locator('a.line.sets').click();
  await page.locator('a.line.row[title^="host-"]').first().waitFor();
  await expect
    .poll(() => page.locator('.facts').textContent(), { timeout: 60_000 })
    .toMatch(/\b(\d+) of \1 ended/);
  expect(wrong).toEqual([]);
  await close();
  demo.child.kill('SIGINT');
  expect((await demo.ended).code).toBe(0);
  await until(() => isTidy(place));
});
