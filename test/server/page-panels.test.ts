/** What apps tell of their runs on the page, in a real browser: on journals of real runs, and hostile ones of our own. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { renderedForPage } from '../../src/apps/proof/export/page-html.ts';
import type { Event } from '../../src/core/event.ts';
import { bundled } from '../../src/io/bundled.ts';
import type { Panel } from '../../src/notes/panel.ts';
import { newPlace, polya } from '../cli/shell.ts';
import { hostileTexts } from '../hostile/texts.ts';
import { begun, families, ofFamily, theorem } from './app-runs.ts';
import { violations } from './axe.ts';
import { asked, asks, isSideways, look, pageAt, saying, shoot } from './browser.ts';

/** Of a run that goes on it tells more. */
const told = async (events: readonly Event[]): Promise<readonly Panel[]> => [
  {
    title: 'What came of it',
    sentence: `${events.length} events, and 4 is chosen.`,
    blocks: [
      { kind: 'facts', facts: [{ label: 'votes', value: '2 of 3', seq: 2 }] },
      { kind: 'text', text: 'Two of three said so.', tone: 'good', seq: 3 },
      { kind: 'code', title: 'Program 1', text: 'print(4)\n', seq: 1 },
      {
        kind: 'part',
        title: 'Round 1',
        about: 'not passed',
        tone: 'bad',
        blocks: [
          {
            kind: 'table',
            title: 'Votes',
            columns: [{ title: 'answer' }, { title: 'votes', isNumber: true }],
            rows: [{ cells: ['4', '2'], tone: 'good', isMarked: true, seq: 2 }, { cells: ['5', '1'] }],
          },
        ],
      },
    ],
  },
];

test('blocks are drawn, and what an event tells leads to it and back again', async () => {
  const place = newPlace();
  const id = await asked(place, 'One?', '1');
  const { page, wrong, close } = await look(place, { hash: `#/runs/${id}`, panels: told });
  await page.locator('a.event').first().waitFor();
  await page.getByRole('link', { name: 'What came of it' }).click();
  await page.getByText('and 4 is chosen.').waitFor();
  await expect.poll(() => page.locator('a.event').count()).toBe(0);
  await expect.poll(() => page.locator('.table tr').count()).toBe(3);
  await expect.poll(() => page.locator('.table tr.good').getAttribute('aria-current')).toBe('true');
  await page.locator('.fold summary').click();
  await page.locator('.fold pre').waitFor();
  await page.locator('.table a.at').click();
  await page.locator('.inspector h2', { hasText: 'Event 2' }).waitFor();
  await page.goBack();
  await page.getByText('and 4 is chosen.').waitFor();
  await page.keyboard.press('v');
  await page.locator('a.event').first().waitFor();
  await page.keyboard.press('v');
  await page.getByText('and 4 is chosen.').waitFor();
  expect(wrong).toEqual([]);
  await shoot(page, 'panels-blocks');
  await close();
});

test('a run without panels shows none, and one whose app fails says so', async () => {
  const place = newPlace();
  const id = await asked(place, 'One?', '1');
  const none = await look(place, { hash: `#/runs/${id}`, panels: async () => [] });
  await none.page.locator('a.event').first().waitFor();
  await expect.poll(() => none.page.locator('.views').count()).toBe(0);
  await none.close();
  const fails = await look(place, {
    hash: `#/runs/${id}/panels`,
    panels: async () => {
      throw new Error('The app cannot read this journal.');
    },
  });
  await fails.page.getByRole('alert').waitFor();
  await fails.close();
});

test('a text of hostile signs stays text in every block', async () => {
  const place = newPlace();
  const id = await asked(place, 'One?', '1');
  const texts = hostileTexts.filter((each) => each.trim() !== '');
  const panels = async (): Promise<readonly Panel[]> =>
    texts.map((text) => ({
      title: text,
      sentence: text,
      blocks: [
        { kind: 'facts', facts: [{ label: text, value: text }] },
        { kind: 'text', text },
        { kind: 'code', title: text, text },
        { kind: 'table', title: text, columns: [{ title: text }], rows: [{ cells: [text] }] },
        { kind: 'part', title: text, about: text, blocks: [] },
      ],
    }));
  const { page, wrong, close } = await look(place, {
    hash: `#/runs/${id}/panels`,
    panels,
    viewport: { width: 390, height: 844 },
  });
  await expect.poll(() => page.locator('.panel').count()).toBe(texts.length);
  await expect.poll(() => page.locator('.panels :is(script, img, iframe, style)').count()).toBe(0);
  await expect.poll(() => isSideways(page)).toBe(false);
  expect(wrong).toEqual([]);
  await close();
});

