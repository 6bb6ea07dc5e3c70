/** The family `qa` in whole runs: what a model is asked, how it is graded, and where the gold answer must never come. */
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { singleCall } from '../../src/agents/single-call/single-call.ts';
import { type Answers, openAnswers } from '../../src/answers/index.ts';
import type { Agent } from '../../src/core/agent.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { Answer, Problem } from '../../src/core/problem.ts';
import { qaFamily } from '../../src/families/qa/family.ts';
import { localFiles } from '../../src/io/local-files.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import { hashText } from '../../src/run/hash.ts';
import { replayRun } from '../../src/run/replay.ts';
import { startRun } from '../../src/run/start.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { eventsOf, toyWorld } from '../support/world.ts';

const own = (name: string) => join(import.meta.dirname, '../data', name);
let answers: Answers;
beforeAll(async () => {
  answers = await openAnswers();
});

function open(reply: string, agent: Agent = singleCall) {
  const folder = temporaryFolder();
  const { absolute, readBytes, stampOf } = localFiles(folder);
  const family = qaFamily({ answers, absolute, readBytes, stampOf, hashText });
  const world = toyWorld({
    folder,
    agents: [agent],
    families: [family],
    model: scriptedModel({ id: 'test', script: () => ({ text: reply }) }),
  });
  return { folder, world, family };
}

const spec = (problem: JsonObject, id = 'run') =>
  ({ id, family: 'qa', problem, agent: 'single-call', models: { default: 'any' } }) as const;

async function answered(problem: JsonObject, reply: string) {
  const { world } = open(reply);
  const handle = await startRun(world, spec(problem));
  return { end: await handle.done, events: await eventsOf(world, 'run'), world };
}

const secret = '8071';
const question = { question: 'What is the number of the house?', answer: secret };

test('where a Python can be run, a question offers a tool for programs; elsewhere none', async () => {
  const { family } = open('');
  const spec = await family.load(
    question,
    toyWorld({ folder: temporaryFolder() }).io,
    new AbortController().signal,
  );
  const offered = ({ environment }: { environment: string }) =>
    family.open({ ...spec, brief: { ...spec.brief, environment } }).tools?.map(({ name }) => name);
  expect(offered({ environment: '' })).toEqual([]);
  expect(offered({ environment: 'Programs are run by Python.' })).toEqual(['RunProgram']);
});

describe('grading', () => {
  test.each([
    ['It is \\boxed{0.5}', '\\frac12', 'solved'],
    ['It is \\boxed{0.51}', '\\frac12', 'wrong'],
    ['So there are 1,080 eggs.', 'Eggs.\n#### 1080', 'solved'],
    ['Answer: (c)', 'C', 'solved'],
    ['Answer: (d)', 'C', 'wrong'],
  ])('%s for %s is %s', async (reply, answer, outcome) => {
    const { end } = await answered({ question: 'q?', answer }, reply);
    expect(end.outcome).toBe(outcome);
  });

  test('a reply without an answer is malformed and wrong; without gold, an answer is answered', async () => {
    const nothing = await answered({ question: 'q?', answer: '3' }, `${'I wonder. '.repeat(60)}\nWho knows?`);
    expect(nothing.end).toMatchObject({ outcome: 'malformed', solution: { end: 'malformed' } });
    const { end } = await answered({ question: 'q?' }, 'It is \\boxed{4}');
    expect(end).toMatchObject({ outcome: 'answered', grade: null, solution: { answer: { text: '4' } } });
  });

  test('options of the comparison come from the reference', async () => {
    const reply = 'It is \\boxed{0.1}';
    const gold = { question: 'q?', answer: '10\\%' };
    expect((await answered(gold, reply)).end.outcome).toBe('wrong');
    expect((await answered({ ...gold, percent: 'fraction' }, reply)).end.outcome).toBe('solved');
    const set = { question: 'Where?', answer: '(-\\infty,2)\\cup(3,\\infty)' };
    const inequality = 'It is \\boxed{x<2 \\text{ or } x>3}';
    expect((await answered(set, inequality)).end.outcome).toBe('wrong');
    expect((await answered({ ...set, allowSetRelation: true }, inequality)).end.outcome).toBe('solved');
  });
});

