/** The screen of a run in a real browser: lanes and what was used over time, keys, commands, what no model was shown. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { EventKind } from '../../src/core/event.ts';
import type { Journals } from '../../src/open/options.ts';
import { day1, newPlace, type Place, polya, solvingScript } from '../cli/shell.ts';
import { ensembleRun } from './acting.ts';
import { asked, isSideways, look, pageAt, saying, shoot } from './browser.ts';

type Written = {
  readonly kind: EventKind;
  readonly branch?: string;
  readonly ordinal?: number;
  readonly body: object;
};

/** Goes on with a run in the place of its process. */
async function writing({ world }: Journals, id: string) {
  const ownership = await world.store.acquire(id, world.owner);
  let seq = (await world.store.get(id))?.lastSeq ?? 0;
  return {
    write: async (events: readonly Written[]): Promise<void> => {
      const rows = events.map(({ kind, branch = '', ordinal = null, body }, index) => ({
        seq: seq + index + 1,
        atMs: Date.now(),
        branch,
        ordinal,
        attempt: 0,
        kind,
        body: JSON.stringify(body),
      }));
      seq += events.length;
      await world.store.append(ownership, { events: rows, blobs: [], durable: false, ended: false });
    },
    release: () => world.store.release(ownership),
  };
}

/** As if a provider had been paid, whose price is known of some calls only. */
function paid({ folder }: Place, id: string, costs: readonly (number | null)[]): void {
  const database = new DatabaseSync(join(folder, '.polya', 'polya.db'));
  const own = `run_key = (SELECT key FROM runs WHERE id = '${id}')`;
  const rows = database.prepare(`SELECT seq, kind, body FROM events WHERE ${own} ORDER BY seq`).all();
  let call = 0;
  for (const { seq, kind, body } of rows) {
    const live = String(body)
      .replaceAll('"kind":"script"', '"kind":"live"')
      .replaceAll('UsdPerMillion":0', 'UsdPerMillion":1');
    const cost = JSON.stringify(costs[call % costs.length] ?? null);
    if (kind === 'model-response') call++;
    const told = kind === 'model-response' ? live.replace(/"costUsd":0\b/, `"costUsd":${cost}`) : live;
    database.prepare(`UPDATE events SET body = ? WHERE seq = ? AND ${own}`).run(told, seq ?? 0);
  }
  database.close();
}

async function wrongRun(place: Place): Promise<string> {
  const problem = [
    '--problem',
    JSON.stringify({ question: 'How long is the shorter piece?', answer: '7.0625' }),
  ];
  const model = ['--model', saying(place, 'said', 'The answer is 4.')];
  const { out } = await polya(place, [
    'run',
    '--family',
    'qa',
    ...problem,
    '--agent',
    'single-call',
    ...model,
    '--json',
  ]);
  return JSON.parse(out).id;
}

test('tokens and cost stand below the lanes, on their axis; a cost that is not known is never nothing', async () => {
  const place = newPlace();
  const some = await ensembleRun(place);
  const none = await ensembleRun(place);
  paid(place, some, [0.25, null]);
  paid(place, none, [null]);
  const { page, wrong, close } = await look(place, { hash: `#/runs/${some}` });
  const cost = page.locator('.lane.cost');
  await expect.poll(() => cost.locator('.total').textContent()).toMatch(/^≥ \$0\.\d+$/);
  await expect.poll(() => cost.locator('path.unknown').count()).toBeGreaterThan(0);
  await expect.poll(() => page.locator('.lane.tokens path:not(.unknown)').count()).toBe(1);
  // The cursor of the chosen event tells its time on the axis of all of them.
  await page.locator('.axis .at').waitFor();
  await shoot(page, 'run-cost');
  await page.goto(page.url().replace(some, none));
  await expect.poll(() => cost.locator('.total').textContent()).toBe('unknown');
  await expect.poll(() => cost.locator('path:not(.unknown)').count()).toBe(0);
  await expect.poll(() => page.locator('.top').textContent()).not.toContain('$0');
  expect(wrong).toEqual([]);
  await close();
});

