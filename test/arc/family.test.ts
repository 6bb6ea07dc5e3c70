/** The family `arc` in whole runs: what a model is shown, how it is graded, and where solutions must never come. */

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { singleCall } from '../../src/agents/single-call/single-call.ts';
import type { Agent } from '../../src/core/agent.ts';
import { capabilitiesOf } from '../../src/core/define.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { Answer, Grid, Problem } from '../../src/core/problem.ts';
import { answerIn } from '../../src/families/arc/answer.ts';
import { taskIn } from '../../src/families/arc/family.ts';
import { replayRun } from '../../src/run/replay.ts';
import { resumeRun } from '../../src/run/resume.ts';
import { startRun } from '../../src/run/start.ts';
import { coded } from '../support/coded.ts';
import { eventsOf } from '../support/world.ts';
import { bothFiles, challenges, folderWith, oneMore, solutions, twoTests, worldOf } from './tasks.ts';

const spec = (problem: JsonObject, id = 'run') =>
  ({ id, family: 'arc', problem, agent: 'single-call', models: { default: 'any' } }) as const;

const signal = new AbortController().signal;

async function ended(files: Readonly<Record<string, unknown>>, problem: JsonObject, reply: string) {
  const { world } = worldOf(folderWith(files), reply);
  return await (await startRun(world, spec(problem))).done;
}

const fenced = (...grids: readonly string[]) => grids.map((grid) => `\`\`\`\n${grid}\n\`\`\``).join('\n');

describe('grading', () => {
  const a1 = { file: 'my_challenges.json', task: 'a1' };
  const b2 = { file: 'my_challenges.json', task: 'b2' };

  test.each<[string, JsonObject, string, string, number]>([
    ['the right grid', a1, fenced('4 5 6'), 'solved', 1],
    ['the right grid second', a1, fenced('4 5 7', '4 5 6'), 'solved', 1],
    ['a wrong grid', a1, fenced('4 5 7'), 'wrong', 0],
    ['another shape', a1, fenced('4 5 6\n4 5 6'), 'wrong', 0],
    ['both of two', b2, fenced('4', '5 5'), 'solved', 1],
    ['one of two', b2, fenced('4', '5 6'), 'wrong', 0.5],
    ['two attempts each', b2, fenced('9', '4', '5 5', '9 9'), 'solved', 1],
    ['what is right for the other one', b2, fenced('5 5', '4'), 'wrong', 0],
  ])('%s', async (_name, problem, reply, outcome, score) => {
    const end = await ended(bothFiles, problem, reply);
    expect(end).toMatchObject({ outcome, grade: { score, correct: outcome === 'solved' } });
  });

  test('two attempts count, not three; extra and missing queries shift nothing', async () => {
    const { family } = worldOf(folderWith(bothFiles), '');
    const grade = async (attempts: readonly (readonly Grid[])[]) => {
      const problem = family.open(await family.load(b2, null as never, signal));
      return problem.grade?.({ answer: { type: 'grids', attempts }, stagesDone: [] }, null as never);
    };
    const wrong: Grid = [[0]];
    expect(await grade([[wrong, wrong, [[4]]], [[[5, 5]]]])).toMatchObject({
      score: 0.5,
      data: { pairs: 2, right: 1, attempts: [null, 1] },
      explanation: '1 of 2 test outputs are right.',
    });
    expect(await grade([[], [wrong, [[5, 5]]]])).toMatchObject({ data: { attempts: [null, 2] } });
    expect(await grade([[[[4]]], [[[5, 5]]], [wrong]])).toMatchObject({ correct: true });
    expect(await grade([])).toMatchObject({ score: 0 });
  });

  test('without solutions an answer is answered', async () => {
    const end = await ended({ 'my_challenges.json': challenges }, a1, fenced('4 5 6'));
    expect(end).toMatchObject({ outcome: 'answered', grade: null });
    const chosen = await ended(bothFiles, { ...a1, solutions: null }, fenced('4 5 6'));
    expect(chosen.outcome).toBe('answered');
  });

  test('a reply in another form is malformed, and says why', async () => {
    const end = await ended(bothFiles, a1, 'The answer is blue.');
    expect(end).toMatchObject({ outcome: 'malformed', solution: { detail: /no grid/ } });
  });

  test('solutions that are gone at the end: the run can be resumed and is graded then', async () => {
    const folder = folderWith(bothFiles);
    const file = join(folder, 'my_solutions.json');
    const text = readFileSync(file, 'utf8');
    const agent: Agent = {
      ...singleCall,
      solve: async (problem, run, settings) => {
        const solution = await singleCall.solve(problem, run, settings as never);
        rmSync(file);
        return solution;
      },
    };
    const { world } = worldOf(folder, fenced('4 5 6'), agent);
    const first = await (await startRun(world, spec(a1))).done;
    expect(first.outcome).toBe('error');
    expect(JSON.stringify(await eventsOf(world, 'run'))).toContain('Put the file back as it was');
    writeFileSync(file, text.replace('6', '7'));
    await expect(resumeRun(world, 'run')).rejects.toThrow(coded('problem-changed'));
    writeFileSync(file, text);
    const again = worldOf(folder, 'never asked');
    expect((await (await resumeRun(again.world, 'run')).done).outcome).toBe('solved');
  });
});