test('the gold answer is in no request and in no spec that an agent sees', async () => {
  const seen: Problem[] = [];
  const nosy: Agent = {
    ...singleCall,
    solve: (problem, run, settings) => {
      seen.push(problem);
      return singleCall.solve(problem, run, settings as never);
    },
  };
  const { world, folder } = open('It is \\boxed{8071}', nosy);
  writeFileSync(join(folder, 'set.jsonl'), JSON.stringify({ ...question, id: 'x' }));
  const rows = [question, { file: 'set.jsonl', id: 'x' }];
  for (const [at, problem] of rows.entries()) {
    const handle = await startRun(world, spec(problem, `run-${at}`));
    expect((await handle.done).outcome).toBe('solved');
    const requests = (await eventsOf(world, `run-${at}`)).filter(({ kind }) => kind === 'model-request');
    expect(requests).toHaveLength(1);
    expect(JSON.stringify(requests)).toContain('number of the house');
    expect(JSON.stringify(requests)).not.toContain(secret);
  }
  expect(seen).toHaveLength(2);
  for (const { spec } of seen) expect(JSON.stringify(spec)).not.toContain(secret);
});

test('replay needs no file', async () => {
  const { world, folder } = open('It is \\boxed{8071}');
  const file = join(folder, 'set.jsonl');
  writeFileSync(file, JSON.stringify({ ...question, id: 'x' }));
  await (await startRun(world, spec({ file, id: 'x' }))).done;
  rmSync(file);
  const replay = await replayRun(world, 'run');
  expect(replay).toMatchObject({ complete: true, isSame: true, ending: { outcome: 'solved' } });
});

