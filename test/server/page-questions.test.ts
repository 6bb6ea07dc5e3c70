/** What waits for a person, and what was spent, on the page in a real browser. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { newPlace, type Place, polya } from '../cli/shell.ts';
import { until } from '../support/until.ts';
import { asked, asks, isSideways, look, shoot } from './browser.ts';

/** A run whose model is a person. */
function manual(place: Place, question: string, answer: string) {
  const problem = ['--problem', JSON.stringify({ question, answer })];
  const model = ['--model', 'manual:http'];
  return polya(place, ['run', '--family', 'qa', ...problem, '--agent', 'single-call', ...model, '--json']);
}

describe('what waits for a person', () => {
  test('nothing: the page says how a run comes to ask', async () => {
    const { page, wrong, close } = await look(newPlace(), { hash: '#/questions' });
    await page.getByText('--model manual:http').waitFor();
    expect(wrong).toEqual([]);
    await close();
  });

  test('a question of an agent is answered by a choice, and the run goes on with it', async () => {
    const place = newPlace();
    const { run, own } = await asks(place, 'asks');
    const { page, wrong, close } = await look(place);
    await page.getByRole('link', { name: 'Questions 1' }).click();
    await page.getByText('Which way?').waitFor();
    await shoot(page, 'questions');
    // Another page, in which somebody writes more slowly.
    const slower = await page.context().newPage();
    await slower.goto(page.url());
    await slower.getByLabel('Answer').fill('straight on');
    await page.getByRole('button', { name: 'left', exact: true }).click();
    await slower.getByText('You had written: straight on').waitFor();
    expect((await run.done).solution?.answer).toEqual({ type: 'text', text: 'left' });
    await page.getByText('Nothing waits for you').waitFor();
    expect(wrong).toEqual([]);
    await close();
    await own.close();
  });

  test('a model whose place a person takes is answered from the page, by keyboard alone and on a phone', async () => {
    const place = newPlace();
    const folder = join(place.folder, 'desk');
    mkdirSync(folder);
    const question = '<img src=x onerror=alert(1)> How much is 6 times 7?';
    const running = manual(place, question, '42');
    const { page, wrong, close } = await look(place, {
      hash: '#/questions',
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    });
    await page.locator('article').waitFor();
    await expect.poll(() => page.locator('article').textContent()).toContain(question);
    await expect.poll(() => isSideways(page)).toBe(false);
    await shoot(page, 'questions-phone');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.keyboard.type('It is 42.');
    await page.keyboard.press('Control+Enter');
    const { out } = await running;
    const told = JSON.parse(out);
    expect(told).toMatchObject({ outcome: 'solved' });
    // It is said of it who answered, and the folder asks no longer.
    expect(told.models).toMatchObject([{ kind: 'person' }]);
    await expect.poll(() => existsSync(join(folder, `${told.id}_solver_001.prompt.md`))).toBe(false);
    await page.getByText('Nothing waits for you').waitFor();
    expect(wrong).toEqual([]);
    await close();
  });

  test("the command answers in a model's place too, and what does not fit is refused by both", async () => {
    const place = newPlace();
    const { run, own } = await asks(place, 'asks');
    const { server, page, close } = await look(place, { hash: '#/questions' });
    const send = (path: string, body: unknown) =>
      fetch(`${server.url}api/v1/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect((await send('runs/asks/questions/2', { answer: { text: 'x' } })).status).toBe(409);
    expect((await send('runs/asks/questions/2', {})).status).toBe(400);
    expect((await send('runs/asks/questions/99', { answer: 'x' })).status).toBe(409);
    expect((await send('runs/none/questions/2', { answer: 'x' })).status).toBe(404);
    expect((await send('runs/asks/questions/2', { answer: 'x'.repeat(2 ** 21) })).status).toBe(413);
    expect(await polya(place, ['runs', 'answer', 'asks', 'right'])).toMatchObject({ code: 0 });
    await run.done;
    const desk = manual(place, 'Two and two?', '4');
    await page.getByText('Two and two?').first().waitFor();
    expect(await polya(place, ['runs', 'answer', 'last', ' '])).toMatchObject({ code: 2 });
    expect(await polya(place, ['runs', 'answer', 'last', '4'])).toMatchObject({ code: 0 });
    expect(JSON.parse((await desk).out)).toMatchObject({ outcome: 'solved' });
    await close();
    await own.close();
  });

  test('with --read-only nobody answers, neither by the page nor by the route', async () => {
    const place = newPlace();
    const { run, own } = await asks(place, 'asks');
    const { page, close } = await look(place, { hash: '#/questions', isReadOnly: true });
    await page.getByText('This page only shows').waitFor();
    await expect.poll(() => page.locator('textarea').count()).toBe(0);
    run.stop();
    await run.done;
    await close();
    await own.close();
  });
});

describe('what was spent', () => {
  test('is told as polya cost tells it: free, unknown, and never 0 for unknown', async () => {
    const place = newPlace();
    const { page, wrong, close } = await look(place, { hash: '#/cost' });
    await page.getByText('No model has been asked').waitFor();
    const free = await asked(place, 'Free?', 'yes');
    await page.locator('a.line.costs', { hasText: 'free (script)' }).first().waitFor();
    // As if a provider had answered that told no price.
    const unknown = await asked(place, 'Dear?', 'yes');
    const database = new DatabaseSync(join(place.folder, '.polya', 'polya.db'));
    database.exec(
      `UPDATE events SET body = replace(replace(body, '"kind":"script"', '"kind":"live"'), '"costUsd":0', '"costUsd":null')
       WHERE run_key = (SELECT key FROM runs WHERE id = '${unknown}')`,
    );
    database.close();
    await page.getByRole('button', { name: 'by run' }).click();
    await until(async () => (await page.locator('a.line.costs:not(.head)').count()) === 3);
    const line = (id: string) => page.locator('a.line.costs', { hasText: id });
    await expect.poll(() => line(free).textContent()).toContain('free (script)');
    await until(async () => /unknown$/.test((await line(unknown).textContent()) ?? ''));
    const told = (await polya(place, ['cost', '--by', 'run'])).out;
    expect(told).toContain('unknown');
    await shoot(page, 'cost');
    await expect.poll(() => page.locator('h1').textContent()).toContain('unknown');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/#/runs/*');
    expect(wrong).toEqual([]);
    await close();
  });

  test('fits a phone', async () => {
    const place = newPlace();
    await asked(place, 'Free?', 'yes');
    const { page, close } = await look(place, { hash: '#/cost', viewport: { width: 390, height: 844 } });
    await page.locator('a.line.costs').first().waitFor();
    await expect.poll(() => isSideways(page)).toBe(false);
    await expect
      .poll(() => page.locator('a.line.costs').last().getByText('free (script)').isVisible())
      .toBe(true);
    // Names that differ at their ends show them.
    const cut = await page.evaluate<number>(
      `[...document.querySelectorAll('.costs .middle')].filter((name) => name.lastElementChild.getBoundingClientRect().right > name.getBoundingClientRect().right + 1).length`,
    );
    expect(cut).toBe(0);
    expect(await page.locator('a.line.costs .middle > :last-child').first().textContent()).toBe(
      '/script.yaml',
    );
    await shoot(page, 'cost-phone');
    await close();
  });
});