test('of more than twelve branches some are folded, and unfold', async () => {
  const place = newPlace();
  const id = await asked(place, 'Many?', 'yes');
  const { page, wrong, journals, close } = await look(place, { hash: `#/runs/${id}` });
  const { write, release } = await writing(journals, id);
  const branches = Array.from({ length: 40 }, (_, index) => `try-${index}`);
  await write(
    branches.flatMap((branch) => [
      { kind: 'exec-start' as const, branch, ordinal: 1, body: { language: 'python', source: 'print(1)' } },
      {
        kind: 'exec-end' as const,
        branch,
        ordinal: 1,
        body: { status: 'ok', result: { run: { verdict: 'ok' } } },
      },
    ]),
  );
  await page.getByRole('button', { name: '29 more branches' }).click();
  await expect.poll(() => page.locator('.lane:not(.used)').count()).toBe(41);
  await page.getByRole('button', { name: 'Only 12 branches' }).click();
  await expect.poll(() => page.locator('.lane:not(.used)').count()).toBe(12);
  await page.getByLabel('Branch', { exact: true }).selectOption('try-33');
  await expect.poll(() => page.locator('a.event').count()).toBe(2);
  await page.getByText('1 program', { exact: true }).waitFor();
  await release();
  expect(wrong).toEqual([]);
  await close();
});

test('parts of a problem are told with what each took', async () => {
  const place = newPlace();
  const { out } = await polya(place, [...day1, '--model', solvingScript(place), '--json']);
  const { id }: { id: string } = JSON.parse(out);
  const { page, wrong, close } = await look(place, { hash: `#/runs/${id}`, colorScheme: 'dark' });
  const parts = page.locator('.lane.stages .span');
  await expect.poll(() => parts.count()).toBe(2);
  await expect
    .poll(() => parts.first().getAttribute('title'))
    .toMatch(/^part1: solved, .+ model calls?, [\d,]+ tokens$/);
  await expect
    .poll(() => page.locator('.why').textContent())
    .toMatch(/^answer part1: \d+ \(right\); part2: \d+ \(right\) · Both parts were solved\./);
  await shoot(page, 'run-parts-dark');
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => isSideways(page)).toBe(false);
  await shoot(page, 'run-parts-phone');
  expect(wrong).toEqual([]);
  await close();
});

test('the sheet of keys tells those that do something, and each does it', async () => {
  const place = newPlace();
  const id = await ensembleRun(place);
  const { page, wrong, close } = await look(place, {
    hash: `#/runs/${id}/3`,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const clipboard = () => page.evaluate('navigator.clipboard.readText()');
  await page.locator('.inspector .fold').first().waitFor();
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keys' });
  await sheet.waitFor();
  const keys = await sheet.locator('kbd').allTextContents();
  expect(keys).toEqual(expect.arrayContaining(['?', '/', 'J', 'K', 'F', 'P', 'E', 'G', '.', 'Y', 'Esc']));
  // It has ended, was solved, and is no fork: these would do nothing.
  for (const key of ['S', 'T', 'R', 'C']) expect(keys).not.toContain(key);
  await shoot(page, 'keys');
  await page.keyboard.press('Escape');
  await expect.poll(() => sheet.count()).toBe(0);
  await page.keyboard.press('.');
  await page.locator('.inspector > pre', { hasText: '"kind": "model-request"' }).waitFor();
  await page.keyboard.press('y');
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(JSON.parse(String(await clipboard()))[0]).toMatchObject({ seq: 3, kind: 'model-request' });
  for (const [key, command] of [
    ['p', `polya runs replay ${id}`],
    ['e', `polya view --export ${id}.html ${id}`],
  ] as const) {
    await page.keyboard.press(key);
    await page.locator('dialog .command', { hasText: command }).waitFor();
    await page.locator('dialog').getByRole('button', { name: 'Copy' }).click();
    await page.getByText('It is in the clipboard.').waitFor();
    expect(await clipboard()).toBe(command);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('dialog').count()).toBe(0);
  }
  expect(wrong).toEqual([]);
  await close();
});

test('what no model was shown is folded until it is asked for, wherever it stands', async () => {
  const place = newPlace();
  const id = await wrongRun(place);
  const { page, wrong, journals, server, close } = await look(place);
  await page.locator('a.line').click();
  await page.locator('.inspector .hidden').waitFor();
  const shown = () => page.locator('main').textContent();
  await expect.poll(shown).toContain('Not shown to the model');
  await expect.poll(shown).not.toContain('7.0625');
  await page.keyboard.press('.');
  await page.locator('.inspector > pre', { hasText: '[not shown to the model: G shows it]' }).waitFor();
  await expect.poll(shown).not.toContain('7.0625');
  await page.keyboard.press('g');
  await expect.poll(() => page.locator('.facts').textContent()).toContain('7.0625');
  await page.locator('.inspector > pre', { hasText: '7.0625' }).waitFor();
  await page.keyboard.press('g');
  await expect.poll(shown).not.toContain('7.0625');
  // Nor does the comparison with another run tell it.
  await page.goto(`${server.url}#/compare/${id}/${await asked(place, 'Another?', 'no')}`);
  await page
    .locator('.pair', { hasText: 'run-end' })
    .or(page.locator('.pair', { hasText: 'wrong' }))
    .last()
    .click();
  await page.locator('.compare .hidden').waitFor();
  await expect.poll(shown).not.toContain('7.0625');
  await page.keyboard.press('g');
  await page.locator('.compare .hidden pre', { hasText: '7.0625' }).first().waitFor();
  await page.keyboard.press('g');
  await page.goto(`${server.url}#/runs/${id}`);
  // The input of a program; one that a message held was shown.
  const { write, release } = await writing(journals, id);
  const own = 'an input of which no message of the run says a word';
  await write([
    { kind: 'exec-start', ordinal: 90, body: { language: 'python', source: 'print(1)', stdin: own } },
    {
      kind: 'exec-start',
      ordinal: 91,
      body: { language: 'python', source: 'print(2)', stdin: 'How long is the shorter piece?' },
    },
  ]);
  await page.locator('a.event', { hasText: 'exec-start' }).first().click();
  await page.locator('.inspector .hidden b', { hasText: 'stdin' }).waitFor();
  await expect.poll(shown).not.toContain(own);
  await page.locator('a.event', { hasText: 'exec-start' }).last().click();
  await page.locator('.inspector pre', { hasText: 'How long is the shorter piece?' }).waitFor();
  await expect.poll(() => page.locator('.inspector .hidden').count()).toBe(0);
  await release();
  expect(wrong).toEqual([]);
  await close();
});

test('a conversation of two hundred messages opens at its end, on its last message', async () => {
  const place = newPlace();
  const id = await asked(place, 'Long?', 'yes');
  const { page, wrong, journals, close } = await look(place);
  const { write, release } = await writing(journals, id);
  const messages = Array.from({ length: 200 }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `Message ${index}.\n${'A line of it.\n'.repeat(20)}`,
  }));
  await write([{ kind: 'model-request', ordinal: 90, body: { role: 'solver', messages } }]);
  await page.locator('a.line').click();
  await page.locator('a.event', { hasText: '200 messages' }).click();
  const last = page.locator('.inspector .fold').nth(199);
  await expect.poll(() => last.getAttribute('open')).not.toBeNull();
  const distance = () =>
    last.evaluate((fold) => {
      const box = fold.closest('.inspector')?.getBoundingClientRect();
      return box ? Math.round(fold.getBoundingClientRect().top - box.top) : -1;
    });
  await expect.poll(distance).toBeGreaterThanOrEqual(0);
  await expect.poll(distance).toBeLessThan(500);
  await expect.poll(() => page.locator('.inspector .fold[open]').count()).toBe(1);
  // What comes meanwhile moves nothing of it.
  const before = await distance();
  await write(
    Array.from({ length: 20 }, (_, index) => ({ kind: 'note', body: { kind: 'step', data: {}, index } })),
  );
  await page.getByText('20 new').waitFor();
  expect(await distance()).toBe(before);
  await release();
  expect(wrong).toEqual([]);
  await close();
});

