/**
 * What the person who watches a run tells it meanwhile (`runs tell`, `runs fork --hint`). Whoever looks first takes it for
 * all: from then on every model that is asked sees it, in every branch.
 */
import type { Run } from '../../core/agent.ts';
import type { Message } from '../../core/model.ts';

export const hintPrompts = { hint: `A hint from the person who watches this: {{hint}}` } as const;

/** Those so far, the new ones included, as turns behind what a model is asked. */
export async function hintTurns(run: Run, hints: string[]): Promise<readonly Message[]> {
  for (const hint of await run.inbox()) {
    hints.push(hint);
    run.note('hint', { hint });
  }
  return hints.map((hint) => ({ role: 'user', content: run.prompt('hint', { hint }) }));
}
