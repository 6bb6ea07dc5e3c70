/** What a list of runs shows without opening their journals. */
import { type Header, modelsBehind, type RunEnd } from '../core/event.ts';
import type { JsonObject } from '../core/json.ts';

export type Summary = {
  readonly family: string;
  readonly problem: string;
  readonly title: string;
  readonly agent: string;
  readonly models: readonly string[];
  /** No model was asked: replies written ahead, recorded, or typed by a person. */
  readonly modelKinds: readonly string[];
  /** `none`: its programs ran without a sandbox. */
  readonly isolation: string | null;
  readonly outcome: string | null;
  readonly aliveMs: number | null;
};

export function summaryOf(
  header: Header,
  end: Pick<RunEnd, 'outcome' | 'aliveMs'> | null,
): Summary & JsonObject {
  const models = Object.values(modelsBehind(header));
  return {
    family: header.problem.family,
    problem: header.problem.id,
    title: header.problem.title,
    agent: header.agent.name,
    models: [...new Set(models.map((model) => model.spec))],
    modelKinds: [...new Set(models.map((model) => model.kind))],
    isolation: header.sandbox?.isolation ?? null,
    outcome: end?.outcome ?? null,
    aliveMs: end?.aliveMs ?? null,
  };
}
