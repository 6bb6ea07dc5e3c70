/** Watching a model think: in the terminal of the run, from elsewhere, and in a log that nobody draws anew. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { LiveView } from '../../src/cli/live-view.ts';
import { Speaker } from '../../src/cli/speaker.ts';
import type { Agent } from '../../src/core/agent.ts';
import type { Event } from '../../src/core/event.ts';
import type { Model, ModelCall } from '../../src/core/model.ts';
import type { Family } from '../../src/core/problem.ts';
import { openJournals } from '../../src/open/journals.ts';
import { startRun } from '../../src/run/start.ts';
import { noPaint } from '../../src/text/paint.ts';
import { until } from '../support/until.ts';
import { newPlace, polya } from './shell.ts';

afterEach(() => vi.useRealTimers());

const clearLine = '\r\x1b[2K';

/**
 * Both branches begin at once, and each says a thought and a sentence, word by word. What comes first stops in the middle
 * of its thought until somebody has overheard it.
 */
const chatty = (isHeard: () => boolean): Model => ({
  id: 'test/chatty',
  kind: 'live',
  takes: { images: false, tools: false },
  price: null,
  async generate(_request, call) {
    const who = call.branch || 'main';
    await say(call, 'reasoning', `I am ${who}, and I `);
    if (who === 'main') await until(isHeard);
    await say(call, 'reasoning', 'look at it slowly.');
    await say(call, 'text', `The answer of ${who}\nhas two lines.`);
    return {
      ok: true,
      message: {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: `I am ${who}, and I look at it slowly.` },
          { type: 'text', text: `The answer of ${who}\nhas two lines.` },
        ],
      },
      finish: 'stop',
      usage: { tokens: null, costUsd: null },
    };
  },
});

async function say({ onDelta }: ModelCall, type: 'text' | 'reasoning', whole: string): Promise<void> {
  for (const text of whole.split(/(?<= )/)) {
    onDelta?.({ type, text });
    await sleep(60);
  }
}

const talking: Agent = {
  name: 'talking',
  settings: z.object({}),
  needs: [],
  roles: ['solver'],
  prompts: {},
  async solve(_problem, run) {
    const messages = [{ role: 'user', content: 'What is it?' }] as const;
    await run.generate('solver', { messages });
    await Promise.all(
      ['left', 'right'].map((name) => run.branch(name, (branch) => branch.generate('solver', { messages }))),
    );
    return { end: 'answered' };
  },
};

const empty: Family = {
  name: 'empty',
  load: async () => ({
    family: 'empty',
    id: 'empty/1',
    title: 'Nothing',
    reference: {},
    contentHash: 'none',
    statement: [],
    brief: { task: '', answerFormat: '', criteria: '', environment: '' },
    stages: [],
    detail: {},
  }),
  open: (spec) => ({ spec }),
};

test('words stream into a terminal elsewhere, each once, and a log has them when they are said', async () => {
  const place = newPlace();
  // Before the call is over, and not as a whole.
  const early = /the model is speaking … [\d.]+ s, about \d+ tokens · I am main, and I/;
  let heardEarly = '';
  const own = openJournals({
    ...place,
    create: true,
    agents: [talking],
    families: [empty],
    models: { 'test/chatty': chatty(() => early.test(heardEarly)) },
  });
  const spec = {
    id: 'talk',
    family: 'empty',
    problem: {},
    agent: 'talking',
    models: { default: 'test/chatty' },
  };
  const run = await startRun(own.world, spec);
  const terminal = polya(place, ['runs', 'watch', 'talk', '--no-color'], {
    isTerminal: true,
    onWrite: (text) => {
      if (text.includes('the model is speaking')) heardEarly += text;
    },
  });
  const log = polya(place, ['runs', 'watch', 'talk']);
  await run.done;
  const lines = (await terminal).out.split('\n').map((line) => line.split(clearLine).at(-1)?.trim() ?? '');
  const spoken = lines.map((line) => line.replace(/^[\d.]+ s +/, ''));
  for (const [who, place] of [
    ['main', ''],
    ['left', '[left] '],
    ['right', '[right] '],
  ]) {
    expect(
      spoken.filter((line) => line === `${place}(thinks) I am ${who}, and I look at it slowly.`),
    ).toHaveLength(1);
    expect(spoken.filter((line) => line === `${place}The answer of ${who}`)).toHaveLength(1);
  }
  expect(spoken.filter((line) => line.endsWith('has two lines.'))).toHaveLength(3);
  expect(heardEarly).toMatch(early);
  expect((await log).out).toContain('“The answer of main has two lines.”');
  await own.close();
});

describe('a call that takes long', () => {
  const output = (isTerminal: boolean) => {
    const told: string[] = [];
    const write = (text: string) => void told.push(text);
    return { told, output: { write, isTerminal, columns: 100, paint: noPaint, isClosed: false } };
  };
  const request = (atMs: number): Event => ({
    seq: 1,
    atMs,
    branch: '',
    ordinal: 1,
    attempt: 0,
    kind: 'model-request',
    body: { role: 'solver', model: 'm', messages: [] },
  });

  test('is never a blank screen', () => {
    vi.useFakeTimers();
    const { told, output: terminal } = output(true);
    const view = new LiveView(terminal);
    view.begin([]);
    view.show(request(Date.now()));
    vi.advanceTimersByTime(20 * 60_000);
    expect(told.at(-1)).toContain('the model is thinking … 20 min 00 s');
    const delta = { branch: '', ordinal: 1, attempt: 0, role: 'solver' };
    view.observer.onDelta?.({ ...delta, type: 'reasoning', text: 'Now then. '.repeat(40) });
    vi.advanceTimersByTime(1_000);
    expect(told.at(-1)).toContain('the model is speaking … 20 min 01 s, about 100 tokens ·');
    expect(told.join('')).toContain('Now then. Now then.');
    view.close();
  });

  test('breaks the silence of a log now and then', () => {
    vi.useFakeTimers();
    const { told, output: log } = output(false);
    const view = new LiveView(log);
    view.begin([]);
    view.show(request(Date.now()));
    vi.advanceTimersByTime(20 * 60_000);
    view.close();
    vi.advanceTimersByTime(60_000);
    expect(told.length).toBeGreaterThan(25);
    expect(told.length).toBeLessThan(45);
    expect(told.at(-1)).toMatch(/^20 min 00 s {2}the model is thinking … 20 min 00 s\n$/);
  });
});

describe('what is said, as lines', () => {
  const texts = (lines: readonly { text: string }[]) => lines.map(({ text }) => text);

  test('no character of two code units is cut', () => {
    const lines = new Speaker().append({ type: 'text', text: `${'x'.repeat(19)}😀😀` }, 20);
    expect(texts(lines)).toEqual(['x'.repeat(19)]);
  });
});
