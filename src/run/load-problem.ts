/** Loads a problem of a family, and gives it the hash by which a change is noticed, where the family leaves that open. */
import { canonicalJson, type Json } from '../core/json.ts';
import type { ProblemSpec } from '../core/problem.ts';
import { hashText } from './hash.ts';
import type { World } from './world.ts';

export async function loadProblem(world: World, family: string, reference: Json): Promise<ProblemSpec> {
  const { signal } = new AbortController();
  const spec = await (await world.family(family)).load(reference, world.io, signal);
  return spec.contentHash === '' ? { ...spec, contentHash: contentHashOf(spec) } : spec;
}

/** Without the environment: a newer compiler does not make another problem. */
function contentHashOf({ statement, brief, stages, detail }: ProblemSpec): string {
  const { environment: _, ...asked } = brief;
  return hashText(canonicalJson([statement, asked, stages, detail]));
}
