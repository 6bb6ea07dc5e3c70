/**
 * A run of each family against a server that is unreliable by seed. What it broke off is never an answer, what it sent
 * complete is paid once and in the journal, and a budget holds whatever it says of usage. `POLYA_CALLS=1000` makes more calls.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { evolution } from '../../src/agents/search/evolution.ts';
import { resolveModel } from '../../src/models/catalogue.ts';
import { startRun } from '../../src/run/start.ts';
import { programOf, toyContest } from '../ahc/session/toy-contest.ts';
import { newPlace, type Place, polya } from '../cli/shell.ts';
import { oddRun } from '../support/odd.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { eventsOf, toyWorld } from '../support/world.ts';
import { type Said, startUnreliableServer, type UnreliableServer } from './unreliable-server.ts';

const calls = Number(process.env.POLYA_CALLS ?? 120);
const seed = Number(process.env.POLYA_SEED ?? 20_261_128);
const model = 'openai-compatible/field';
/** What a broken-off reply would have answered: it is wrong everywhere. */
const wrong = 99_999;

type Body = Readonly<Record<string, unknown>>;

const json = (value: object): Said => ({ text: JSON.stringify(value) });
const textOfRequest = (body: Body): string => JSON.stringify(body.messages ?? '');

/** The sum that is asked for; a broken-off reply holds a complete wrong answer. */
function sum(body: Body, mark: string, isComplete: boolean): Said {
  const [, left = '0', right = '0'] = /What is (\d+) plus (\d+)\?/.exec(textOfRequest(body)) ?? [];
  const answer = isComplete ? Number(left) + Number(right) : wrong;
  return { text: `This is ${mark}. The answer is \\boxed{${answer}}.` };
}

function placeFor(server: UnreliableServer): Place {
  const { folder, env } = newPlace();
  writeFileSync(join(folder, 'prices.yaml'), `${model}: { input: 1, output: 1 }\n`);
  return { folder, env: { ...env, OPENAI_COMPATIBLE_BASE_URL: server.baseUrl, POLYA_PRICES: 'prices.yaml' } };
}

const exported = z.object({
  runs: z.array(
    z.object({
      events: z.array(z.looseObject({ kind: z.string(), body: z.record(z.string(), z.unknown()) })),
    }),
  ),
});

type Reply = { readonly mark: string; readonly finish: string };

/** The replies in all journals of a folder that ended well for the run, each with the mark that the server gave it. */
async function repliesIn(place: Place): Promise<readonly Reply[]> {
  const { out, err } = await polya(place, ['runs', 'export', '--all', '--format', 'json']);
  const { runs } = exported.parse(JSON.parse(out), { error: () => err });
  return runs.flatMap(({ events }) => events.flatMap(replyIn));
}

const journaledReply = z.object({
  kind: z.literal('model-response'),
  body: z.object({ status: z.literal('ok'), result: z.looseObject({ finish: z.string() }) }),
});

function replyIn(event: unknown): readonly Reply[] {
  const { data } = journaledReply.safeParse(event);
  if (!data) return [];
  const { result } = data.body;
  return [{ mark: /m\d+x\d+/.exec(JSON.stringify(result))?.[0] ?? '', finish: result.finish }];
}

async function expectHonest(place: Place, server: UnreliableServer): Promise<void> {
  expectAllKept(await repliesIn(place), server);
}

function expectAllKept(replies: readonly Reply[], { account }: UnreliableServer): void {
  const isComplete = ({ finish }: Reply): boolean => finish === 'stop' || finish === 'tool-calls';
  const cutButBelieved = replies.filter(
    (each) => isComplete(each) && account.sent.get(each.mark) !== 'complete',
  );
  expect(cutButBelieved, 'broken off, and taken as complete').toEqual([]);
  const kept = replies.filter(isComplete).map(({ mark }) => mark);
  const complete = [...account.sent].flatMap(([mark, how]) => (how === 'complete' ? mark : []));
  expect(kept.toSorted(), 'sent complete, and lost or paid twice').toEqual(complete.toSorted());
  if (process.env.POLYA_CALLS) {
    const { requests } = account;
    console.log({ requests, replies: account.sent.size, complete: complete.length, kept: kept.length });
  }
}

