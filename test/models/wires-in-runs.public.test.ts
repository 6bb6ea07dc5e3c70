/** Odd servers of the public data whose oddity only shows in a complete run: the requests that arrived, and what came of it. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Event } from '../../src/core/event.ts';
import { fakeClock } from '../../src/io/clock.ts';
import { resolveModel } from '../../src/models/catalogue.ts';
import { replayRun } from '../../src/run/replay.ts';
import { startRun } from '../../src/run/start.ts';
import { lastJournal, start } from '../cli/process.ts';
import { type Answer, newPlace, type Place, polya } from '../cli/shell.ts';
import { oddRun, oddWorld, say } from '../support/odd.ts';
import { sharedFile } from '../support/shared-data.ts';
import { until } from '../support/until.ts';
import { type CaseServer, startCaseServer, wireSchema } from './case-server.ts';

const folderOf = (name: string): string => sharedFile(join('wires', name));

const serve = (name: string): Promise<CaseServer> =>
  startCaseServer(wireSchema.parse(JSON.parse(readFileSync(join(folderOf(name), 'wire.json'), 'utf8'))));

/** With the files of the case, and those that its command names. */
function placeOf(name: string): Place {
  const place = newPlace();
  writeFileSync(join(place.folder, 's.md'), '# A day\n\nAdd them up.\n');
  writeFileSync(join(place.folder, 'i.txt'), '1,2,3\n');
  cpSync(folderOf(name), place.folder, { recursive: true, filter: (path) => !path.endsWith('README') });
  return place;
}

const at = ({ url }: CaseServer) => ['--model', 'openai-compatible/m', '--base-url', url];

const day = ['aoc', 'run', '--lang', 'py', '--site', 'files', '--statement', 's.md', '--input', 'i.txt'];
const ask = ['ask', 'What is 6 times 7?'];
const questions = ['qa', 'run', 'q.jsonl', '--agent', 'single-call', '--concurrency', '1'];

type Ran = {
  readonly place: Place;
  readonly answer: Answer;
  readonly server: CaseServer;
  readonly events: readonly Event[];
};

type WholeRun = {
  readonly argv: readonly string[];
  readonly requests: number;
  readonly code?: number;
  look(ran: Ran): void | Promise<void>;
};

const sent = ({ server }: Ran, index: number): string => JSON.stringify(server.bodies[index]?.messages);
const outputs = ({ events }: Ran): string[] =>
  events.flatMap(({ kind, body }) =>
    kind === 'tool-result' && body.status === 'ok' ? JSON.stringify(body.result) : [],
  );

const scoreShape = z.looseObject({
  runs: z.array(z.looseObject({ problem: z.string(), isRight: z.boolean().nullable() })),
});
const wrongQuestions = ({ answer }: Ran): string[] =>
  scoreShape.parse(JSON.parse(answer.out)).runs.flatMap(({ problem, isRight }) => (isRight ? [] : problem));

