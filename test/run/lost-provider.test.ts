/** A provider that dies for one of several branches at work side by side: the run can be gone on with, over real HTTP. */
import { describe, expect, test } from 'vitest';
import type { Run } from '../../src/core/agent.ts';
import { requireReply } from '../../src/core/cut-off.ts';
import { openAiCompatibleModel } from '../../src/models/openai-compatible.ts';
import { replayRun } from '../../src/run/replay.ts';
import { resumeRun } from '../../src/run/resume.ts';
import { startRun } from '../../src/run/start.ts';
import { say as reply, sendJson, startChatServer } from '../models/chat-server.ts';
import { answered, oddRun, oddWorld } from '../support/odd.ts';

/** A server that has lost the questions in `lost`, and a model of it. */
async function provider() {
  const lost = new Set<string>();
  const asked: string[] = [];
  const server = await startChatServer((exchange) => {
    const { messages } = exchange.body as { messages: { content: string }[] };
    const question = messages.at(-1)?.content ?? '';
    asked.push(question);
    if (lost.has(question)) return sendJson(exchange.response, 503, { error: { message: 'gone' } });
    return reply(exchange, { content: `${question}!` });
  });
  const model = openAiCompatibleModel({
    id: 'test/lost',
    name: 'test-model',
    baseUrl: server.baseUrl,
    apiKey: 'a-key-of-no-use',
    price: null,
  });
  return { lost, asked, model, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

async function ask(run: Run, question: string): Promise<string> {
  const messages = [{ role: 'user', content: question }] as const;
  return JSON.stringify(requireReply(await run.generate('solver', { messages })).message);
}

const retry = { maxRetries: 0, firstWaitMs: 1, maxWaitMs: 1, maxRepairs: 0 };

/** Each asks its questions one after the other; what fails on one is thrown when all have ended. */
function sideBySide(branches: Readonly<Record<string, readonly string[]>>) {
  return async (run: Run) => {
    const ended = await Promise.allSettled(
      Object.entries(branches).map(([name, questions]) =>
        run.branch(name, async (here) => {
          for (const question of questions) await ask(here, question);
        }),
      ),
    );
    for (const each of ended) if (each.status === 'rejected') throw each.reason;
    return answered('all');
  };
}

describe('a provider that is lost to one branch while others go on', () => {
  test.each([
    ['one of two', { a: ['a1', 'a2'], b: ['b1', 'b2', 'b3'] }, ['a1'], ['a1', 'a2']],
    [
      'both, one after the other',
      { a: ['a1', 'a2'], b: ['b1', 'b2', 'b3'] },
      ['a1', 'b3'],
      ['a1', 'a2', 'b3'],
    ],
    ['one of three, in the middle', { a: ['a1'], b: ['b1', 'b2'], c: ['c1', 'c2', 'c3'] }, ['b2'], ['b2']],
  ])('%s', async (_name, branches, gone, again) => {
    await using place = await provider();
    const world = { ...oddWorld({ model: place.model, solve: sideBySide(branches) }), retry };
    for (const question of gone) place.lost.add(question);
    const end = await (await startRun(world, oddRun())).done;
    expect(end).toMatchObject({ outcome: 'error', error: { unavailable: true } });
    expect(end.again).toHaveLength(gone.length);
    expect(await replayRun(world, 'run')).toMatchObject({ complete: true, isSame: true });

    place.lost.clear();
    place.asked.length = 0;
    expect((await (await resumeRun(world, 'run')).done).outcome).toBe('answered');
    expect(place.asked.toSorted()).toEqual(again);
    expect(await replayRun(world, 'run')).toMatchObject({ complete: true, isSame: true });
  });

  test('what the agent went on after is not made again', async () => {
    await using place = await provider();
    const solve = async (run: Run) => {
      await run.branch('first', (here) => ask(here, 'first')).catch(() => undefined);
      return sideBySide({ a: ['a1'], b: ['b1', 'b2'] })(run);
    };
    const world = { ...oddWorld({ model: place.model, solve }), retry };
    for (const question of ['first', 'a1']) place.lost.add(question);
    const end = await (await startRun(world, oddRun())).done;
    expect(end.again?.map(({ branch }) => branch)).toEqual(['a']);
    place.lost.clear();
    place.asked.length = 0;
    expect((await (await resumeRun(world, 'run')).done).outcome).toBe('answered');
    expect(place.asked).toEqual(['a1']);
  });
});