test('formulas and texts of a model are typeset without a link, a style, a script or a request of theirs', async () => {
  const place = newPlace();
  const id = await asked(place, 'One?', '1');
  const tex = ['$\\href{javascript:window.pwned=1}{x}$', '$\\includegraphics{http://127.0.0.1:9/pwned.png}$'];
  const more = [
    '$\\htmlStyle{color:red}{x}$',
    '$\\color{red}\\boxed{x}$',
    '$\\frac{$',
    '[x](http://127.0.0.1:9/pwned)',
  ];
  const table = '| a |\n|:-:|\n| $x^2$ |';
  const texts = [...tex, ...more, table, ...hostileTexts.filter((each) => each.trim() !== '')];
  const lines = texts.map((text) => ({
    html: renderedForPage(text),
    findings: [{ title: text, html: renderedForPage(`Remark: ${text}`), tone: 'bad' as const }],
  }));
  const panels = async (): Promise<readonly Panel[]> => [
    { title: 'Proof', sentence: 'Hostile.', blocks: [{ kind: 'formulas', title: 'A text', lines }] },
  ];
  const { page, wrong, close } = await look(place, { hash: `#/runs/${id}/panels`, panels });
  await expect.poll(() => page.locator('.paragraph').count()).toBe(texts.length);
  await page.locator('.paragraph math').first().waitFor();
  const forbidden =
    ':is(script, img, iframe, style, link, object, form, input, a, [style], [onload], [onerror])';
  await expect.poll(() => page.locator(`.formulas .prose ${forbidden}`).count()).toBe(0);
  expect(await page.evaluate('window.pwned')).toBeUndefined();
  expect(wrong).toEqual([]);
  await close();
});

test('a run that goes on tells more of itself, and a reader keeps his place', async () => {
  const place = newPlace();
  const { run, own } = await asks(place, 'asks');
  const { page, wrong, close } = await look(place, { hash: '#/runs/asks/panels', panels: told });
  const sentence = page.locator('.sentence');
  await sentence.waitFor();
  const before = await sentence.textContent();
  await page.locator('.fold summary').click();
  await polya(place, ['runs', 'answer', 'asks', 'left']);
  await run.done;
  await expect.poll(() => sentence.textContent()).not.toBe(before);
  await expect.poll(() => page.locator('.fold[open]').count()).toBe(1);
  expect(wrong).toEqual([]);
  await close();
  await own.close();
});

describe.each(families)('$family', ({ family, words, sentence, drawn, hidden }) => {
  test('its panels tell a real run, on a phone too, and what an event tells leads to it', async () => {
    const place = newPlace();
    const id = await begun(place, words);
    const { page, wrong, close } = await look(place, { hash: `#/runs/${id}/panels` });
    await page.locator('.sentence', { hasText: sentence }).waitFor();
    await page.locator(drawn).first().waitFor();
    await expect.poll(() => isSideways(page)).toBe(false);
    await shoot(page, `panels-${family}`);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator(drawn).first().waitFor();
    await expect.poll(() => isSideways(page)).toBe(false);
    await shoot(page, `panels-${family}-phone`);
    await page.locator('a.at').first().click();
    await page.locator('.inspector h2', { hasText: 'Event' }).waitFor();
    expect(wrong).toEqual([]);
    await close();
  });

  test('a copy holds them, without the puzzle', async () => {
    const place = newPlace();
    const id = await begun(place, words);
    const file = join(place.folder, 'out.html');
    expect(await polya(place, ['view', id, '--export', file])).toMatchObject({ code: 0 });
    for (const text of hidden) expect(readFileSync(file, 'utf8')).not.toContain(text);
    const { href } = pathToFileURL(file);
    const { page, wrong, close } = await pageAt(href, { allowed: href });
    await page.locator('a.event').first().waitFor();
    await page.keyboard.press('v');
    await page.locator('.sentence', { hasText: sentence }).waitFor();
    await expect.poll(() => page.locator('.panel :is(.grids svg, .words .button)').count()).toBe(0);
    expect(wrong).toEqual([]);
    await close();
  });
});

