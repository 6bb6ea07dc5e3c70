/**
 * 600 questions of GSM8K as one run-set with a model that answers at once, in a process of its own: what Polya adds to a
 * question, prepared, run and scored, and what it keeps in memory. With one call each, and with the ensemble's plan,
 * three chains and vote, which run no program. Needs the public data beside the project, unless another file is named.
 */
import { spawnSync } from 'node:child_process';
import { readQuestions } from '../src/apps/qa/data-options.ts';
import { measureSet } from '../src/apps/qa/study/measure.ts';
import { reportOn } from '../src/apps/qa/study/report.ts';
import type { Model } from '../src/core/model.ts';
import { seededChance } from '../src/core/seeded-chance.ts';
import { scriptedModel } from '../src/models/scripted.ts';
import { openJournals } from '../src/open/journals.ts';
import { beginSet, prepareRows } from '../src/studies/run-set/execute.ts';
import type { RunSet } from '../src/studies/run-set/plan.ts';
import { noSandbox } from '../test/support/no-sandbox.ts';
import { sharedFile } from '../test/support/shared-data.ts';
import { type Bench, type Row, timed } from './measure.ts';
import { temporaryFolder } from './temporary-folder.ts';

const questions = 600;
const concurrency = 8;

export const questionsBench: Bench = {
  name: 'questions',
  run: async () => ['single-call', 'ensemble'].flatMap(rowsOf),
};

type Sample = {
  readonly prepareMs: number;
  readonly runMs: number;
  readonly scoreMs: number;
  readonly right: number;
  readonly expected: number;
  readonly calls: number;
  /** Of the process: before the first row, and at its largest. */
  readonly beforeBytes: number;
  readonly mostBytes: number;
  /** After a collection, when the first 100 rows have ended and when all have. */
  readonly heapEarlyBytes: number;
  readonly heapLateBytes: number;
};

function rowsOf(agent: string): Row[] {
  const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', import.meta.filename, agent], {
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(`The process that is measured has failed: ${stderr}`);
  const sample = JSON.parse(stdout) as Sample;
  const { prepareMs, runMs, scoreMs, calls, right, expected } = sample;
  if (right !== expected) throw new Error(`${expected} answers are right, and ${right} were counted.`);
  const row = (what: string, unit: string, measured: number): Row => ({
    what: `${agent}: ${what}`,
    unit,
    measured,
    floor: null,
    against: '',
    ratio: null,
    aim: null,
  });
  return [
    row('prepare a question', 'ms', prepareMs / questions),
    row(`run it (${calls / questions} calls)`, 'ms', runMs / questions),
    row('score it', 'ms', scoreMs / questions),
    row('resident set at most, beyond an empty process', 'MB', (sample.mostBytes - sample.beforeBytes) / 1e6),
    row(
      'heap after a collection, for 100 more',
      'KB',
      (sample.heapLateBytes - sample.heapEarlyBytes) / 5 / 1e3,
    ),
  ];
}

/** Always the same: how often that is right, the file says. */
const answering: Model = scriptedModel({
  id: 'bench',
  script: ({ role }) =>
    role === 'planner'
      ? { object: { problemType: 'Math', plan: 'Calculate.', recommendation: 'Use Reasoning' } }
      : 'There are as many as there are.\n\nFinal answer: \\boxed{18.000}',
});

const settingsOf: Readonly<Record<string, object>> = {
  'single-call': {},
  // Both, though reasoning alone is planned: who may ask for a program needs a sandbox.
  ensemble: {
    certainty: null,
    strategies: { python: ['chain', 'chain', 'chain'], reasoning: ['chain', 'chain', 'chain'] },
  },
};

async function sampled(agent: string, size: number, file: string): Promise<Sample> {
  using folder = temporaryFolder();
  const env = { HOME: folder.path, PATH: process.env.PATH };
  const polya = openJournals({
    folder: folder.path,
    env,
    create: true,
    sandbox: noSandbox,
    models: { bench: answering },
  });
  try {
    const { world } = polya;
    const { path, questions: all } = await readQuestions('/', { path: file });
    const rows = Array.from({ length: size }, (_, at) => ({
      name: `${at + 1}`,
      family: 'qa',
      problem: { file: path, line: at + 1 },
      agent,
      ...{
        settings: settingsOf[agent] as never,
        models: { default: 'bench' },
        modelSettings: {},
        limits: {},
      },
    }));
    const plan = { name: agent, concurrency, budget: {}, stopWhen: 'never', prompts: {}, rows } as const;
    const set: RunSet = { id: 'bench', createdAtMs: Date.now(), plan };
    const beforeBytes = memory().residentBytes;
    const times = { prepareMs: 0, runMs: 0, scoreMs: 0, right: Number.NaN, calls: 0 };
    let prepared: Awaited<ReturnType<typeof prepareRows>> = new Map();
    times.prepareMs = await timed(async () => {
      prepared = await prepareRows(world, set);
    });
    let heapEarlyBytes = 0;
    let ended = 0;
    const onEnd = () => {
      ended += 1;
      if (ended === 100) heapEarlyBytes = memory().heapBytes;
    };
    times.runMs = await timed(
      async () => (await beginSet(world, set, { prepared, observer: { onEnd } })).done,
    );
    const heapLateBytes = memory().heapBytes;
    times.scoreMs = await timed(async () => {
      const { measured } = await measureSet(world, set);
      const placed = measured.map((run) => ({ origin: set.id, run }));
      const { systems } = reportOn(placed, () => seededChance('bench').next);
      times.right = systems[0]?.accuracy.right ?? Number.NaN;
      times.calls = systems[0]?.spent.calls ?? 0;
    });
    const mostBytes = process.resourceUsage().maxRSS * 1024;
    const expected = all.slice(0, size).filter(({ gold }) => gold === '18').length;
    return { ...times, expected, beforeBytes, mostBytes, heapEarlyBytes, heapLateBytes };
  } finally {
    await polya.close();
  }
}

function memory() {
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  return { residentBytes: rss, heapBytes: heapUsed };
}

if (import.meta.main) {
  const [, , agent = 'single-call', size = `${questions}`, file] = process.argv;
  const from = file ?? sharedFile('gsm8k/test-first-600.jsonl');
  process.stdout.write(JSON.stringify(await sampled(agent, Number(size), from)));
}
