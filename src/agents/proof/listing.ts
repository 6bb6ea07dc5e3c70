/**
 * One grader's report as a list: what it found, with places that the proof really has, and its vote. A list that speaks
 * of words which are not there, or that contradicts itself, is asked for once more.
 */
import { z } from 'zod';
import type { ProblemSpec } from '../../core/problem.ts';
import { type NamedFinding, namedFindings, withoutPlace } from './findings.ts';
import { gradingTurns, rubricOf } from './grader.ts';
import type { GradingSettings } from './grading-settings.ts';
import { assistant, type Form, formed, formOf, spoken, type Talk, Unusable, user } from './talk.ts';

export type Listing = {
  readonly pass: boolean;
  readonly points: number | null;
  readonly report: string;
  readonly findings: readonly NamedFinding[];
};

type List = { findings: NamedFinding[]; accepts?: boolean | undefined; points?: number | undefined };

const forms: Readonly<Record<GradingSettings['grading'], Form<List>>> = {
  verdict: formOf('findings', z.strictObject({ findings: namedFindings, accepts: z.boolean() })),
  points: formOf(
    'findings',
    z.strictObject({ findings: namedFindings, points: z.number().int().min(0).max(7) }),
  ),
};

/** `onReport` hears the report before there is a list of it: a grader may be called off in between. */
export async function listed(
  talk: Talk & { readonly settings: GradingSettings },
  { spec, proof }: { spec: ProblemSpec; proof: string },
  onReport: (report: string) => void,
): Promise<Listing> {
  const { run, settings } = talk;
  const form = forms[settings.grading];
  const turns = gradingTurns(talk, spec, { proof, rebuttal: null });
  const report = await spoken(talk, 'grader', turns, { wholly: true });
  onReport(report);
  const asked = [...turns, assistant(report), user(listingPrompt(talk, spec))];
  const first = await formed(talk, 'grader', asked, form);
  const faults = faultsOf(first, proof, settings);
  if (first && faults.length === 0) return listingOf(first, report, settings);
  const shown = first ? [assistant(JSON.stringify(first))] : [];
  const again = user(run.prompt('listAgain', { faults: faults.map((fault) => `- ${fault}`).join('\n') }));
  const list = (await formed(talk, 'grader', [...asked, ...shown, again], form)) ?? first;
  if (!list) throw new Unusable('grader', 'there is no list of findings in them.');
  return listingOf(list, report, settings);
}

function listingPrompt({ run, settings }: Talk & { settings: GradingSettings }, spec: ProblemSpec): string {
  if (settings.grading === 'verdict') return run.prompt('list', { verdict: run.prompt('listVerdict') });
  const scale = run.prompt(rubricOf(spec) === null ? 'ownScale' : 'rubricScale');
  return run.prompt('list', { verdict: run.prompt('listPoints', { scale }) });
}

/** In words for the grader. */
function faultsOf(list: List | null, proof: string, settings: GradingSettings): string[] {
  if (!list) return ['Your reply was no list of the form that was asked for.'];
  const faults = withoutPlace(proof, list.findings).map(
    ({ quote }) => `These words do not stand in the solution: “${quote}”`,
  );
  if (isAccepting(list, settings) && hasError(list))
    faults.push('You accept a solution in which you found a critical error.');
  if (list.accepts === false && list.findings.length === 0)
    faults.push('You do not accept the solution, and list nothing that is wrong with it.');
  return faults;
}

function listingOf(list: List, report: string, settings: GradingSettings): Listing {
  const { findings, points = null } = list;
  // What has a critical error passes nowhere, whatever its grader made of it.
  return { pass: isAccepting(list, settings) && !hasError(list), points, report, findings };
}

function isAccepting({ accepts, points }: List, { passPoints }: GradingSettings): boolean {
  return points === undefined ? accepts === true : points >= passPoints;
}

function hasError({ findings }: List): boolean {
  return findings.some(({ kind }) => kind === 'critical-error');
}
