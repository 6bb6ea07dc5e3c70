/** The other version of a comparison: found before anything is compiled, and run where nothing is known of it. */

import { Screen } from '../../../cli/screen.ts';
import { UserError } from '../../../core/errors.ts';
import type { Prepared } from '../../../families/ahc/evaluation.ts';
import type { CaseRecord } from '../../../families/ahc/records/history.ts';
import { type Found, findCandidate } from '../candidate.ts';
import { tellCompileError } from './end.ts';
import { includeOf, type TestJob } from './job.ts';

/** What is compared with: results that are there, or a program that is run first. */
export type Rival = {
  readonly name: string;
  readonly cases: readonly CaseRecord[] | null;
  readonly program: Found | null;
};

/** Null where nothing is compared with. Throws `UserError` where there is no such version. */
export async function findRival(job: TestJob, candidate: Found, prepared: Prepared): Promise<Rival | null> {
  const { shell, ahc, desk, options } = job;
  const { vs } = options;
  if (vs === undefined) return null;
  if (!ahc.isVersionName(vs)) {
    const program = findCandidate(shell, { ...job, file: vs, ...includeOf(options) });
    if (program.source === candidate.source) throw sameProgram(vs);
    return { name: program.file, cases: null, program };
  }
  const { folder } = desk.workspace;
  const version = await ahc.findVersion(folder, vs, desk.hashText(candidate.source));
  const cases = ahc.casesOfVersion((await ahc.readHistory(folder)).values, version.source);
  const chosen = new Set(prepared.names);
  if (!cases.some(({ name }) => chosen.has(name))) throw nothingInCommon(version.name);
  return { name: version.name, cases: cases.filter(({ name }) => chosen.has(name)), program: null };
}

function sameProgram(vs: string): UserError {
  return new UserError({
    code: 'same-program',
    what: `${vs} is the same program.`,
    fix: 'Name another file, or an earlier version: `polya ahc history` shows them.',
  });
}

function nothingInCommon(name: string): UserError {
  return new UserError({
    code: 'nothing-in-common',
    what: `${name} was not run on any of these cases.`,
    why: 'Versions are compared on the cases that both were run on.',
    fix: `Choose other cases, or name the file of the other version: it is run as well.`,
  });
}

/** Null where the other program does not compile. */
export async function casesOfRival(
  job: TestJob,
  { rival, prepared }: { readonly rival: Rival | null; readonly prepared: Prepared },
  signal: AbortSignal,
): Promise<{ readonly cases: readonly CaseRecord[] | null } | null> {
  if (!rival?.program) return { cases: rival?.cases ?? null };
  const { shell, ahc, desk } = job;
  const { program } = rival;
  let done = 0;
  const screen = new Screen(shell.err, () => `${program.file}: ${done} of ${prepared.names.length}`);
  const counted = {
    onCase: () => {
      done += 1;
    },
  };
  const evaluation = await ahc
    .testProgram(desk, { prepared, candidate: program, ...ahc.jobsOf(desk.workspace) }, counted, signal)
    .finally(() => screen.close());
  if (evaluation.compiled) return { cases: evaluation.cases };
  tellCompileError(job, evaluation, prepared);
  return null;
}
