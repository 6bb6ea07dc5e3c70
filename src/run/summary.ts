/** What a list of runs shows without opening their journals. */
import { type Header, modelsBehind, type RunEnd } from '../core/event.ts';
import type { JsonObject } from '../core/json.ts';
import type { SpendMeter } from '../core/totals.ts';
import { freeReason } from '../text/labels.ts';

export type Summary = {
  readonly family: string;
  readonly problem: string;
  readonly title: string;
  readonly agent: string;
  readonly models: readonly string[];
  /** `live`, or what answered in a model's place: a script, a person. */
  readonly modelKinds: readonly string[];
  /** Why no provider is paid: `free (script)`; null if one is. */
  readonly free: string | null;
  /** `none`: its programs ran without a sandbox. */
  readonly isolation: string | null;
  /** Null while the run has not ended; so are the next two. */
  readonly outcome: string | null;
  readonly aliveMs: number | null;
  readonly spent: SpendMeter['spent'] | null;
};

type End = Pick<RunEnd, 'outcome' | 'aliveMs'> & Pick<Summary, 'spent'>;

export function summaryOf(header: Header, end: End | null): Summary & JsonObject {
  const models = modelsBehind(header);
  return {
    family: header.problem.family,
    problem: header.problem.id,
    title: header.problem.title,
    agent: header.agent.name,
    models: [...new Set(Object.values(models).map((model) => model.spec))],
    modelKinds: [...new Set(Object.values(models).map((model) => model.kind))],
    free: freeReason(models),
    isolation: header.sandbox?.isolation ?? null,
    outcome: end?.outcome ?? null,
    aliveMs: end?.aliveMs ?? null,
    spent: end?.spent ?? null,
  };
}