test('D shows the digits of grids', async () => {
  const place = newPlace();
  const { page, wrong, close } = await look(place, {
    hash: `#/runs/${await begun(place, families[0]?.words ?? [])}/panels`,
  });
  const digits = page.locator('.grids text').first();
  await digits.waitFor({ state: 'attached' });
  await expect.poll(() => digits.isVisible()).toBe(false);
  await page.keyboard.press('d');
  await digits.waitFor();
  expect(wrong).toEqual([]);
  await close();
});

describe('a proof that was graded', () => {
  const proof = join(bundled('proofs'), 'odd-squares-wrong.md');

  test('and rejected opens on what was found, each at the sentence that it quotes', async () => {
    const place = newPlace();
    const id = await begun(place, ofFamily('proof', { file: theorem, proof }, 'proof-grader', 'proof-check'));
    const { page, wrong, close } = await look(place, { hash: `#/runs/${id}` });
    await page.waitForURL(`**/#/runs/${id}/panels`);
    const marks = page.locator('.formulas mark');
    await expect
      .poll(() => marks.allTextContents())
      .toContain('A sum of two odd numbers is twice an odd number');
    expect((await marks.allTextContents()).join('')).not.toContain('is no square');
    await expect.poll(() => page.locator('.sentence b').textContent()).toMatch(/^The proof did not pass/);
    await expect.poll(() => page.locator('.facts').first().textContent()).toContain('ended');
    // Its events are one key away, and stay.
    await page.keyboard.press('v');
    await page.waitForURL(`**/#/runs/${id}`);
    await page.locator('a.event').first().waitFor();
    expect(wrong).toEqual([]);
    await close();
  });

  test('by replies that cannot be read says so first', async () => {
    const place = newPlace();
    const script = join(place.folder, 'grader.yaml');
    const replies = Array.from({ length: 8 }, (_, at) => ({
      text: at === 0 ? 'A report.' : '{"findings":[]}',
    }));
    writeFileSync(script, JSON.stringify({ roles: { grader: { '': replies } } }));
    const words = ['--family', 'proof', '--problem', JSON.stringify({ file: theorem, proof })];
    const id = await begun(place, [...words, '--agent', 'proof-grader', '--model', `scripted:${script}`]);
    const { page, close } = await look(place, { hash: `#/runs/${id}/panels` });
    await expect
      .poll(() => page.locator('.sentence b').textContent())
      .toBe('The grader’s report cannot be read, although it was asked for it again.');
    await page.goto(page.url().replace('/panels', ''));
    await page.getByText('malformed', { exact: false }).first().waitFor();
    await expect.poll(() => page.locator('.inspector').textContent()).toContain('cannot be read');
    expect(await page.locator('.inspector').textContent()).not.toContain(': nothing');
    await close();
  });
});

test.each([
  ['over a formula', 'It is $x+y$, so.\nNot this.', [6, 8], 'It is [[]], so.\nNot this.'],
  ['in emphasis', 'A **bold b** c.', [9, 14], 'A bold [b][ c].'],
  ['of an item of a list', '- one\n- two', [6, 11], '\none\n[two]\n'],
  ['in a block of code, which has none', '```\nx = 1\n```', [5, 8], 'x = 1\n'],
])('a mark %s', (_of, text, [start = 0, end = 0], shown) => {
  const html = renderedForPage(text, [{ start, end }]).replaceAll(
    /<span class="katex">.*?<\/math><\/span>/gs,
    '[]',
  );
  const plain = html
    .replaceAll('<mark>', '[')
    .replaceAll('</mark>', ']')
    .replaceAll(/<[^>]*>/g, '');
  expect(plain.trim()).toBe(shown.trim());
});

test('a proof is saved as Markdown, and a name that it has not is refused', async () => {
  const place = newPlace();
  const id = await begun(place, ofFamily('proof', { file: theorem }, 'verify-loop', 'proof-odd-squares'));
  const { page, server, close } = await look(place, { hash: `#/runs/${id}/panels` });
  const saved = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Save proof.md' }).click();
  expect((await saved).suggestedFilename()).toBe('proof.md');
  const get = (name: string) =>
    fetch(`${server.url}api/v1/runs/${id}/documents/${name}`, {
      headers: { authorization: `Bearer ${server.token}` },
    });
  expect(await (await get('proof.md')).text()).toContain('**Lemma 1.**');
  expect((await get('constructor')).status).toBe(404);
  await close();
});

