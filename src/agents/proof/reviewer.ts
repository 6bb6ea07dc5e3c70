/** The reviewer: judges what graders found against the text as it stands, and against what the solver replied. */
import { z } from 'zod';
import type { ProblemSpec } from '../../core/problem.ts';
import { system } from '../kit/asking.ts';
import type { Attempt, Draft } from './attempt.ts';
import { type Dialogue, formOf, requestForm, statementText, Unusable, userAbout } from './dialogue.ts';
import { type Entry, formatFindings, isSameText, type Judgement, type NamedFinding } from './findings.ts';

/**
 * Has a reviewer judge the findings that are open on a draft, and returns those that stay open. If nothing has changed since
 * it judged them, it is not asked again.
 */
export async function judgeOpen(attempt: Attempt, { text, rebuttal }: Draft): Promise<readonly Entry[]> {
  const { spec, place, findings } = attempt;
  const open = findings.openOn(text, place.attempt);
  const isJudged = open.every(({ judged }) => judged !== null && isSameText(judged.text, text));
  if (open.length === 0 || (rebuttal === null && isJudged)) return open;
  const found = open.map(({ finding }) => finding);
  const judgements = await judgeFindings(attempt, { spec, text, rebuttal }, found);
  for (const [index, entry] of open.entries())
    findings.judge(attempt, text, entry, judgements[index] ?? unjudged);
  return findings.openOn(text, place.attempt);
}

/** What no reviewer has answered stays open. */
const unjudged: Judgement = { holds: true, why: '' };

const form = formOf(
  'judgements',
  z.strictObject({
    findings: z.array(z.strictObject({ number: z.number().int(), why: z.string(), holds: z.boolean() })),
  }),
);

/** One for each finding, in their order. A reviewer whose reply cannot be read answers none. */
export async function judgeFindings(
  dialogue: Dialogue,
  { spec, text, rebuttal }: { spec: ProblemSpec; text: string; rebuttal: string | null },
  findings: readonly NamedFinding[],
): Promise<readonly Judgement[]> {
  const { run } = dialogue;
  const places = {
    problem: statementText(spec),
    solution: text,
    findings: formatFindings(findings),
    rebuttal: rebuttal === null ? '' : run.prompt('rebuttal', { rebuttal }),
  };
  const messages = [system(run.prompt('reviewer')), userAbout(spec, run.prompt('judgeFindings', places))];
  const reply = await requestForm(dialogue, 'reviewer', messages, form).catch((error: unknown) => {
    if (error instanceof Unusable) return null;
    throw error;
  });
  return findings.map((_, index) => reply?.findings.find(({ number }) => number === index + 1) ?? unjudged);
}
