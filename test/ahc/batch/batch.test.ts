/** A batch of real sessions on the toy contest: within one run-set, stopped, gone on with, its folders kept, compared. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { app } from '../../../src/apps/ahc/app.ts';
import { batchJournalOptions, batchRows, planBatch, sessionOfRow } from '../../../src/apps/ahc/batch/plan.ts';
import {
  readOutcomes,
  resultCsv,
  resultJson,
  resultOf,
  resultText,
} from '../../../src/apps/ahc/batch/result.ts';
import { hooks } from '../../../src/apps/ahc/hooks.ts';
import type { Output } from '../../../src/cli/contract.ts';
import { keepRowFiles } from '../../../src/cli/run-files.ts';
import { type Script, scriptedModel } from '../../../src/models/scripted.ts';
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

function setOf(polyaHere: Journals, rows: Awaited<ReturnType<typeof batchRows>>): RunSet {
  const createdAtMs = polyaHere.world.io.clock.now();
  return {
    id: newRunId(createdAtMs, polyaHere.world.io.chance),
    createdAtMs,
    plan: {
      name: 'try',
      concurrency: 2,
      budget: {},
      stopWhen: 'never',
      prompts: {},
      rows: rows.map((row) => ({ settings: {}, ...row })) as never,
    },
  };
}

/** What `ahc batch` runs them in: the app keeps the folders of its rows. */
const shell = (env: Record<string, string>) => ({
  env,
  apps: [{ ...app, hooks: async () => hooks }],
});

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
    const set = setOf(first, await batchRows(plan));
    expect(set.plan.rows.map((row) => [row.name, sessionOfRow(row)?.batch.text])).toEqual([
      ['try-c1-r1', 'islands=1'],
      ['try-c2-r1', 'islands=2'],
      ['try-c1-r2', 'islands=1'],
      ['try-c2-r2', 'islands=2'],
    ]);
    const notices: string[] = [];
    const files = keepRowFiles(shell(place.env), first, set, (notice) => notices.push(notice));
    let ended = 0;
    const stopAfterOne: SetObserver = {
      ...files.observer,
      onEnd: (index, end) => {
        files.observer.onEnd?.(index, end);
        ended += 1;
        if (ended === 1) handle.stop();
      },
    };
    const handle = await beginSet(first.world, set, {
      prepared: await prepareRows(first.world, set),
      observer: stopAfterOne,
    });
    expect(await handle.done).toBeNull();
    await files.settle();
    expect(notices).toEqual([]);
    await expect(batchRows(plan)).rejects.toThrow(coded('batch-begun', 'try-c1-r1'));
    const paid = lines(join(place.workspace, 'calls.log')).length;
    const some = await readOutcomes(first.world.store, set);
    expect(some).toHaveLength(4);
    expect(some.filter(({ isDone }) => isDone)).toHaveLength(1);
    await first.close();

    const second = place.open();
    const again = keepRowFiles(shell(place.env), second, set, (notice) => notices.push(notice));
    const rest = await resumeSet(second.world, set, {
      prepared: await prepareRows(second.world, set),
      observer: again.observer,
    });
    expect(await rest.done).toBe('done');
    await again.settle();
    expect(notices).toEqual([]);
    const outcomes = await readOutcomes(second.world.store, set);
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

  test('whose name is taken makes nothing; what is no batch is not gone on with as one', async () => {
    const place = here();
    const world = place.open();
    const plan = planBatch(place.question, 'b.yaml', place.choices);
    const set = setOf(world, await batchRows(plan));
    expect(existsSync(join(place.workspace, 'try-c1-r1'))).toBe(false);
    expect(batchJournalOptions(set, place.question)).toMatchObject({ env: place.env });
    const rows = set.plan.rows.map(({ context: _, ...row }) => row);
    expect(() => batchJournalOptions({ ...set, plan: { ...set.plan, rows } }, place.question)).toThrow(
      coded('not-a-batch'),
    );
    writeFileSync(join(place.workspace, 'try-c2-r2'), 'in the way');
    await expect(batchRows(plan)).rejects.toThrow(coded('session-name-taken', 'try-c2-r2'));
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
    expect(await run('--resume', 'never')).toMatchObject({ code: 2 });
    writeFileSync(join(place.workspace, 'try-results'), '');
    expect(await run('b.yaml', '--model', 'scripted:none.yaml')).toMatchObject({ code: 2 });
    expect(existsSync(join(place.workspace, 'try-c1-r1'))).toBe(false);
  });
});
