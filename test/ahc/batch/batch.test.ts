/** A batch of real sessions on the toy contest: within one run-set, stopped, gone on with, its folders kept, compared. */

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  outcomesOf,
  resultCsv,
  resultJson,
  resultOf,
  resultText,
} from '../../../src/apps/ahc/batch/result.ts';
import {
  type BatchPlan,
  findSessions,
  homeOfBatch,
  keepSessions,
  makeSessions,
  planBatch,
  refuseTakenSessions,
} from '../../../src/apps/ahc/batch/sessions.ts';
import { hooks } from '../../../src/apps/ahc/hooks.ts';
import { statusNow } from '../../../src/apps/ahc/session/look.ts';
import { sessionNamed, sessionsIn } from '../../../src/apps/ahc/session/manifest.ts';
import type { Output } from '../../../src/cli/contract.ts';
import { type Script, scriptedModel } from '../../../src/models/scripted.ts';
import { openWorkspace } from '../../../src/open/families/ahc/workspace.ts';
import { openJournals } from '../../../src/open/journals.ts';
import type { Journals } from '../../../src/open/options.ts';
import { newRunId } from '../../../src/run/hash.ts';
import { beginSet, prepareRows, resumeSet, type SetObserver } from '../../../src/studies/run-set/execute.ts';
import type { RunSet } from '../../../src/studies/run-set/plan.ts';
import { noPaint } from '../../../src/text/paint.ts';
import { polya } from '../../cli/shell.ts';
import { coded } from '../../support/coded.ts';
import { bench, lines, usual } from '../session/sessions.ts';
import { toyContest, toyScript } from '../session/toy-contest.ts';

const output: Output = {
  isTerminal: false,
  isClosed: false,
  columns: 200,
  write: () => undefined,
  paint: noPaint,
};

const file = (more = '') => `
name: try
repeat: 2
parallel: 2
base: { evolution.max_generations: 2, evolution.population_size: 2 }
matrix: { islands: [1, 2] }
${more}`;

function here() {
  const place = bench();
  writeFileSync(join(place.workspace, 'b.yaml'), file());
  const { islands: _, ...choices } = usual;
  const open = (script: Script = toyScript(place.workspace, 5)): Journals =>
    openJournals({
      folder: place.workspace,
      env: place.env,
      create: true,
      backend: 'none',
      families: [toyContest(place.workspace)],
      models: { 'scripted/toy': scriptedModel({ id: 'scripted/toy', script }) },
    });
  return { ...place, choices, open, question: { folder: place.workspace, env: place.env } };
}

function setOf(polyaHere: Journals, plan: BatchPlan): RunSet {
  const createdAtMs = polyaHere.world.io.clock.now();
  const rows = plan.sessions.map(({ row, plan: { spec } }) => ({
    settings: {},
    ...spec,
    name: row.name,
    seed: row.seed,
  }));
  return {
    id: newRunId(createdAtMs, polyaHere.world.io.chance),
    createdAtMs,
    plan: {
      name: plan.name,
      concurrency: 2,
      budget: {},
      stopWhen: 'never',
      prompts: {},
      rows: rows as never,
    },
  };
}

/** A session of two islands waits until it is stopped: it cannot end at once with one that has one island. */
function withoutSecondIsland(workspace: string): Script {
  const [script, waiting] = [toyScript(workspace, 5), toyScript(workspace, 3_600_000)];
  return (call) => (call.branch.startsWith('island-2') ? waiting : script)(call);
}

