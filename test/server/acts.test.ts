/** Acts of the page that begin something, over real HTTP: they do what the command does, in processes of their own. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { notesIn } from '../../src/notes/event-line.ts';
import type { ComparedRow, Comparison, ForkItem } from '../../src/notes/page-compare.ts';
import { start } from '../cli/process.ts';
import { day1, newPlace, type Place, polya, stallingScript } from '../cli/shell.ts';
import { until } from '../support/until.ts';
import { acting, ensembleRun } from './acting.ts';

const header = (events: readonly { readonly kind: string; readonly body: unknown }[]) =>
  events.findLast(({ kind }) => kind === 'run-fork' || kind === 'run-start')?.body;

async function ended({ store }: Awaited<ReturnType<typeof acting>>, id: string): Promise<void> {
  await until(async () => {
    const row = await store.get(id);
    return row?.ended && row.owner === null;
  });
}

describe('a fork', () => {
  test('with hint, prompt, setting, model and limit is the one that the shown command makes', async () => {
    const place = newPlace();
    const id = await ensembleRun(place);
    const server = await acting(place, { asksProcesses: true });
    const given = {
      at: 9,
      hint: `it's "5", --not $HOME \`4\``,
      settings: { reminders: 0, selfCorrection: false },
      prompts: { chain: 'Think.\n\nWhat to do: {{task}}' },
      models: { default: 'scripted/qa-rope' },
      limits: { tokens: 50_000, minutes: 3 },
    };
    const shown = await server.post(`runs/${id}/fork`, { ...given, dryRun: true });
    expect(shown).toMatchObject({
      status: 200,
      body: {
        dryRun: true,
        estimate: expect.any(String),
        settings: { reminders: 0 },
        limits: { tokens: 50_000 },
      },
    });
    expect((await server.store.list()).length).toBe(1);
    const begun = await server.post(`runs/${id}/fork`, given);
    expect(begun).toMatchObject({ status: 200, body: { command: shown.body.command } });
    const fork = String(begun.body.run);
    await ended(server, fork);
    // The shell takes the command's words for what they are.
    const typed = start(place, ['-c', `printf '%s\\0' ${shown.body.command}`], '/bin/sh');
    const [, ...words] = (await typed.ended).out.split('\0').slice(0, -1);
    const typedFork: { id: string } = JSON.parse((await polya(place, [...words, '--json'])).out);
    const [mine, other] = [await server.events(fork), await server.events(typedFork.id)];
    const named = { runId: '', fork: null, sandbox: null };
    expect({ ...Object(header(mine)), ...named }).toEqual({ ...Object(header(other)), ...named });
    expect(mine.map(({ kind, branch }) => [kind, branch])).toEqual(
      other.map(({ kind, branch }) => [kind, branch]),
    );
    expect(mine.flatMap(notesIn)).toContain(given.hint);
  });

  let id = '';
  let server: Awaited<ReturnType<typeof acting>>;
  // What is refused changes nothing.
  const over: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const place = newPlace();
    id = await ensembleRun(place);
    server = await acting(place, { whenOver: (close) => void over.push(close) });
  });
  afterAll(async () => {
    for (const close of over) await close();
  });

  test.each([
    ['a setting that the agent does not have', { settings: { nosuch: 1 } }, /nosuch/],
    ['a setting of the wrong type', { settings: { reminders: 'often' } }, /reminders/],
    ['an event that is not there', { at: 9_999 }, /no event 9999/],
    ['an empty hint', { hint: ' ' }, /empty/],
    ['a prompt with an unknown place', { prompts: { chain: '{{nosuch}}' } }, /nosuch/],
    ['a prompt of another name', { prompts: { nosuch: 'x' } }, /nosuch/],
    ['a prompt whose name is a path', { prompts: { '../x': 'x' } }, /cannot be asked/],
    ['a model that nobody serves', { models: { default: 'nosuch/x' } }, /nosuch/],
    ['a role that the agent does not have', { models: { nosuch: 'scripted/qa-rope' } }, /nosuch/],
    ['a limit below zero', { limits: { tokens: -1 } }, /cannot be asked/],
    ['a word that is no field', { nosuch: 1 }, /cannot be asked/],
    ['a setting of models that none has', { modelSettings: { nosuch: '1' } }, /nosuch/],
  ])('%s is refused before anything is begun', async (_name, given, why) => {
    const refused = await server.post(`runs/${id}/fork`, { ...given, dryRun: true });
    expect(refused).toMatchObject({ status: 400, body: { error: expect.stringMatching(why) } });
    expect(await server.store.list()).toHaveLength(1);
  });

  test('and so is one that was not shown first', async () => {
    const refused = await server.post(`runs/${id}/fork`, { settings: { nosuch: 1 } });
    expect(refused).toMatchObject({ status: 400, body: { error: expect.stringMatching(/nosuch/) } });
    expect(await server.store.list()).toHaveLength(1);
  });
});

describe('a new run', () => {
  test('is begun from a form; texts that look like JSON stay texts, and an option is no option', async () => {
    const place = newPlace();
    writeFileSync(join(place.folder, 's.json'), '{"roles": {"solver": {"": [{"text": "42"}]}}}');
    const server = await acting(place);
    const given = {
      family: 'qa',
      agent: 'single-call',
      problem: { question: '--dry-run', answer: '042' },
      models: { default: 'scripted:s.json' },
      settings: { system: 'true' },
    };
    const begun = await server.post('runs', given);
    expect(begun).toMatchObject({ status: 200, body: { run: expect.any(String) } });
    const id = String(begun.body.run);
    await ended(server, id);
    expect(header(await server.events(id))).toMatchObject({
      problem: { reference: { question: '--dry-run', answer: '042' } },
      agent: { name: 'single-call', settings: { system: 'true' } },
    });
  });

  test('without a model, of no family or of an agent that does not fit, is refused with what to do', async () => {
    const server = await acting(newPlace());
    const given = { family: 'qa', agent: 'single-call', problem: { question: 'x' } };
    for (const wrong of [given, { ...given, family: 'nosuch' }, { ...given, agent: 'induction-graph' }]) {
      const models = wrong === given ? {} : { default: 'scripted/qa-rope' };
      const refused = await server.post('runs', { ...wrong, models, dryRun: true });
      expect(refused).toMatchObject({
        status: 400,
        body: { what: expect.any(String), error: expect.any(String) },
      });
    }
    expect(await server.store.list()).toEqual([]);
  });

  test('forms are made from what agents and families say', async () => {
    const { body } = await (await acting(newPlace(), { asksProcesses: true })).get('parts');
    expect(body).toMatchObject({
      agents: expect.arrayContaining([
        expect.objectContaining({ name: 'ensemble', settings: expect.any(Array) }),
      ]),
      families: expect.arrayContaining([expect.objectContaining({ name: 'qa', problem: expect.any(Array) })]),
    });
  });
});

describe('a run that was begun from the page', () => {
  test('lives on when its server is killed, and its words hold no key', async () => {
    const place = newPlace();
    const secret = 'sk-a-key-that-nobody-may-see';
    const env = { ...place.env, OPENAI_API_KEY: secret };
    const { model } = stallingScript(place, 1);
    const viewing = start({ ...place, env }, ['view', '--no-open', '--json']);
    let out = '';
    viewing.child.stdout?.on('data', (text: string) => {
      out += text;
    });
    await until(() => /"address": "([^"]+)"/.exec(out));
    const { url, token } = JSON.parse(readFileSync(join(place.folder, '.polya', 'view.json'), 'utf8'));
    const [year, day, site, lang] = [2000, 1, 'practice', 'python'];
    const response = await fetch(`${url}api/v1/runs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        family: 'aoc',
        agent: 'tool-loop',
        problem: { year, day, site, lang },
        models: { default: model },
      }),
    });
    const { run } = (await response.json()) as { run: string };
    const { store } = await acting(place);
    const row = await until(async () => {
      const found = await store.get(run);
      return found && found.lastSeq > 3 ? found : null;
    });
    const pid = row.owner?.pid ?? 0;
    expect(pid).not.toBe(viewing.child.pid);
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toContain('tool-loop');
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toContain(secret);
    viewing.child.kill('SIGKILL');
    await viewing.ended;
    expect((await store.get(run))?.owner?.pid).toBe(pid);
    // It hears its user still, and ends in order.
    await polya(place, ['runs', 'stop', run]);
    await until(async () => (await store.get(run))?.ended);
  });

  test('is resumed after it was stopped, and comes to its end', async () => {
    const place = newPlace();
    const { model, goesOn } = stallingScript(place, 2);
    const begun = start(place, [...day1, '--model', model, '--json']);
    const server = await acting(place);
    const { id } = await until(async () => {
      const [row] = await server.store.list();
      return row && row.lastSeq > 8 ? row : null;
    });
    await server.post(`runs/${id}/stop`, { text: '' });
    await begun.ended;
    goesOn();
    expect(await server.post(`runs/${id}/resume`, { dryRun: true })).toMatchObject({
      status: 200,
      body: { command: `./polya runs resume ${id}`, dryRun: true },
    });
    expect((await server.store.get(id))?.ended).toBe(true);
    expect(await server.post(`runs/${id}/resume`, {})).toMatchObject({ status: 200, body: { run: id } });
    await until(async () => (await server.store.get(id))?.summary.outcome === 'solved');
    expect((await server.events(id)).some(({ kind }) => kind === 'run-resume')).toBe(true);
  });
});

test('--read-only refuses every act on the server', async () => {
  const place = newPlace();
  const id = await ensembleRun(place);
  const { post, store } = await acting(place, { isReadOnly: true });
  for (const path of ['runs', `runs/${id}/fork`, `runs/${id}/resume`, `runs/${id}/stop`, `runs/${id}/tell`])
    expect(await post(path, {})).toMatchObject({ status: 403 });
  expect(await store.list()).toHaveLength(1);
});

describe('what is told of several runs', () => {
  test('a comparison parts where `polya runs diff` says, and its rows come in parts', async () => {
    const place = newPlace();
    const id = await ensembleRun(place);
    const { out } = await polya(place, ['runs', 'fork', id, '--at', '9', '--hint', 'Mind it.', '--json']);
    const { id: fork } = JSON.parse(out) as { id: string };
    const { get } = await acting(place);
    const difference = JSON.parse((await polya(place, ['runs', 'diff', id, fork, '--json'])).out);
    const compared = (await get(`compare?a=${id}&b=${fork}`)).body as unknown as Comparison;
    expect(compared.header).toEqual(difference.header);
    const { rows } = (await get(`compare/rows?a=${id}&b=${fork}&from=0&limit=1000`)).body as unknown as {
      rows: readonly ComparedRow[];
    };
    expect(rows).toHaveLength(compared.rows);
    const parting = rows[compared.parting ?? -1];
    expect(parting).toMatchObject({
      place: difference.parting.at,
      a: difference.parting.a && { seq: difference.parting.a.seq },
      b: difference.parting.b && { seq: difference.parting.b.seq },
    });
    expect(rows.filter(({ isSame }) => !isSame)).toHaveLength(compared.differences);
    expect(rows.slice(0, compared.parting ?? 0).every(({ isSame, a }) => isSame || a === null)).toBe(true);
    const part = (await get(`compare/rows?a=${id}&b=${fork}&from=3&limit=2`)).body;
    expect(part).toEqual({ from: 3, rows: rows.slice(3, 5) });
    expect((await get(`compare?a=${id}&b=none`)).status).toBe(404);
    expect((await get(`compare?a=${id}&b=${id}&branchB=nosuch`)).status).toBe(404);
  });

  test('two branches of one run are laid side by side by what they did there', async () => {
    const place = newPlace();
    const id = await ensembleRun(place);
    const { get } = await acting(place);
    const query = `a=${id}&b=${id}&branchA=chain-1&branchB=chain-2`;
    const { rows } = (await get(`compare/rows?${query}`)).body as unknown as { rows: readonly ComparedRow[] };
    expect(rows.length).toBeGreaterThan(2);
    const replies = rows.find(({ place: at }) => at.endsWith('model-response'));
    expect(replies).toMatchObject({ isSame: false, a: { branch: '' }, b: { branch: '' } });
  });

  test('the forks of a run, from any of them, with what each changed', async () => {
    const place = newPlace();
    const id = await ensembleRun(place);
    const forkOf = async (run: string, ...words: string[]): Promise<string> =>
      JSON.parse((await polya(place, ['runs', 'fork', run, ...words, '--json'])).out).id;
    const one = await forkOf(id, '--at', '9', '--hint', 'Mind it.');
    const other = await forkOf(id, '--set', 'reminders=0');
    const below = await forkOf(one, '--max-tokens', '90000');
    const { get } = await acting(place);
    for (const from of [id, below]) {
      const { forks } = (await get(`runs/${from}/forks`)).body as unknown as { forks: readonly ForkItem[] };
      expect(forks.map(({ item, parent, depth }) => [item.id, parent, depth])).toEqual([
        [id, null, 0],
        [one, id, 1],
        [below, one, 2],
        [other, id, 1],
      ]);
      expect(forks.map(({ changed }) => changed.map(({ name }) => name))).toEqual([
        [],
        ['hints'],
        ['limit tokens'],
        ['setting reminders'],
      ]);
    }
  });

  test('words are found in all of a journal, also where no line shows them', async () => {
    const place: Place = newPlace();
    const id = await ensembleRun(place);
    const { get, events } = await acting(place);
    const all = await events(id);
    const found = async (query: string) =>
      (await get(`runs/${id}/search?${query}`)).body as { hits: number[] };
    // Of a prompt: only the request that brings it, not those whose conversation holds it.
    const { hits } = await found('words=CUT+metres');
    expect(hits.length).toBeGreaterThan(0);
    for (const seq of hits) expect(JSON.stringify(all[seq - 1])).toMatch(/cut/i);
    expect(await found('words=nosuchword')).toEqual({ hits: [], next: null });
    const first = await get(`runs/${id}/search?words=solver&limit=1`);
    expect(first.body).toMatchObject({ hits: [expect.any(Number)], next: expect.any(Number) });
    const rest = await get(`runs/${id}/search?words=solver&after=${first.body.next}`);
    const whole = await found('words=solver');
    expect([...(first.body.hits as number[]), ...(rest.body.hits as number[])]).toEqual(whole.hits);
  });
});
