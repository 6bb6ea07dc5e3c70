/** Run-sets for tests: rows of one agent that asks its model a few times, in a world whose model is the test's. */
import type { Model } from '../../src/core/model.ts';
import type { Runtime } from '../../src/run/world.ts';
import type { RowPlan, RunSet, SetPlan } from '../../src/studies/run-set/plan.ts';
import { agentOf, answered, familyOf, type OddOptions, oddWorld, say } from '../support/odd.ts';

/** Asks `settings.calls` times; solved where its last answer says so. */
export const asking = agentOf(async (run, { calls = 3 }) => {
  let said = '';
  for (let call = 0; call < Number(calls); call += 1)
    said = await say(run, `call ${call} ${said.slice(0, 9)}`);
  return answered(said);
});

export const graded = familyOf({
  async grade({ answer }) {
    const text = answer?.type === 'text' ? answer.text : '';
    return { correct: text.startsWith('solved'), explanation: text };
  },
});

export function setWorld(model: Model, more: OddOptions = {}): Runtime {
  return oddWorld({ agent: asking, family: graded, model, ...more });
}

export function rowOf(more: Partial<RowPlan> = {}): RowPlan {
  return {
    name: 'row',
    family: 'odd',
    problem: {},
    agent: 'odd',
    settings: {},
    models: { default: 'test/odd' },
    modelSettings: {},
    limits: {},
    ...more,
  };
}

export function setOfRows(rows: readonly RowPlan[], more: Partial<SetPlan> = {}): RunSet {
  const plan = {
    name: 'set',
    concurrency: 2,
    budget: {},
    stopWhen: 'never',
    prompts: {},
    rows,
    ...more,
  } as const;
  return { id: 'set', createdAtMs: 1, plan };
}
