/** Loads a problem of a family, and gives it the hash by which a change is noticed, where the family leaves that open. */
import { assertReturned } from '../core/border.ts';
import { UserError } from '../core/errors.ts';
import { canonicalJson, type Json } from '../core/json.ts';
import type { Family, ProblemSpec } from '../core/problem.ts';
import { hashText } from './hash.ts';
import type { Runtime } from './world.ts';

export async function loadProblem(
  { io }: Pick<Runtime, 'io'>,
  family: Family,
  reference: Json,
): Promise<ProblemSpec> {
  const spec = await family.load(reference, io, new AbortController().signal);
  assertReturned('load', spec, `The family ${family.name}`);
  if (spec.family !== family.name) throw foreignProblemError(family, spec);
  return spec.contentHash === '' ? { ...spec, contentHash: contentHashOf(spec) } : spec;
}

/** Without the environment: a newer compiler does not make another problem. */
function contentHashOf({ statement, brief, stages, detail }: ProblemSpec): string {
  const { environment: _, ...asked } = brief;
  return hashText(canonicalJson([statement, asked, stages, detail]));
}

/** Its journal would name a family that cannot open it again. */
function foreignProblemError({ name }: Family, { family, id }: ProblemSpec): UserError {
  return new UserError({
    code: 'problem-of-another-family',
    what: `The family ${name} has loaded ${id} as a problem of the family ${family}.`,
    fix: `Its \`load\` must say \`family: '${name}'\`; \`defineFamily\` does so.`,
  });
}