describe('which grids of a reply are its answer', () => {
  const [input, one, two] = ['3 3 3', '1 1 1', '2 2 2'].map((row) => `\`\`\`\n${row}\n${row}\n\`\`\``);
  const grid = (cell: number) => [1, 2].map(() => [cell, cell, cell]);
  test.each([
    ['its input is told before it', `The input:\n${input}\nThe output:\n${one}`, [[grid(1)]]],
    ['a trial comes before it', `First try:\n${one}\nCorrected:\n${two}`, [[grid(2)]]],
    ['words that say nothing before a trial', `Start here:\n${one}\nSo the answer is\n${two}`, [[grid(2)]]],
    ['two guesses', `Output:\n${one}\nOr else:\n${two}`, [[grid(1), grid(2)]]],
    ['two guesses, called so', `Guess 1:\n${one}\nGuess 2:\n${two}`, [[grid(1), grid(2)]]],
    ['two guesses behind the input', `Input:\n${input}\nA:\n${one}\nB:\n${two}`, [[grid(1), grid(2)]]],
    ['three trials', `A:\n${input}\nB:\n${one}\nTherefore C:\n${two}\n`, [[grid(2)]]],
  ])('%s', (_name, reply, attempts) => {
    expect(answerIn(reply, 1)).toEqual({ type: 'grids', attempts });
  });
});

test('of three that letters alone tell apart none is the answer: they may be pieces of one', () => {
  const [first, second, third] = ['1 1 1\n1 1 1', '2 2 2\n2 2 2', '3 3 3\n3 3 3'];
  expect(answerIn(`A:\n${first}\nB:\n${second}\nC:\n${third}`, 1)).toMatchObject({ type: 'misfit' });
});

