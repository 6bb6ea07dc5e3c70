/** The examples, end to end but for the run: script, tools, real sandbox, real HTTP, real files. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Message, Model } from '../../src/core/model.ts';
import { toolCallsOf } from '../../src/core/model.ts';
import type { ToolResult } from '../../src/core/problem.ts';
import { loadScript } from '../../src/models/script-file.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import { bubblewrapSandbox } from '../../src/sandbox/bubblewrap.ts';
import { dayOne, type Session, startFixture } from './fixture.ts';

const sandbox = bubblewrapSandbox();

async function modelOf(day: number): Promise<Model> {
  const file = join(import.meta.dirname, `../../examples/scripts/aoc-practice-day${day}.yaml`);
  return scriptedModel({ id: `scripted/day${day}`, script: await loadScript(file) });
}

/** What the agent `tool-loop` does, without a journal. */
async function converse(model: Model, session: Session): Promise<ToolResult[]> {
  const messages: Message[] = [{ role: 'user', content: session.problem.spec.statement }];
  const results: ToolResult[] = [];
  for (let index = 0; session.stage() !== ''; index++) {
    const call = { role: 'solver', branch: '', index, attempt: 0, signal: new AbortController().signal };
    const reply = await model.generate({ messages }, call);
    if (!reply.ok) throw new Error(reply.error.message);
    messages.push(reply.message);
    for (const { id, name, args } of toolCallsOf(reply.message)) {
      const result = await session.play(name, args ?? {});
      results.push(result);
      messages.push({ role: 'tool', callId: id, name, content: result.text });
      if (result.advance) messages.push({ role: 'user', content: result.advance.statement });
    }
  }
  return results;
}

const submissions = (session: Session) =>
  session.past
    .filter(({ tool }) => tool === 'SubmitAnswer')
    .map(({ stage, result }) => [stage, result.data?.verdict]);
const executions = (session: Session) =>
  session.past.filter(({ tool }) => tool === 'RunGeneratedCode').map(({ result }) => result);

test('day 1 in Python: a crash, a wrong answer, both stars', async () => {
  await using fixture = await startFixture({ sandbox });
  const session = await fixture.open();
  await converse(await modelOf(1), session);
  expect(submissions(session)).toEqual([
    ['part1', 'too-low'],
    ['part1', 'right'],
    ['part2', 'right'],
  ]);
  const [crash, , example] = executions(session);
  expect(crash).toMatchObject({ isError: true, data: { phase: 'run', verdict: 'exit', exitCode: 1 } });
  expect(crash?.text).toMatch(/^p1, puzzle: exit 1; CPU [\d.]+ s\nstdout:\n\nstderr:\nTraceback/);
  expect(example?.text).toMatch(/^p3, input 1: ok; CPU [\d.]+ s\nstdout:\n33$/);
  const context = { io: fixture.io, runId: 'r', stage: '', past: [], signal: new AbortController().signal };
  const grade = await session.problem.grade?.({ answer: null, stagesDone: ['part1', 'part2'] }, context);
  expect(grade?.correct).toBe(true);
});

test('day 2 in C++: a compile error, a wrong example, both stars', async () => {
  await using fixture = await startFixture({ sandbox });
  const session = await fixture.open({ ...dayOne, day: 2, lang: 'cpp' });
  await converse(await modelOf(2), session);
  expect(submissions(session)).toEqual([
    ['part1', 'right'],
    ['part2', 'right'],
  ]);
  const [compileError, wrongExample, example] = executions(session);
  expect(compileError).toMatchObject({ isError: true, data: { phase: 'compile', verdict: 'exit' } });
  expect(compileError?.text).toMatch(/^p1: compile error; CPU [\d.]+ s\nstderr:\n.*priority_queue/s);
  expect(wrongExample?.text).toMatch(/\nstdout:\n(?!13$)\d+$/m);
  expect(example?.text).toMatch(/\nstdout:\n13$/);
});

test('a program reads its input from the file too, or what the model gives it', async () => {
  await using fixture = await startFixture({ sandbox });
  const session = await fixture.open();
  const code = 'import sys\na = sys.stdin.read()\nprint(a == open("input.txt").read(), len(a))';
  const real = await session.play('RunGeneratedCode', { lang: 'Python', code });
  expect(real.text).toMatch(/stdout:\nTrue [1-9]\d{3}$/);
  const given = await session.play('RunGeneratedCode', { lang: 'python', code, input: '' });
  expect(given.text).toMatch(/stdout:\nTrue 0$/);
});
