/**
 * The induction graph: a step of it against its two model calls in a bare loop; and the 400 evaluation tasks of ARC-AGI-1
 * at once, with a model that answers at once, against one after the other, in processes of their own. Needs the public
 * data beside the project.
 */
import { spawnSync } from 'node:child_process';
import { inductionGraph } from '../src/agents/induction-graph/induction-graph.ts';
import type { Message, Model } from '../src/core/model.ts';
import type { Family } from '../src/core/problem.ts';
import { loadTaskFile } from '../src/families/arc/task-file.ts';
import { localFiles } from '../src/io/local-files.ts';
import { scriptedModel } from '../src/models/scripted.ts';
import { openJournals } from '../src/open/journals.ts';
import { beginSet, prepareRows } from '../src/studies/run-set/execute.ts';
import type { RunSet } from '../src/studies/run-set/plan.ts';
import { exampleFamily, instruct, mirror, outputs } from '../test/support/induction.ts';
import { noSandbox } from '../test/support/no-sandbox.ts';
import { agentOf } from '../test/support/odd.ts';
import { sharedFile } from '../test/support/shared-data.ts';
import { type Bench, contest, counter, type Row, timed, timedEach } from './measure.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { openWorld, runToEnd } from './world.ts';

const steps = 100;
const rounds = 9;
const taskSteps = 3;

export const induction: Bench = {
  name: 'induction',
  run: async () => [await graphStep(), ...allTasks()],
};

/** One output, never the right one. */
const copying: Model = scriptedModel({
  id: 'bench',
  script: ({ role }) => ({
    object: (role === 'instruction' ? instruct('Paint it black.') : outputs([[[0]]], [[[0]]])) as never,
  }),
});

async function graphStep(): Promise<Row> {
  const family = async (): Promise<Family> => exampleFamily(mirror);
  await using graph = openWorld({ agent: inductionGraph, model: copying });
  const messages: Message[] = [];
  const model: Model = {
    ...copying,
    generate: (request, call) => {
      if (messages.length === 0) messages.push(...request.messages);
      return copying.generate(request, call);
    },
  };
  const loop = agentOf(async (run) => {
    for (let step = 0; step < steps; step += 1) {
      await run.generate('instruction', { messages });
      await run.generate('generator', { messages });
    }
    return { end: 'stopped' };
  });
  await using bare = openWorld({ agent: loop, model: copying });
  const numbers = counter();
  const settings = { hypotheses: 1, maxSteps: steps };
  const ours = () =>
    timedEach(steps, () =>
      runToEnd({ ...graph, family, model: async () => model }, `run-${numbers()}`, settings),
    );
  await ours();
  const floor = () => timedEach(steps, () => runToEnd({ ...bare, family }, `run-${numbers()}`));
  const what = 'a step: instruction, generator, verifier';
  const against = 'its two model calls in a bare loop';
  return { what, unit: 'µs', against, ...(await contest({ rounds, ours, floor })), aim: null };
}

type Sample = {
  readonly wallMs: number;
  readonly tasks: number;
  /** After a collection, when a quarter of the tasks have ended and when all have. */
  readonly heapEarlyBytes: number;
  readonly heapLateBytes: number;
  /** After a collection, when as many calls were made as tasks are in flight; and before the first began. */
  readonly heapInFlightBytes: number;
  readonly heapPreparedBytes: number;
  readonly mostBytes: number;
  readonly beforeBytes: number;
};

function allTasks(): Row[] {
  const atOnce = sample(400);
  const inTurn = sample(1);
  const calls = 2 * taskSteps;
  const row = (what: string, unit: string, measured: number): Row => ({
    what,
    unit,
    measured,
    floor: null,
    against: '',
    ratio: null,
    aim: null,
  });
  return [
    {
      ...row(`${atOnce.tasks} tasks at once, ${calls} calls each`, 's', atOnce.wallMs / 1e3),
      floor: inTurn.wallMs / 1e3,
      against: 'one after the other',
      ratio: atOnce.wallMs / inTurn.wallMs,
    },
    row(
      'heap after a collection, for each task in flight, 400 at once',
      'KB',
      (atOnce.heapInFlightBytes - atOnce.heapPreparedBytes) / atOnce.tasks / 1e3,
    ),
    row(
      'resident set at most, beyond the tasks prepared, 400 at once: that, and garbage that was not collected yet',
      'MB',
      (atOnce.mostBytes - atOnce.beforeBytes) / 1e6,
    ),
    row(
      'heap after a collection, for 100 tasks more, one after the other',
      'KB',
      (inTurn.heapLateBytes - inTurn.heapEarlyBytes) / 3 / 1e3,
    ),
  ];
}

function sample(concurrency: number): Sample {
  const argv = ['--expose-gc', import.meta.filename, `${concurrency}`];
  const { stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
  if (stdout === '') throw new Error(`The process that is measured has failed: ${stderr}`);
  return JSON.parse(stdout) as Sample;
}

async function sampled(concurrency: number): Promise<Sample> {
  using folder = temporaryFolder();
  let heapInFlightBytes = 0;
  const env = { HOME: folder.path, PATH: process.env.PATH };
  const polya = openJournals({
    folder: folder.path,
    env,
    create: true,
    sandbox: noSandbox,
    models: { bench: counting(concurrency, () => (heapInFlightBytes = memory().heapUsed)) },
  });
  try {
    const { world } = polya;
    const file = sharedFile('arc-agi-1/arc-agi_evaluation_challenges.json');
    const { ids, path } = await loadTaskFile(localFiles('/'), { file });
    const rows = ids.map((task) => ({
      name: task,
      family: 'arc',
      problem: { file: path, task },
      agent: 'induction-graph',
      settings: { hypotheses: 1, maxSteps: taskSteps },
      models: { default: 'bench' },
      modelSettings: {},
      limits: {},
    }));
    const plan = { name: 'bench', concurrency, budget: {}, stopWhen: 'never', prompts: {}, rows } as const;
    const set: RunSet = { id: 'bench', createdAtMs: Date.now(), plan };
    const prepared = await prepareRows(world, set);
    const { rss: beforeBytes, heapUsed: heapPreparedBytes } = memory();
    let [ended, heapEarlyBytes, mostBytes] = [0, 0, 0];
    const onEnd = (): void => {
      ended += 1;
      mostBytes = Math.max(mostBytes, process.memoryUsage().rss);
      if (ended === Math.round(ids.length / 4)) heapEarlyBytes = memory().heapUsed;
    };
    const wallMs = await timed(
      async () => (await beginSet(world, set, { prepared, observer: { onEnd } })).done,
    );
    if (ended !== ids.length) throw new Error(`${ended} of ${ids.length} tasks have ended.`);
    return {
      wallMs,
      tasks: ids.length,
      heapEarlyBytes,
      heapLateBytes: memory().heapUsed,
      heapInFlightBytes,
      heapPreparedBytes,
      mostBytes,
      beforeBytes,
    };
  } finally {
    await polya.close();
  }
}

/** Calls back once, when so many calls were made. */
function counting(calls: number, onCount: () => void): Model {
  let made = 0;
  return {
    ...copying,
    generate: (request, call) => {
      made += 1;
      if (made === calls) onCount();
      return copying.generate(request, call);
    },
  };
}

function memory(): NodeJS.MemoryUsage {
  globalThis.gc?.();
  return process.memoryUsage();
}

if (import.meta.main) process.stdout.write(JSON.stringify(await sampled(Number(process.argv[2]))));
