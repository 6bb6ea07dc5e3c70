/** `polya view --export`: one file, opened in a real browser from the disk. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { unpacked } from '../before/fixture.ts';
import { day1, newPlace, type Place, polya, solvingScript } from '../cli/shell.ts';
import { hostileTexts } from '../hostile/texts.ts';
import { typed } from '../support/typed.ts';
import { asked, comparedSet, isSideways, pageAt, pageCache, saying, shoot } from './browser.ts';

async function written({ folder, env }: Place, name: string, ...more: readonly string[]) {
  const file = join(folder, 'out.html');
  const told = await polya(
    { folder, env: { ...env, ...pageCache } },
    typed`view ${name} --export out.html --force ${more}`,
  );
  expect(told).toMatchObject({ code: 0, out: '' });
  const url = pathToFileURL(file).href;
  return { url, html: readFileSync(file, 'utf8') };
}

const open = (url: string) => pageAt(url, { allowed: url });

async function graded(place: Place, question: string, answer: string, reply: string): Promise<string> {
  const problem = ['--problem', JSON.stringify({ question, answer })];
  const model = ['--model', saying(place, 'said', reply)];
  const { out } = await polya(place, [
    ...['run', '--family', 'qa', ...problem, '--agent', 'single-call', ...model, '--json'],
  ]);
  return JSON.parse(out).id;
}

describe('a run that is given away', () => {
  test('opens without a server: its events, and one of them whole', async () => {
    const place = newPlace();
    const id = await asked(place, 'How many legs has a spider?', 'Eight, I think.');
    const { url, html } = await written(place, id);
    const { page, wrong, close } = await open(url);
    await page.locator('a.event').first().waitFor();
    await page.getByText('a copy: nothing in it changes').waitFor();
    await page.locator('a.event', { hasText: 'Eight, I think.' }).first().click();
    await page.locator('.inspector pre', { hasText: 'Eight, I think.' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Stop' }).count()).toBe(0);
    expect(wrong).toEqual([]);
    await shoot(page, 'copy-run');
    // One script, allowed by its hash; nothing is named that is elsewhere, and no folder of this machine but in models.
    expect(html.match(/<script(?![^>]*application\/json)/g)).toHaveLength(1);
    expect(html).toMatch(/script-src 'sha256-[^']+'; style-src 'sha256-/);
    expect(html).not.toMatch(/(?:src|href)="(?!data:)/);
    expect(html).not.toContain(dirname(dirname(import.meta.dirname)));
    await close();
  });

  test('holds neither the puzzle nor the gold answer, unless asked for', async () => {
    const place = newPlace();
    const question = 'A rope of twelve metres is cut in two, and one piece is longer. How long is it?';
    const id = await graded(place, question, '7.0625', 'The answer is 4.');
    const { url, html } = await written(place, id);
    expect(html).not.toContain('rope of twelve metres');
    expect(html).not.toContain('7.0625');
    const { page, wrong, close } = await open(url);
    await page.getByText('The words of the grade are left out').first().waitFor();
    expect(wrong).toEqual([]);
    await close();
    const whole = (await written(place, id, '--with-puzzle')).html;
    expect(whole).toContain('rope of twelve metres');
    expect(whole).toContain('7.0625');
  });

  test('of Advent of Code holds neither statement nor input', async () => {
    const place = newPlace();
    const { out } = await polya(place, [...day1, '--model', solvingScript(place), '--json']);
    const { id }: { id: string } = JSON.parse(out);
    const shown = (await polya(place, ['runs', 'show', id, '--full', '--json'])).out;
    const statement = 'You have taken a winter job on the';
    expect(shown).toContain(statement);
    const { html } = await written(place, id);
    expect(html).not.toContain(statement);
    const { page, wrong, close } = await open((await written(place, id)).url);
    await page.locator('a.event', { hasText: 'Both parts' }).first().waitFor();
    expect(wrong).toEqual([]);
    await close();
  });

  test('hostile texts stay text', async () => {
    const place = newPlace();
    const own = ['</script><script>alert(1)</script>', '<!--<script>', ']]>', '\u2028alert(1)\u2029'];
    const { page, wrong, close } = await pageAt('about:blank', {
      allowed: pathToFileURL(join(place.folder, 'out.html')).href,
    });
    for (const reply of [...own, ...hostileTexts.slice(0, 12)].filter((text) => text.trim() !== '')) {
      const id = await asked(place, `${reply.slice(0, 40)}?`, reply);
      const { url } = await written(place, id, '--with-puzzle');
      await page.goto(url);
      await page.locator('a.event').first().waitFor();
      expect(wrong, reply).toEqual([]);
      await expect.poll(() => page.locator('script').count()).toBe(2);
    }
    await close();
  });

  test('overwrites nothing unasked, and needs a name', async () => {
    const place = newPlace();
    await asked(place, 'One?', '1');
    writeFileSync(join(place.folder, 'out.html'), 'mine');
    expect(await polya(place, ['view', 'last', '--export', 'out.html'])).toMatchObject({ code: 2 });
    expect(await polya(place, ['view', '--export', 'other.html'])).toMatchObject({ code: 2 });
    expect(readFileSync(join(place.folder, 'out.html'), 'utf8')).toBe('mine');
  });
});

describe('a run-set that is given away', () => {
  test('opens without a server, and holds neither questions nor gold answers unless asked for', async () => {
    const place = newPlace();
    const id = await comparedSet(place, ['8', '4']);
    const { url, html } = await written(place, id);
    expect(html).not.toContain('Which number is number');
    const { page, wrong, close } = await open(url);
    await page.locator('.matrix .cell').nth(1).click();
    await page.locator('.inspector').getByText('wrong').waitFor();
    await expect.poll(() => page.locator('.inspector a').count()).toBe(0);
    await expect.poll(() => isSideways(page)).toBe(false);
    expect(wrong).toEqual([]);
    await shoot(page, 'copy-set');
    await close();
    expect((await written(place, id, '--with-puzzle')).html).toContain('Which number is number 1?');
  });
});

describe('what has a name of its own is given away by it', () => {
  const placeOf = (fixture: string, ...below: readonly string[]): Place => ({
    ...newPlace(),
    folder: join(unpacked(fixture, 'whole'), ...below),
  });

  test('a session of a contest: the whole chain of its forks, from the last one on', async () => {
    const place = placeOf('session', 'workspace', 'polya001');
    const { url, html } = await written(place, 'night');
    const { page, wrong, close } = await open(url);
    await page.waitForURL(`${url}`);
    const { runs } = JSON.parse((await polya(place, ['runs', 'list', '--json'])).out);
    const [last, ...parents]: string[] = runs.map((run: { id: string }) => run.id);
    await page.locator('.path code', { hasText: last ?? '' }).waitFor();
    for (const parent of parents) {
      await page.locator(`.path a[href^="#/runs/${parent}"]`).click();
      await page.locator('.path code', { hasText: parent }).waitFor();
      await page.locator('a.event').first().waitFor();
    }
    expect(html).toMatch(/script-src 'sha256-/);
    expect(wrong).toEqual([]);
    await close();
  });

  test.each([
    ['an ARC task', 'induction-graph', ['arc/mirror', 'mirror'], '"train":[{"input"'],
    ['a proof', 'verify-loop', ['proof/problem', 'problem'], 'Prove that $a^2'],
  ])('%s: its newest run, without the puzzle unless asked for', async (_, fixture, names, puzzle) => {
    const place = placeOf(fixture);
    for (const name of names) {
      const { url, html } = await written(place, name);
      expect(html.replaceAll('\\"', '"')).not.toContain(puzzle);
      const { page, wrong, close } = await open(url);
      await page.locator('.path code', { hasText: 'fork' }).waitFor();
      await page.locator('a.event').first().waitFor();
      expect(wrong).toEqual([]);
      await close();
    }
    const whole = (await written(place, names[0] ?? '', '--with-puzzle')).html;
    expect(whole.replaceAll('\\"', '"')).toContain(puzzle);
    expect(await polya(place, ['view', 'no/such/problem', '--export', 'other.html'])).toMatchObject({
      code: 2,
    });
  });
});

test('a copy with its puzzle folds the gold answer too, until it is asked for', async () => {
  const place = newPlace();
  const id = await graded(place, 'How long is the rope that was cut?', '7.0625', 'The answer is 4.');
  const { url } = await written(place, id, '--with-puzzle');
  const { page, wrong, close } = await open(url);
  await page.locator('.inspector .hidden').waitFor();
  await expect.poll(() => page.locator('main').textContent()).not.toContain('7.0625');
  await page.keyboard.press('g');
  await page.locator('.inspector .hidden pre', { hasText: '7.0625' }).first().waitFor();
  expect(wrong).toEqual([]);
  await close();
});
