import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Agent } from '../../src/core/agent.ts';
import type { Family } from '../../src/core/problem.ts';
import { openJournals } from '../../src/open/journals.ts';
import { startRun } from '../../src/run/start.ts';
import { until } from '../support/until.ts';
import { newPlace, polya } from './shell.ts';

const asking: Agent = {
  name: 'asking',
  settings: z.object({}),
  needs: [],
  roles: [],
  prompts: {},
  solve: async (_problem, run) => {
    const answer = await run.ask('Which way?');
    const told = await run.inbox();
    return { end: 'answered', answer: { type: 'text', text: [answer, ...told].join(' ') } };
  },
};

const empty: Family = {
  name: 'empty',
  load: async (reference) => ({
    family: 'empty',
    id: 'empty/1',
    title: 'Nothing',
    reference: z.record(z.string(), z.string()).parse(reference),
    contentHash: 'none',
    statement: [],
    brief: { task: '', answerFormat: '', criteria: '', environment: '' },
    stages: [],
    detail: {},
  }),
  open: (spec) => ({
    spec,
    grade: async ({ answer }) => ({
      correct: answer?.type === 'text' && answer.text === 'left quickly',
      explanation: 'As it was told.',
    }),
  }),
};

test('a question is answered from elsewhere', async () => {
  const place = newPlace();
  const own = openJournals({ ...place, create: true, agents: [asking], families: [empty] });
  const models = { default: 'manual:http' };
  const run = await startRun(own.world, {
    id: 'asks',
    family: 'empty',
    problem: {},
    agent: 'asking',
    models,
  });
  const watching = polya(place, ['runs', 'watch', 'asks']);
  const listed = await polya(place, ['runs', 'list']);
  expect(listed.out).toContain(`running (${process.pid})`);

  await until(async () => (await polya(place, ['runs', 'show', 'asks'])).out.includes('? Which way?'));
  expect(await polya(place, ['runs', 'tell', 'asks', ' '])).toMatchObject({ code: 2 });
  expect(await polya(place, ['runs', 'tell', 'asks', 'quickly'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('at its next look'),
  });
  const answered = await polya(place, ['runs', 'answer', 'asks', 'left']);
  expect(answered).toEqual({ code: 0, out: 'Answered "Which way?".\n', err: '' });

  expect(await run.done).toMatchObject({ outcome: 'solved' });
  const watched = await watching;
  expect(watched.code).toBe(0);
  expect(watched.out).toMatch(/\? Which way\?\n.*answered: left\n.*told: quickly\n/);
  await own.close();
});

test('a run is stopped from elsewhere, and its watcher is told', async () => {
  const place = newPlace();
  const own = openJournals({ ...place, create: true, agents: [asking], families: [empty] });
  const models = { default: 'manual:http' };
  const run = await startRun(own.world, {
    id: 'asks',
    family: 'empty',
    problem: {},
    agent: 'asking',
    models,
  });
  const watching = polya(place, ['runs', 'watch', 'last', '--json']);
  const left = polya(place, ['runs', 'watch', 'last'], {
    onWrite: (text, interrupt) => {
      if (text.includes('Which way?')) setTimeout(interrupt, 10);
    },
  });
  expect((await left).code).toBe(130);
  expect(await polya(place, ['runs', 'stop', 'asks'])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/is stopped.*runs resume asks/),
  });
  expect(await run.done).toMatchObject({ outcome: 'cancelled' });
  expect(await watching).toMatchObject({ code: 130 });
  await own.close();
});