describe('solutions stay with the grading', () => {
  const secret = 8;
  const shown = { ...oneMore, test: [{ input: [[3, 4, 5]], output: [[secret, secret]] }] };
  const files = { 'my_challenges.json': { a1: shown }, 'my_solutions.json': { a1: [[[secret, secret]]] } };

  test('they are in no spec that an agent sees, in no request, and not in the journal', async () => {
    const seen: Problem[] = [];
    const nosy: Agent = {
      ...singleCall,
      solve: (problem, run, settings) => {
        seen.push(problem);
        return singleCall.solve(problem, run, settings as never);
      },
    };
    const { world } = worldOf(folderWith(files), fenced('1 1'), nosy);
    const end = await (await startRun(world, spec({ file: 'my_challenges.json', task: 'a1' }))).done;
    expect(end.outcome).toBe('wrong');
    const [problem] = seen;
    expect(problem?.examples).toEqual({ pairs: oneMore.train, queries: [[[3, 4, 5]]] });
    expect(problem && capabilitiesOf(problem)).toEqual(new Set(['parse', 'equal', 'examples', 'samples']));
    const target = problem?.samples?.target;
    expect(target?.type === 'inputs' && target.answer([['5 4 3'], ['3 4 5']])).toEqual({
      type: 'grids',
      attempts: [[[[5, 4, 3]], [[3, 4, 5]]]],
    });
    expect(target?.type === 'inputs' && target.answer([['no grid']])).toMatchObject({ type: 'misfit' });
    const { contentHash, ...seenSpec } = problem?.spec ?? {};
    expect(contentHash).not.toBe('');
    expect(JSON.stringify(seenSpec)).not.toContain('output":[[8');
    const journal = JSON.stringify(await eventsOf(world, 'run')).replaceAll(
      /"(contentHash|hash|id|at|time\w*|\w*Ms|createdAt)":("[^"]*"|\d+)/g,
      '',
    );
    expect(journal).not.toMatch(/8 8|8, ?8|\[8/);
    expect(journal).toContain('3 4 5');
  });

  test('test pairs that carry their outputs are graded by them, and show them to nobody', async () => {
    const single = { 'task.json': shown };
    const end = await ended(single, { file: 'task.json' }, fenced('8 8'));
    expect(end.outcome).toBe('solved');
    expect((await ended(single, { file: 'task.json', solutions: null }, fenced('8 8'))).outcome).toBe(
      'answered',
    );
    const named = await ended(single, { file: 'task.json', solutions: 'task.json' }, fenced('8 8'));
    expect(named.outcome).toBe('solved');
  });

  test('replay needs no file', async () => {
    const folder = folderWith(bothFiles);
    const { world } = worldOf(folder, fenced('4 5 6'));
    await (await startRun(world, spec({ file: 'my_challenges.json', task: 'a1' }))).done;
    rmSync(join(folder, 'my_challenges.json'));
    rmSync(join(folder, 'my_solutions.json'));
    expect(await replayRun(world, 'run')).toMatchObject({
      complete: true,
      isSame: true,
      ending: { outcome: 'solved' },
    });
  });
});

describe('posing', () => {
  test('the spec has all that another process needs, with absolute paths', async () => {
    const folder = folderWith(bothFiles);
    const { family } = worldOf(folder, '');
    const spec = await family.load({ file: 'my_challenges.json', task: 'b2' }, null as never, signal);
    expect(spec).toMatchObject({
      id: 'arc/b2',
      title: 'ARC b2',
      reference: {
        file: join(folder, 'my_challenges.json'),
        task: 'b2',
        solutions: join(folder, 'my_solutions.json'),
      },
    });
    expect(taskIn(spec)).toEqual({ id: 'b2', train: twoTests.train, test: [[[3]], [[4, 4]]] });
    const elsewhere = worldOf(folderWith({}), '');
    const again = await elsewhere.family.load(spec.reference, null as never, signal);
    expect(again).toEqual(spec);
    const [part] = spec.statement;
    expect(part?.type === 'text' && part.text).toContain('## Test input 2 (1×2)\n\n4 4');
    expect(spec.brief.answerFormat).toContain('both guesses for test input 1');
  });

  test('another task, and other solutions, are another problem', async () => {
    const folder = folderWith(bothFiles);
    const { family } = worldOf(folder, '');
    const hash = async () =>
      (await family.load({ file: 'my_challenges.json', task: 'a1' }, null as never, signal)).contentHash;
    const before = await hash();
    expect(await hash()).toBe(before);
    writeFileSync(join(folder, 'my_solutions.json'), JSON.stringify({ ...solutions, b2: [[[1]], [[1]]] }));
    expect(await hash()).toBe(before);
    writeFileSync(join(folder, 'my_solutions.json'), JSON.stringify({ ...solutions, a1: [[[1]]] }));
    expect(await hash()).not.toBe(before);
  });

  test.each<[string, JsonObject, RegExp]>([
    ['no reference', {}, /file/],
    ['an unknown field', { file: 'my_challenges.json', id: 'a1' }, /id/],
    ['no such file', { file: 'nowhere.json', task: 'a1' }, /There is no file or folder .*nowhere\.json/],
    ['no task named of several', { file: 'my_challenges.json' }, /2 tasks, and none is named/],
    ['an unknown task', { file: 'my_challenges.json', task: 'c3' }, /has no task c3.*first a1, b2/],
    [
      'a faulty task',
      { file: 'bad_challenges.json', task: 'x' },
      /Task x: train pair 1, output: row 2 has 1 cell/,
    ],
    [
      'no such solutions',
      { file: 'my_challenges.json', task: 'a1', solutions: 'no.json' },
      /no file of solutions/,
    ],
  ])('%s', async (_name, reference, expected) => {
    const bad = { x: { ...oneMore, train: [{ input: [[1]], output: [[1, 2], [1]] }] }, y: oneMore };
    const { family } = worldOf(folderWith({ ...bothFiles, 'bad_challenges.json': bad }), '');
    await expect(family.load(reference, null as never, signal)).rejects.toThrow(expected);
  });

  test('a good task beside faulty ones can be posed', async () => {
    const { family } = worldOf(folderWith({ 'bad_challenges.json': { x: {}, y: oneMore } }), '');
    await family.load({ file: 'bad_challenges.json', task: 'y' }, null as never, signal);
  });
});

test('votes for the same: the first guesses agree', async () => {
  const { family } = worldOf(folderWith(bothFiles), '');
  const problem = family.open(
    await family.load({ file: 'my_challenges.json', task: 'b2' }, null as never, signal),
  );
  const grids = (...attempts: readonly (readonly Grid[])[]): Answer => ({ type: 'grids', attempts });
  const equal = (a: Answer, b: Answer) => problem.equal?.(a, b);
  expect(equal(grids([[[4]]], [[[5]]]), grids([[[4]], [[9]]], [[[5]]]))).toBe(true);
  expect(equal(grids([[[4]]], [[[5]]]), grids([[[4]]], [[[6]]]))).toBe(false);
  expect(equal(grids([[[4]]]), grids([[[4]]], [[[5]]]))).toBe(false);
  expect(equal(grids([], []), grids([], []))).toBe(true);
  expect(equal(grids([], []), { type: 'text', text: '4' })).toBe(false);
});