describe('a batch', () => {
  test('is stopped in the middle, goes on, keeps every folder, and is compared', async () => {
    const place = here();
    const first = place.open(withoutSecondIsland(place.workspace));
    const plan = planBatch(place.question, 'b.yaml', place.choices);
    const set = setOf(first, plan);
    const places = await makeSessions(plan, set, first.home);
    expect(places.map(({ place: { manifest } }) => [manifest.name, manifest.batch?.text])).toEqual([
      ['try-c1-r1', 'islands=1'],
      ['try-c2-r1', 'islands=2'],
      ['try-c1-r2', 'islands=1'],
      ['try-c2-r2', 'islands=2'],
    ]);
    await expect(refuseTakenSessions(plan)).rejects.toThrow(coded('batch-begun', 'try-c1-r1'));
    const keeper = await keepSessions(first, set, places, place.env);
    const waiting = sessionNamed(await sessionsIn(openWorkspace(place.question)), 'try-c2-r2');
    expect(await statusNow(first.world.store, waiting)).toBe('running');
    let ended = 0;
    const stopAfterOne: SetObserver = {
      ...keeper,
      onEnd: (index, end) => {
        keeper.onEnd(index, end);
        ended += 1;
        if (ended === 1) handle.stop();
      },
    };
    const handle = await beginSet(first.world, set, {
      prepared: await prepareRows(first.world, set),
      observer: stopAfterOne,
    });
    expect(await handle.done).toBeNull();
    await keeper.settled();
    const paid = lines(join(place.workspace, 'calls.log')).length;
    const some = await outcomesOf(first, places);
    expect(some.filter(({ isDone }) => isDone)).toHaveLength(1);
    await first.close();
    // As rows of their run-set alone they wrote none of the sessions' files.
    const instead = async (asked: typeof set) => hooks.setResumedBy?.(place, asked);
    expect(await instead(set)).toMatchObject({
      words: ['ahc', 'batch', '--resume', set.id],
    });
    expect(await instead({ ...set, id: 'another' })).toBeNull();

    const second = place.open();
    const found = await findSessions(set, place.question);
    const again = await keepSessions(second, set, found, place.env);
    const rest = await resumeSet(second.world, set, {
      prepared: await prepareRows(second.world, set),
      observer: again,
    });
    expect(await rest.done).toBe('done');
    await again.settled();
    const outcomes = await outcomesOf(second, found);
    await second.close();

    expect(outcomes.every(({ isDone, best, isHeldOut }) => isDone && best !== null && !isHeldOut)).toBe(true);
    expect(outcomes[0]?.models.solver?.spec ?? Object.values(outcomes[0]?.models ?? {})[0]?.spec).toBe(
      'scripted/toy',
    );
    const calls = lines(join(place.workspace, 'calls.log'));
    expect(calls.length).toBeGreaterThan(paid);
    for (const { folder, best } of outcomes) {
      expect(readFileSync(join(folder, 'best_solution.cpp'), 'utf8')).toContain('quality =');
      const told = JSON.parse(readFileSync(join(folder, 'session.json'), 'utf8'));
      expect(told).toMatchObject({ status: 'completed', final_best_individual_id: best });
    }

    const result = resultOf(outcomes, { set: set.id, name: 'try' });
    const text = resultText(output, result);
    expect(text).toMatch(/c1 +islands=1 +2 /);
    expect(text).toContain('Too few sessions to say');
    expect(text).toContain('4 sessions had no cases set aside');
    expect(text.match(/free \(script\)/g)).toHaveLength(5);
    expect(resultCsv(result).trim().split('\n')).toHaveLength(5);
    expect(resultJson(result).combinations).toMatchObject([
      { name: 'islands=1', sessions: 2 },
      { against: { pairs: 2, p: null } },
    ]);
  });

  test('whose folder is gone says so, and whose folder cannot be made leaves none behind', async () => {
    const place = here();
    const world = place.open();
    const plan = planBatch(place.question, 'b.yaml', place.choices);
    const set = setOf(world, plan);
    await expect(findSessions(set, place.question)).rejects.toThrow(
      coded('session-folder-lost', 'try-c1-r1'),
    );
    const elsewhere = { folder: '/', env: place.env, workspace: place.workspace };
    expect(await homeOfBatch(elsewhere, set.id)).toBeNull();
    const made = await makeSessions(plan, set, world.home);
    // From anywhere, where the workspace is named; from beside it and above it, where it is not.
    const asks = [elsewhere, place.question, { ...place.question, folder: join(place.workspace, '..') }];
    for (const question of asks) expect(await homeOfBatch(question, set.id)).toBe(world.home);
    expect(await homeOfBatch(elsewhere, set.id.slice(-4))).toBe(world.home);
    expect(await homeOfBatch(elsewhere, 'last')).toBe(world.home);
    expect(await homeOfBatch(elsewhere, 'other')).toBeNull();
    expect(await homeOfBatch(elsewhere, '')).toBeNull();
    for (const { place: session } of made) rmSync(session.folder.path, { recursive: true });
    writeFileSync(join(place.workspace, 'try-c2-r2'), 'in the way');
    await expect(makeSessions(plan, set, world.home)).rejects.toThrow(
      coded('session-name-taken', 'try-c2-r2'),
    );
    expect(existsSync(join(place.workspace, 'try-c1-r1'))).toBe(false);
    await world.close();
  });

  test('wants what its sessions can have together, and nothing moot', async () => {
    const place = here();
    const plan = (text: string, choices = place.choices) => {
      writeFileSync(join(place.workspace, 'b.yaml'), text);
      return () => planBatch(place.question, 'b.yaml', choices);
    };
    expect(plan(file('problems: [., ../polya002]'))).toThrow(coded('batch-invalid'));
    expect(plan('matrix: { llm.model: [a/b, c/d] }')).toThrow(coded('manual-model-in-batch'));
    const unnamed = { ...place.choices, models: {} };
    expect(plan('matrix: { llm.timeout: [5, 6] }\nbase: {llm.model: scripted/toy}', unnamed)).toThrow(
      'Make two batches',
    );
    expect(plan('name: tools')).toThrow(coded('batch-name-reserved'));
    expect(() => planBatch(place.question, 'none.yaml', place.choices)).toThrow(coded('file-unreadable'));
    const { warnings } = plan('matrix: { knowledge: [false, true] }')();
    expect(warnings.join()).toContain('sessions learn from those of the batch');
    const { sessions } = plan('matrix: { evolution.population_size: [3, 4] }\ncases: "0-1"')();
    expect(sessions.map((each) => each.plan.spec.settings)).toMatchObject([
      { populationSize: 3 },
      { populationSize: 4 },
    ]);
    expect(sessions[0]?.plan.spec.problem).toMatchObject({ cases: '0-1' });
  });
});

describe('on the command line', () => {
  test('a batch is begun or gone on with, one of both; what is in the way is said before anything is made', async () => {
    const place = here();
    const run = (...args: string[]) => polya(place, ['ahc', 'batch', ...args]);
    expect(await run()).toMatchObject({
      code: 2,
      err: expect.stringContaining('begun from a file, or gone on with'),
    });
    expect(await run('b.yaml', '--resume', 'last')).toMatchObject({ code: 2 });
    expect(await run('b.yaml')).toMatchObject({ code: 2, err: expect.stringContaining('model') });
    expect(await run('--resume', 'never')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/no batch never here[\s\S]*--resume never --workspace FOLDER/),
    });
    writeFileSync(join(place.workspace, 'try-results'), '');
    expect(await run('b.yaml', '--model', 'scripted:none.yaml')).toMatchObject({ code: 2 });
    expect(existsSync(join(place.workspace, 'try-c1-r1'))).toBe(false);
  });
});