describe('posing', () => {
  test('questions in the forms of GSM8K and of MATH, by line and by id', async () => {
    const { family, world } = open('');
    const load = (reference: JsonObject) => family.load(reference, world.io, new AbortController().signal);
    const school = await load({ file: own('word-problems.jsonl'), line: 2 });
    expect(school).toMatchObject({ id: 'qa/word-problems/2', detail: { gold: '37', profile: 'number' } });
    const file = own('contest-problems.jsonl');
    const contest = await load({ file, id: 'own/precalculus/1.json' });
    expect(contest.detail).toMatchObject({
      gold: '\\left(5, \\frac{3\\pi}{2}\\right)',
      profile: 'math',
      types: { subject: 'Precalculus', level: '2' },
    });
    expect(contest.brief.answerFormat).toMatch(/\\boxed/);
    expect(await load({ file, line: 1 })).toMatchObject({ contentHash: contest.contentHash, id: contest.id });
  });

  test('a file that changed is read again', async () => {
    const { family, world, folder } = open('');
    const load = () => family.load({ file: 'set.jsonl', line: 1 }, world.io, new AbortController().signal);
    writeFileSync(join(folder, 'set.jsonl'), '{"question": "one?", "answer": "1"}');
    const before = await load();
    writeFileSync(join(folder, 'set.jsonl'), '{"question": "two?", "answer": "2"}');
    expect((await load()).title).toBe('two?');
    writeFileSync(join(folder, 'set.jsonl'), '{"question": "one?", "answer": "2"}');
    expect((await load()).contentHash).not.toBe(before.contentHash);
  });

  test.each<[string, JsonObject, RegExp]>([
    ['nothing', {}, /does not refer to a question/],
    ['neither line nor id', { file: 'set.jsonl' }, /by id or by line/],
    ['both', { file: 'set.jsonl', id: 'a', line: 1 }, /by id or by line/],
    ['an empty question', { question: '  ' }, /The question is empty/],
    ['an unreadable gold', { question: 'q', answer: '{' }, /gold answer.*braces/],
    ['a gold that is no number', { question: 'q', answer: 'many', profile: 'number' }, /is no number/],
    ['no file', { file: 'none.jsonl', line: 1 }, /There is no file .*none\.jsonl/],
    ['no such id', { file: 'set.jsonl', id: 'z' }, /no question with the id "z".*first with the id "a"/],
    ['no such line', { file: 'set.jsonl', line: 7 }, /no question on line 7/],
    ['a flawed line', { file: 'set.jsonl', line: 2 }, /line 2: its question is empty/],
    ['no such column', { file: 'set.jsonl', line: 1, answerColumn: 'gold' }, /no column "gold"/],
    ['no such profile', { question: 'q', profile: 'poem' }, /does not refer to a question/],
  ])('%s is refused', async (_name, reference, message) => {
    const { family, world, folder } = open('');
    const rows = [
      { id: 'a', question: 'q', answer: '1' },
      { id: 'b', question: '', answer: '1' },
    ];
    writeFileSync(join(folder, 'set.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
    await expect(family.load(reference, world.io, new AbortController().signal)).rejects.toThrow(message);
  });
});

describe('answers', () => {
  const text = (of: string): Answer => ({ type: 'text', text: of });

  test('are votes for the same where they are equal as mathematics', async () => {
    const { family, world } = open('');
    const problem = family.open(await family.load({ question: 'q' }, world.io, new AbortController().signal));
    expect(problem.equal?.(text('1/2'), text('0.50'))).toBe(true);
    expect(problem.equal?.(text('1/2'), text('0.51'))).toBe(false);
    expect(problem.equal?.(text('1'), { type: 'grids', attempts: [] })).toBe(false);
    expect(problem.parse?.('So it is \\boxed{7}.')).toEqual(text('7'));
    expect(problem.parse?.('')).toMatchObject({ type: 'misfit' });
    expect(problem.grade).toBeUndefined();
  });

  test('are graded as they are handed in: the vote and the grading read one answer', async () => {
    const { family, world } = open('');
    const load = (answer: string) =>
      family.load({ question: 'q', answer }, world.io, new AbortController().signal);
    const gradeOf = async (gold: string, answer: Answer | null) => {
      const grade = family.open(await load(gold)).grade;
      const context = { io: world.io, runId: 'r', stage: '', past: [], signal: new AbortController().signal };
      return (await grade?.({ answer, stagesDone: [] }, context))?.correct;
    };
    expect(await gradeOf('the battle of 9 AD', text('the battle of 9 AD'))).toBe(true);
    expect(await gradeOf('18', text('We add 18.\n\nThe final answer is 19.'))).toBe(false);
    expect(await gradeOf('19', text('We add 18.\n\nThe final answer is 19.'))).toBe(false);
    expect(await gradeOf('18', null)).toBe(false);
    expect(await gradeOf('18', text(' '))).toBe(false);
  });
});

test('a question that has changed since it was planned is refused', async () => {
  const { family, world, folder } = open('');
  const load = (reference: JsonObject) => family.load(reference, world.io, new AbortController().signal);
  writeFileSync(join(folder, 'set.jsonl'), '{"question": "one?", "answer": "1"}');
  const { contentHash } = await load({ file: 'set.jsonl', line: 1 });
  const reference = { file: 'set.jsonl', line: 1, contentHash };
  expect(await load(reference)).toMatchObject({ contentHash, reference: { contentHash } });
  writeFileSync(join(folder, 'set.jsonl'), '{"question": "one?", "answer": "2"}');
  const other = await load(reference);
  expect(other.contentHash).not.toBe(contentHash);
  expect(() => family.open(other)).toThrow(/The question on line 1 of .*set\.jsonl has changed/);
});

test('a copy elsewhere is the same question', async () => {
  const { family, world, folder } = open('');
  mkdirSync(join(folder, 'sub'));
  const from = own('word-problems.jsonl');
  copyFileSync(from, join(folder, 'sub', 'copy.jsonl'));
  const signal = new AbortController().signal;
  const [one, two] = await Promise.all(
    [from, 'sub/copy.jsonl'].map((file) => family.load({ file, line: 5 }, world.io, signal)),
  );
  expect(one?.contentHash).toBe(two?.contentHash);
  expect(two?.reference).toEqual({ file: join(folder, 'sub', 'copy.jsonl'), line: 5 });
});