const runs: Readonly<Record<string, WholeRun>> = {
  '09-deepseek-thoughts-back': {
    argv: [...day, '--answer1', '6'],
    requests: 2,
    look: (ran) => expect(sent(ran, 1)).toContain('"reasoning_content":"Add them."'),
  },
  '10-vllm-reasoning-back': {
    argv: [...day, '--answer1', '6'],
    requests: 2,
    look: (ran) => expect(sent(ran, 1)).toContain('"reasoning":"Add them."'),
  },
  '33-output-not-utf8': {
    argv: [...day, '--answer1', '6', '--verbose'],
    requests: 3,
    look(ran) {
      expect(outputs(ran)[0]).toContain('caf');
      expect(ran.answer.out + ran.answer.err).not.toContain('\u001b[31m');
    },
  },
  '36-surrogates': {
    argv: [...day, '--answer1', '6'],
    requests: 4,
    look({ server }) {
      const check = (_name: string, value: unknown) => {
        if (typeof value === 'string') expect(value.isWellFormed()).toBe(true);
        return value;
      };
      for (const body of server.bodies) JSON.stringify(body, check);
    },
  },
  '36b-reply-lone-surrogate': {
    argv: ask,
    requests: 1,
    async look({ place, answer }) {
      expect(answer.out).toContain('Hot 🔥 and alone');
      for (const argv of [
        ['show', 'last'],
        ['export', 'last'],
        ['replay', 'last'],
      ])
        expect(await polya(place, ['runs', ...argv])).toMatchObject({ code: 0 });
    },
  },
  '38-gemini-malformed-call': {
    argv: ask,
    requests: 2,
    look: ({ answer }) => expect(answer.out).toContain('42'),
  },
  '38b-gemini-blocked': {
    argv: ask,
    requests: 1,
    code: 1,
    look: ({ answer }) => expect(answer.out + answer.err).toMatch(/refus/i),
  },
  '43-repeat': {
    argv: [...questions, '--samples', '5', '--json'],
    requests: 5,
    code: 1,
    look: ({ answer }) =>
      expect(JSON.parse(answer.out).runs.map(({ answer }: { answer: string }) => answer)).toEqual([
        '42',
        '41',
        '42',
        '43',
        '42',
      ]),
  },
  '44-final-number': {
    argv: [...questions, '--json'],
    requests: 15,
    look: (ran) => expect(wrongQuestions(ran)).toEqual([]),
  },
  // The question whose reply has no answer is asked about once more.
  '53-choices': {
    argv: [...questions, '--json'],
    requests: 13,
    code: 1,
    look: (ran) => expect(wrongQuestions(ran)).toEqual(['qa/q/none']),
  },
  '54-input-whitespace': {
    argv: [...day, '--answer1', '6'],
    requests: 2,
    look: (ran) =>
      expect(outputs(ran)[0]).toContain('    [D]    \\\\n[N] [C]    \\\\n\\\\nmove 1 from 2 to 1  \\\\n'),
  },
  '56-budget-failed-calls': {
    argv: [...ask, '--budget', '0.05'],
    requests: 1,
    look: ({ answer }) => expect(answer.out).toContain('42'),
  },
};

test.each(Object.entries(runs))('%s', async (name, { argv, requests, code = 0, look }) => {
  await using server = await serve(name);
  const place = placeOf(name);
  writeFileSync(join(place.folder, 'prices.yaml'), 'openai-compatible/m: { input: 1, output: 1 }\n');
  const env = { ...place.env, POLYA_PRICES: 'prices.yaml', GEMINI_API_KEY: 'some-key-of-no-use' };
  const model = name.startsWith('38')
    ? ['--model', 'google/gemini-2.5-pro', '--base-url', server.url]
    : at(server);
  const answer = await polya({ ...place, env }, [...argv, ...model]);
  expect(answer.code, answer.err).toBe(code);
  expect(server.bodies).toHaveLength(requests);
  await look({ place, answer, server, events: (await lastJournal(place))?.events ?? [] });
});

test.each([
  ['37-retry-after-epoch', 2_000],
  ['37b-retry-in-message', 7_660],
  ['37c-retry-in-json', 6_000],
  ['37d-retry-after-unit', 5_000],
  ['37e-529-html', 2_000],
])('%s: a run waits %i ms', async (name, waitMs) => {
  await using server = await serve(name);
  const env = { OPENAI_COMPATIBLE_BASE_URL: server.url };
  const clock = fakeClock(Date.now());
  const world = {
    ...oddWorld({
      io: { clock },
      model: await resolveModel('openai-compatible/m', { env, priceOf: () => null }),
      solve: async (run) => ({
        end: 'answered',
        answer: { type: 'text', text: await say(run, '6 times 7?') },
      }),
    }),
    retry: { maxRetries: 4, firstWaitMs: 2_000, maxWaitMs: 60_000 },
  };
  const { solution } = await (await startRun(world, oddRun())).done;
  expect(solution?.answer).toEqual({ type: 'text', text: '42' });
  expect(clock.sleptMs).toEqual([waitMs]);
  expect(server.bodies).toHaveLength(2);
  expect(await replayRun(world, 'run')).toMatchObject({ complete: true, isSame: true });
});

test('48-resume-totals: each question is paid once, and the totals are those of both processes', async () => {
  await using server = await serve('48-resume-totals');
  const place = placeOf('48-resume-totals');
  const running = start(place, [...questions, ...at(server)]);
  await until(() => server.bodies.length >= 4);
  running.child.kill('SIGKILL');
  await running.ended;
  const { code, err } = await polya(place, ['run-set', 'resume', 'last']);
  expect(code, err).toBe(0);
  const inFlight = server.bodies.length - 8;
  expect(inFlight).toBeOneOf([0, 1]);
  const { out } = await polya(place, ['qa', 'score', 'last', '--json']);
  expect(JSON.parse(out)).toMatchObject({
    systems: [{ accuracy: { right: 8 }, possiblyBilled: inFlight, spent: { knownTokens: 8 * 120 } }],
  });
});