test('questions: what is broken off is never graded, what is complete is paid once', async () => {
  await using server = await startUnreliableServer({ seed, answer: sum });
  const place = placeFor(server);
  const rows = Array.from({ length: Math.ceil(calls / 2) }, (_, n) => ({
    id: `q${n}`,
    question: `What is ${n} plus ${2 * n}?`,
    answer: `${3 * n}`,
  }));
  writeFileSync(join(place.folder, 'q.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
  const argv = ['qa', 'run', 'q.jsonl', '--agent', 'single-call', '--model', model, '--concurrency', '16'];
  const { out, err } = await polya(place, [...argv, '--json']);
  expect(err).not.toContain('Type validation');
  expect(out).not.toContain(`"${wrong}"`);
  await expectHonest(place, server);
});

test('an ensemble, whose chains, programs and votes are broken off', async () => {
  await using server = await startUnreliableServer({ seed: seed + 1, answer: sum });
  const place = placeFor(server);
  const rows = Array.from({ length: Math.ceil(calls / 20) }, (_, n) => ({
    id: `q${n}`,
    question: `What is ${n} plus ${2 * n}?`,
    answer: `${3 * n}`,
  }));
  writeFileSync(join(place.folder, 'q.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
  const { out } = await polya(place, [
    'qa',
    'run',
    'q.jsonl',
    '--agent',
    'ensemble',
    '--model',
    model,
    '--json',
  ]);
  expect(out).not.toContain(`"${wrong}"`);
  await expectHonest(place, server);
});

test('days, whose calls of tools are broken off', async () => {
  const submit = (body: Body, mark: string, isComplete: boolean): Said => {
    const right = textOfRequest(body).includes('Multiply them') ? 12 : 7;
    const answer = `${isComplete ? right : wrong}`;
    return { text: `Now ${mark}.`, calls: [{ name: 'SubmitAnswer', args: { year: 0, day: 0, answer } }] };
  };
  await using server = await startUnreliableServer({ seed: seed + 2, answer: submit });
  const place = placeFor(server);
  writeFileSync(join(place.folder, 'input.txt'), '3\n4\n');
  const files = ['--site', 'files', '--statement', 'day.md', '--input', 'input.txt'];
  for (let day = 0; day < Math.ceil(calls / 15); day += 1) {
    writeFileSync(
      join(place.folder, 'day.md'),
      `# Numbers ${day}\n\nAdd them up.\n\n--- Part Two ---\n\nMultiply them.\n`,
    );
    const argv = ['aoc', 'run', '--lang', 'py', ...files, '--answer1', '7', '--answer2', '12'];
    const { code, err } = await polya(place, [...argv, '--model', model, '--json']);
    expect(code, err).not.toBe(2);
  }
  const { out } = await polya(place, ['runs', 'export', '--all', '--format', 'json']);
  const submitted = out.split('\n').filter((line) => line.includes(`"answer": "${wrong}"`));
  expect(submitted.length, 'the calls stand in replies alone').toBeGreaterThan(0);
  expect(out).not.toMatch(/"tool": "SubmitAnswer"[^}]*99999/);
  await expectHonest(place, server);
});

test('proofs, whose texts and verdicts are broken off', async () => {
  const proof = (body: Body, mark: string, isComplete: boolean): Said => {
    const isJudge = /"yes" or "no"|yes or no/i.test(textOfRequest(body));
    if (isJudge) return { text: `${isComplete ? 'no' : 'yes'} (${mark})` };
    const claim = isComplete ? 'By $x^2 \\ge 0$' : 'BROKEN-OFF PROOF';
    return {
      text: `### Summary ###\nDone, ${mark}.\n\n### Detailed Solution ###\n\n${claim}.\n\n### Detailed Verification Log ###\nFine.`,
    };
  };
  await using server = await startUnreliableServer({ seed: seed + 3, answer: proof });
  const place = placeFor(server);
  // A run may end early, at a provider that fails again and again.
  for (let problem = 1; server.account.requests < calls / 2; problem += 1) {
    const statement = `Prove that $x^2 + ${problem} > 0$ for all real $x$.\n`;
    writeFileSync(join(place.folder, 'problem.md'), statement);
    const argv = ['proof', 'solve', 'problem.md', '--max-model-calls', '60', '--model', model];
    const { code } = await polya(place, argv);
    expect(code, 'each complete verdict is no').not.toBe(0);
  }
  await expectHonest(place, server);
});

test('grids, whose instructions and outputs are broken off', async () => {
  const puzzle = (body: Body, mark: string, isComplete: boolean): Said => {
    const text = textOfRequest(body);
    if (text.includes('You check the rule of a puzzle'))
      return json({ rationale: mark, follows: true, rule: '', test_outputs: [] });
    if (!text.includes('You carry out instructions on grids')) {
      const instruction = isComplete ? 'Mirror each row.' : 'Fill with 9.';
      return json({
        rationale: mark,
        instruction,
        revises: null,
        mind: '',
        done: false,
        confidence: 'high',
      });
    }
    const query = /2 (\d) (\d) (\d)/.exec(text);
    const output = (sample: number, grid: string) => ({ sample, grid: isComplete ? grid : '9 9 9 9' });
    return json({
      status: mark,
      train_outputs: [output(1, '0 0 0 1')],
      test_outputs: [output(1, `${query?.slice(1).toReversed().join(' ')} 2`)],
    });
  };
  await using server = await startUnreliableServer({ seed: seed + 5, answer: puzzle });
  const place = placeFor(server);
  const digits = Array.from({ length: Math.ceil(calls / 12) }, (_, n) =>
    [n % 6, Math.floor(n / 6) % 6, Math.floor(n / 36) % 6].map((digit) => 3 + digit),
  );
  const named = (value: (pair: number[]) => unknown) =>
    JSON.stringify(Object.fromEntries(digits.map((pair, n) => [`t${n}`, value(pair)])));
  const train = [{ input: [[1, 0, 0, 0]], output: [[0, 0, 0, 1]] }];
  writeFileSync(
    join(place.folder, 'challenges.json'),
    named((pair) => ({ train, test: [{ input: [[2, ...pair]] }] })),
  );
  writeFileSync(
    join(place.folder, 'solutions.json'),
    named((pair) => [[[...pair.toReversed(), 2]]]),
  );
  const argv = [
    'arc',
    'run',
    '--task-file',
    'challenges.json',
    '--solutions',
    'solutions.json',
    '--pictures',
    'none',
  ];
  const { out, err } = await polya(place, [...argv, '--model', model, '--concurrency', '8', '--json']);
  expect(err).not.toContain('Type validation');
  const { tasks } = z
    .looseObject({ tasks: z.array(z.looseObject({ outcome: z.string(), attempts: z.unknown() })) })
    .parse(JSON.parse(out));
  expect(tasks.map(({ outcome }) => outcome)).toContain('solved');
  expect(JSON.stringify(tasks.map(({ attempts }) => attempts))).not.toContain('9');
  await expectHonest(place, server);
});

test('a contest, whose programs are broken off', async () => {
  const program = (_body: Body, mark: string, isComplete: boolean): Said => {
    const quality = isComplete ? 10 + (Number(mark.split('x')[1]) % 90) : wrong;
    return { text: `IDEA: ${mark}\n\n\`\`\`cpp\n${programOf(mark, quality)}\`\`\`\n` };
  };
  await using server = await startUnreliableServer({ seed: seed + 6, answer: program });
  const folder = temporaryFolder();
  const env = { OPENAI_COMPATIBLE_BASE_URL: server.baseUrl };
  const live = await resolveModel(model, { env, priceOf: () => null });
  const world = {
    ...toyWorld({ folder, model: live, agents: [evolution], families: [toyContest(folder)] }),
    retry: { maxRetries: 8, firstWaitMs: 1, maxWaitMs: 5 },
  };
  const settings = {
    operators: { change: 0, rewrite: 1, tune: 0 },
    islands: 2,
    linesPerIsland: 2,
    populationSize: 6,
    heldOutCases: 0,
    plateauGenerations: 0,
    maxGenerations: calls,
  };
  const spec = oddRun({
    family: 'ahc',
    problem: { workspace: folder },
    agent: 'evolution',
    settings,
    limits: { modelCalls: Math.ceil(calls / 2) },
  });
  const end = await (await startRun(world, spec)).done;
  const events = await eventsOf(world, 'run');
  const run = events.filter(({ kind }) => kind.startsWith('evaluate') || kind.startsWith('grade'));
  expect(run.length).toBeGreaterThan(10);
  expect(JSON.stringify(run)).not.toContain(`quality = ${wrong}`);
  expect(end).toMatchObject({ outcome: 'scored' });
  expectAllKept(events.flatMap(replyIn), server);
});

test('a budget holds, whatever the server says of usage', async () => {
  await using server = await startUnreliableServer({ seed: seed + 4, answer: sum });
  const place = placeFor(server);
  const rows = Array.from({ length: calls }, (_, n) => ({ id: `q${n}`, question: `What is ${n} plus 1?` }));
  writeFileSync(join(place.folder, 'q.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
  const budgetUsd = 0.05;
  const argv = ['qa', 'run', 'q.jsonl', '--agent', 'single-call', '--model', model];
  await polya(place, [...argv, '--budget', `${budgetUsd}`, '--concurrency', '8']);
  expect(server.account.requests).toBeGreaterThan(0);
  const costUsd = server.account.chargedTokens / 1e6;
  expect(costUsd).toBeLessThanOrEqual(budgetUsd);
  if (process.env.POLYA_CALLS) console.log({ requests: server.account.requests, costUsd, budgetUsd });
});
