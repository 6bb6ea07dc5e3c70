/** Run-sets, budgets, paces and costs with a live model over real HTTP: what is told is what the server was asked. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Exchange, say as reply, startChatServer } from '../models/chat-server.ts';
import { until } from '../support/until.ts';
import { newPlace, type Place, polya } from './shell.ts';

const model = 'openai-compatible/some';
/** A dollar for a hundred tokens out. */
const prices = `${model}: { input: 0, output: 10000 }\n`;

/** `together`: the first of its answers waits until so many are asked for at once. */
async function serve(together = 1) {
  const usage = { prompt_tokens: 20, completion_tokens: 50, total_tokens: 70 };
  const watched = { atOnce: 0, most: 0 };
  const server = await startChatServer(async (exchange: Exchange) => {
    watched.atOnce += 1;
    watched.most = Math.max(watched.most, watched.atOnce);
    await until(() => watched.most >= together);
    // Long enough for one more than may be there to come.
    await new Promise((resolve) => setTimeout(resolve, 40));
    watched.atOnce -= 1;
    reply(exchange, { content: 'an answer', usage });
  });
  return { server, watched };
}

function placeAt(
  baseUrl: string,
  { models = model, ...more }: { readonly models?: string; readonly [key: string]: unknown } = {},
): Place {
  const { folder, env } = newPlace();
  writeFileSync(join(folder, 'prices.yaml'), prices);
  writeFileSync(join(folder, 'pace.yaml'), 'openai-compatible/*: { callsAtOnce: 2 }\n');
  const rows = Array.from({ length: 8 }, (_, n) => ({
    name: `question ${n}`,
    problem: { text: `What is ${n}?` },
  }));
  const defaults = { family: 'plain', agent: 'single-call', models };
  writeFileSync(
    join(folder, 'set.yaml'),
    JSON.stringify({ name: 'questions', concurrency: 6, defaults, rows, ...more }),
  );
  const files = { POLYA_PRICES: 'prices.yaml', POLYA_PACE: join(folder, 'pace.yaml') };
  const access = {
    OPENAI_COMPATIBLE_BASE_URL: baseUrl,
    OPENROUTER_BASE_URL: baseUrl,
    OPENROUTER_API_KEY: 'none',
  };
  return { folder, env: { ...env, ...files, ...access } };
}

test('a set keeps to the pace of its user, and costs what the server counted', async () => {
  const { server, watched } = await serve(2);
  await using _closing = server;
  const place = placeAt(server.baseUrl);
  const { code, err, out } = await polya(place, ['run-set', 'run', 'set.yaml', '--json']);
  expect(code, err).toBe(0);
  expect(server.exchanges).toHaveLength(8);
  expect(watched.most).toBe(2);
  expect(err).toMatch(/Estimate: about \$56\.00, about 5,[\d,]+ tokens in all/);
  const told = JSON.parse(out);
  expect(told.ended).toBe('done');
  expect(told.totals.costUsd).toBeCloseTo(8 * 0.5, 9);
  const { out: spent } = await polya(place, ['cost', '--by', 'family']);
  expect(spent).toMatch(/plain +8 +160 +0 % +400 +\$4\.00/);
  expect((await polya(place, ['run-set', 'show', 'last'])).out).toMatch(/\$4\.00 spent/);
});

test('a budget is kept with what the server may say at most, and a larger one asks the rest', async () => {
  const { server } = await serve();
  await using _closing = server;
  // Room for three answers of 1,024 tokens at most, of which each takes 50.
  const place = placeAt(server.baseUrl, { budget: { usd: 11.5 }, concurrency: 2 });
  const first = await polya(place, ['run-set', 'run', 'set.yaml', '--json']);
  const told = JSON.parse(first.out);
  expect(told.ended, first.err).toBe('budget');
  expect(told.totals.costUsd).toBeLessThanOrEqual(11.5);
  const asked = server.exchanges.length;
  expect(asked).toBeGreaterThan(1);
  expect(asked).toBeLessThan(8);
  for (const { body } of server.exchanges) expect(body.max_tokens).toBeGreaterThanOrEqual(1_024);
  const again = await polya(place, ['run-set', 'resume', told.id, '--budget', '500', '--csv']);
  expect(again.err).toMatch(
    /Estimate: \d rows? to begin: about \$.* in all(; \d rows? that ha(s|ve) begun: so far)?/,
  );
  expect(again.out.trim().split('\n')).toHaveLength(9);
  expect(server.exchanges, 'of each row, one call').toHaveLength(8);
  expect((await polya(place, ['run-set', 'show', told.id])).out).toMatch(/8 rows, 8 answered/);
  const alone = await polya(place, ['runs', 'resume', `${told.id}-1`]);
  expect(alone).toMatchObject({
    code: 2,
    err: expect.stringMatching(/is a row of the run-set .*shares its budget/s),
  });
});

test('a model without a price has no budget, and costs what nobody knows', async () => {
  const { server } = await serve();
  await using _closing = server;
  // One that is paid wherever it is reached: a server of this machine is free.
  const place = placeAt(server.baseUrl, { concurrency: 1, models: 'openrouter/some' });
  const refused = await polya(place, ['run-set', 'run', 'set.yaml', '--budget', '5']);
  expect(refused).toMatchObject({ code: 2, err: expect.stringMatching(/Row 1 .*price .* is unknown/) });
  expect(server.exchanges).toHaveLength(0);
  const { err, out } = await polya(place, ['run-set', 'run', 'set.yaml', '--concurrency', '3']);
  expect(err).toMatch(/unknown \(a price is not known\)/);
  expect(out).toMatch(/unknown spent|at least/);
  expect((await polya(place, ['cost'])).out).toMatch(/some +8 .* unknown/);
  const json = JSON.parse((await polya(place, ['cost', '--json'])).out);
  expect(json.total).toMatchObject({ costUsd: null, callsOfUnknownCost: 8 });
});