test('a live run tells how long it has been silent, and is stopped by its key after its command was shown', async () => {
  const place = newPlace();
  const id = await asked(place, 'Still going?', 'yes');
  const { page, wrong, journals, server, close } = await look(place);
  await page.clock.install();
  const { write, release } = await writing(journals, id);
  await write([{ kind: 'note', body: { kind: 'step', data: {}, index: 9 } }]);
  await page.reload();
  await page.locator('a.line .age').waitFor();
  await expect.poll(() => page.locator('a.line .age.stuck').count()).toBe(0);
  await page.clock.fastForward(60_000);
  await page.locator('a.line .age.stuck', { hasText: /last event 1 min/ }).waitFor();
  // Somebody else looks at the same time.
  const other = await pageAt(server.createLink(), { allowed: server.url });
  await other.page.locator('a.line', { hasText: 'running' }).waitFor();
  await page.getByLabel('Sort').selectOption('longest silent first');
  await page.getByLabel('Sort').selectOption('dearest first');
  await shoot(page, 'runs-stuck');
  await page.keyboard.press('j');
  await page.locator('a.line.chosen').waitFor();
  await page.keyboard.press('s');
  await page.locator('dialog .command', { hasText: `polya runs stop ${id}` }).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
  await expect.poll(() => page.locator('dialog').count()).toBe(0);
  await expect.poll(() => journals.world.store.mail(id, 0)).toMatchObject([{ kind: 'stop' }]);
  await write([{ kind: 'note', body: { kind: 'step', data: { words: 'told to both' }, index: 10 } }]);
  for (const each of [page, other.page]) await each.locator('a.line', { hasText: 'told to both' }).waitFor();
  expect(other.wrong).toEqual([]);
  await other.close();
  await release();
  expect(wrong).toEqual([]);
  await close();
});