test('what a test of ARC expects, and where an output differs from it, is folded until G; no copy holds it', async () => {
  const place = newPlace();
  const [arc] = families;
  const id = await begun(place, arc?.words ?? []);
  const { page, wrong, close } = await look(place, { hash: `#/runs/${id}/panels` });
  const step = page.locator('.part', { has: page.getByText('Step 1', { exact: true }) }).last();
  const test1 = step.locator('.grids', { hasText: 'test 1' }).last();
  await test1.locator('.unseen').nth(1).waitFor();
  const seen = await test1.locator('svg[role=img]').count();
  await expect.poll(() => test1.locator('g.mark').count()).toBe(0);
  await page.keyboard.press('g');
  await expect.poll(() => test1.locator('svg[role=img]').count()).toBe(seen + 2);
  await test1.getByLabel(/test 1, difference: .*; \d+ differ$/).waitFor();
  await test1.getByLabel(/test 1, right answer/).waitFor();
  // A train pair is no secret.
  await step
    .getByLabel(/^train \d, difference/)
    .first()
    .waitFor();
  await test1.scrollIntoViewIfNeeded();
  await shoot(page, 'panels-arc-gold');
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('g');
  await expect.poll(() => test1.locator('svg[role=img]').count()).toBe(seen);
  await expect.poll(() => isSideways(page)).toBe(false);
  expect(wrong).toEqual([]);
  await close();
});

test('solutions of ARC that are gone, or are others than when the run began, are not shown', async () => {
  const place = newPlace();
  for (const name of ['challenges', 'solutions']) {
    const text = readFileSync(bundled('arc', `polya_${name}.json`), 'utf8');
    writeFileSync(join(place.folder, `own_${name}.json`), text);
  }
  const solutions = join(place.folder, 'own_solutions.json');
  const task = { file: join(place.folder, 'own_challenges.json'), task: 'hollow' };
  const words = ofFamily('arc', task, 'single-call', '').slice(0, -2);
  const id = await begun(place, [...words, '--model', saying(place, 'wrong', '```\n1\n```')]);
  const grids = async (shown: number): Promise<void> => {
    const { page, close } = await look(place, { hash: `#/runs/${id}/panels` });
    await page.locator('.grids', { hasText: 'Handed in for test 1' }).waitFor();
    await expect.poll(() => page.locator('.unseen').count()).toBe(shown);
    await close();
  };
  await grids(1);
  const before = readFileSync(solutions, 'utf8');
  writeFileSync(solutions, before.replaceAll('0', '7'));
  await grids(0);
  rmSync(solutions);
  await grids(0);
});

test('a version of a proof shows which words it changed of the one before', async () => {
  const place = newPlace();
  const id = await begun(place, ofFamily('proof', { file: theorem }, 'verify-loop', 'proof-odd-squares'));
  const { page, wrong, close } = await look(place, { hash: `#/runs/${id}/panels` });
  await page
    .getByText(/^What it changed of the version of event \d+/)
    .first()
    .waitFor();
  const diff = page.locator('.panel .diff').first();
  await diff.locator('code.gone mark').first().waitFor();
  await diff.locator('code.come mark').first().waitFor();
  await diff.scrollIntoViewIfNeeded();
  await shoot(page, 'panels-proof-change');
  expect(await violations(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => isSideways(page)).toBe(false);
  await shoot(page, 'panels-proof-change-phone');
  expect(wrong).toEqual([]);
  await close();
});

test('how a task of ARC was graded and ended is told in words', async () => {
  const place = newPlace();
  const id = await begun(place, families[0]?.words ?? []);
  const { page, wrong, close } = await look(place, { hash: `#/runs/${id}` });
  await page.locator('a.event', { hasText: 'grade-start' }).waitFor();
  await expect
    .poll(() => page.locator('a.event', { hasText: 'grade-start' }).textContent())
    .toContain('grading of grids for 2 test inputs');
  for (const kind of ['grade-start', 'run-end']) {
    await page.locator('a.event', { hasText: kind }).click();
    await page.locator('.inspector h2', { hasText: kind }).waitFor();
    await page.locator('.inspector pre', { hasText: /^Test 1, attempt 1:\n\d( \d)*\n/ }).waitFor();
    const words = () => page.locator('.inspector pre').allTextContents();
    await expect.poll(async () => (await words()).join('\n')).not.toMatch(/[{}"]|\[\d/);
    await shoot(page, `run-arc-${kind}`);
  }
  expect(wrong).toEqual([]);
  await close();
});