test('a list of runs is narrowed and sorted by what they cost', async () => {
  const { server } = await serve();
  await using _closing = server;
  const place = placeAt(server.baseUrl, { concurrency: 4 });
  await polya(place, ['run-set', 'run', 'set.yaml']);
  await polya(place, ['ask', 'One more?', '--model', model, '--setting', 'max_output_tokens=9']);
  const listed = async (...more: string[]) =>
    JSON.parse((await polya(place, ['runs', 'list', ...more, '--json'])).out);
  const { runs: ofSet } = await listed('--set', 'last', '--limit', '3');
  expect(ofSet).toHaveLength(3);
  expect(ofSet[0]).toMatchObject({ costUsd: 0.5, knownTokens: { output: 50 }, set: expect.any(String) });
  expect((await listed('--sort', 'cost')).runs).toHaveLength(9);
  expect((await listed('--model', 'som', '--outcome', 'answered,wrong', '--since', '1h')).runs).toHaveLength(
    9,
  );
  for (const none of [
    ['--model', 'other'],
    ['--outcome', 'error'],
    ['--agent', 'x'],
    ['--since', '2099-01-01'],
  ])
    expect(await polya(place, ['runs', 'list', ...none]), none.join(' ')).toMatchObject({
      code: 0,
      out: 'No run here is like that.\n',
    });
  for (const wrong of [
    ['--since', 'soon'],
    ['--sort', 'age'],
    ['--set', 'nothing'],
  ])
    expect(await polya(place, ['runs', 'list', ...wrong]), wrong.join(' ')).toMatchObject({
      code: 2,
      out: '',
    });
  expect((await polya(place, ['runs', 'list', '--sort', 'cost'])).out).toMatch(/What is 0\? .* \$0\.50\n/);
});

test('a run-set is found by a part of its name, or not', async () => {
  const { server } = await serve();
  await using _closing = server;
  const place = placeAt(server.baseUrl, { concurrency: 6 });
  await polya(place, ['run-set', 'run', 'set.yaml']);
  await polya(place, ['run-set', 'run', 'set.yaml']);
  expect(await polya(place, ['run-set', 'show', 'nothing'])).toMatchObject({
    code: 2,
    err: expect.stringMatching(/There is no run-set nothing/),
  });
  expect(await polya(place, ['run-set', 'show', '20'])).toMatchObject({
    code: 2,
    err: expect.stringMatching(/2 run-sets begin or end with 20/),
  });
  expect((await polya(place, ['run-set', 'show', ''])).err).toMatch(
    /There is no run-set "" here|run-sets begin/,
  );
  const last = await polya(place, ['run-set', 'show', 'last', '--json']);
  const { sets } = JSON.parse((await polya(place, ['run-set', 'list', '--json'])).out);
  expect(sets).toHaveLength(2);
  expect(JSON.parse(last.out).id, 'the newest').toBe(sets[0].id);
  const { out } = await polya(place, ['run-set', 'show', sets[1].id.slice(-4), '--json']);
  expect(JSON.parse(out).id).toBe(sets[1].id);
});

test('limits of each row, tokens in common and how many at once are said on the command line', async () => {
  const { server } = await serve();
  await using _closing = server;
  const place = placeAt(server.baseUrl, { concurrency: 1 });
  const told = ['--max-tool-calls', '7', '--max-minutes', '3', '--max-tokens', '5000', '--concurrency', '5'];
  const argv = ['run-set', 'run', 'set.yaml', ...told, '--setting', 'temperature=1', '--dry-run', '--json'];
  const { plan } = JSON.parse((await polya(place, argv)).out);
  expect(plan).toMatchObject({ concurrency: 5, budget: { tokens: 5_000 } });
  expect(plan.rows).toHaveLength(8);
  for (const row of plan.rows) {
    expect(row.limits).toEqual({ toolCalls: 7, wallMs: 180_000 });
    expect(row.modelSettings).toEqual({ default: { temperature: 1 } });
  }
  expect(server.exchanges).toHaveLength(0);
});

test('rows may be at different addresses, and each remembers its own', async () => {
  const [here, there] = [await serve(), await serve()];
  await using _here = here.server;
  await using _there = there.server;
  const place = placeAt('http://127.0.0.1:9/v1');
  const rows = [here, there].map(({ server }, n) => ({
    problem: { text: `What is ${n}?` },
    baseUrls: server.baseUrl,
  }));
  const defaults = { family: 'plain', agent: 'single-call', models: model };
  writeFileSync(join(place.folder, 'set.yaml'), JSON.stringify({ name: 'two places', defaults, rows }));
  for (const { server } of [here, there]) {
    const address = `openai-compatible=${server.baseUrl}`;
    const named = await polya(place, ['trust', '--address', address, '--yes']);
    expect(named.code, named.err).toBe(0);
  }
  const { code, err } = await polya(place, ['run-set', 'run', 'set.yaml']);
  expect(code, err).toBe(0);
  expect([here, there].map(({ server }) => server.exchanges.length)).toEqual([1, 1]);
  const all = await polya(place, ['run-set', 'run', 'set.yaml', '--base-url', here.server.baseUrl]);
  expect(all.code, all.err).toBe(0);
  expect([here, there].map(({ server }) => server.exchanges.length)).toEqual([3, 1]);
});
