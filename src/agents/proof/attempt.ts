/**
 * One attempt of the verify loop: its settings, with the defaults of its paper (Huang and Yang, "Gemini 2.5 Pro Capable
 * of Winning Gold at IMO 2025", 2025, and its published code), its state, and the solver's turns: a first solution, its
 * improvement, corrections from a fresh context. No proof is lost to a reply that holds none.
 */
import { z } from 'zod';
import type { Run } from '../../core/agent.ts';
import type { Message } from '../../core/model.ts';
import type { ProblemSpec } from '../../core/problem.ts';
import { note } from '../../notes/proof.ts';
import { withoutThoughts } from '../../text/model-json.ts';
import { assistant, system, user } from '../kit/asking.ts';
import { cutBehind, sectionFrom } from '../kit/sections.ts';
import { isReference, isUnchanged, withoutTalk } from './confession.ts';
import { gradingSettings, type VerdictReading } from './grader.ts';
import { said, spoken, statementOf } from './talk.ts';
import words from './words.json' with { type: 'json' };

const count = z.number().int();

export const verifyLoopSettings = z.object({
  passes: count.min(1).max(50).default(5).describe('Verifications in a row that accept a proof.'),
  failures: count
    .min(1)
    .max(100)
    .default(10)
    .describe('Failed verifications in a row that give up an attempt.'),
  iterations: count
    .min(1)
    .max(1000)
    .default(30)
    .describe('Iterations that an attempt may take; when they are used up, it has failed.'),
  attempts: count.min(1).max(100).default(10).describe('Attempts from scratch.'),
  pool: count
    .min(1)
    .max(16)
    .default(1)
    .describe(
      'How many accepted proofs are gathered before the best of them is chosen by comparing them in pairs.',
    ),
  ...gradingSettings,
  review: z
    .boolean()
    .default(false)
    .describe('A reviewer drops the wrong complaints of a report before it is sent to the solver.'),
  hints: z
    .array(z.string().trim().min(1))
    .default([])
    .describe('Each is a user’s turn of its own, in front of everything that the solver is asked.'),
  compat: z
    .strictObject({
      /**
       * `headings`: sections are found under headings in any form, and a reply without a proof is asked for again.
       * `substring`: they are cut where their names first occur, and an empty proof is verified, as in the original.
       */
      sections: z.enum(['headings', 'substring']).default('headings'),
      /** `strict`: yes and nothing else. `substring`: "yes" anywhere in the reply, as in the original. */
      verdict: z.enum(['strict', 'substring']).default('strict'),
      /** `end`: the run ends, to be resumed. `count`: the iteration counts, the last verdict and report stay. */
      failedCalls: z.enum(['end', 'count']).default('end'),
      /** Where the bug report begins that the solver is sent: of the whole report, or behind its Summary heading. */
      reportFrom: z.enum(['start', 'summary']).default('start'),
    })
    .prefault({})
    .describe(
      'Details of the published code: where sections are cut, what a verdict is, what a failed call means.',
    ),
});

export type VerifyLoopSettings = z.infer<typeof verifyLoopSettings>;

export type Attempt = {
  /** The attempt's own branch. */
  readonly run: Run;
  readonly spec: ProblemSpec;
  readonly settings: VerifyLoopSettings;
  /** Of all attempts: those of the settings, and what was told while the run lived. */
  readonly hints: string[];
  /** The current attempt and iteration, for notes; the loop updates it. */
  readonly place: { readonly attempt: number; iteration: number | null };
  /** Verifications so far, which name their branches. */
  verifications: number;
};

/** What the solver last sent: the whole reply goes back to it, its proof goes to the grader. */
export type Draft = {
  readonly text: string;
  readonly proof: string;
  /** What it, or a reviewer for it, holds against the last report. */
  readonly rebuttal: string | null;
};

export type Review = {
  /** `void`: no complaint survived its review. Neither a pass nor a failure. */
  readonly verdict: 'pass' | 'fail' | 'void';
  readonly points: number | null;
  /** What the solver is sent; empty where there is nothing to send. */
  readonly bugReport: string;
  /** Why the complaints of a void report do not hold. */
  readonly objections: string;
  /** `none`: graders said that the solution leaves nothing open. */
  readonly leftOpen: 'none' | null;
};

type Turn = 'solve' | 'improve' | 'correct';

/** Whose verdict counts; to read replies as the original does is to judge as it does. */
export function readingOf({ compat, judging }: VerifyLoopSettings): VerdictReading {
  const isStrict = judging === 'strict' && compat.sections === 'headings' && compat.verdict === 'strict';
  return isStrict ? 'own' : compat.verdict;
}

/** Graders give the verdict themselves, and are asked what a solution leaves open. */
export const isStrict = ({ settings }: Pick<Attempt, 'settings'>): boolean => readingOf(settings) === 'own';

export async function firstSolution(attempt: Attempt): Promise<Draft> {
  const messages = await question(attempt, 'solve');
  const text = await sayingOf(attempt)(attempt, 'solver', messages);
  return told(attempt, 'solve', draftIn(attempt, text) ?? wholeOf(attempt, text));
}

function wholeOf(attempt: Attempt, reply: string): Draft {
  const text = isStrict(attempt) ? withoutTalk(reply, { problem: statementOf(attempt.spec) }) : reply;
  return { text, proof: text, rebuttal: null };
}

export async function improveDraft(attempt: Attempt, first: Draft): Promise<Draft> {
  const messages = [
    ...(await question(attempt, 'improve')),
    assistant(first.text),
    user(attempt.run.prompt(isStrict(attempt) ? 'strictImprove' : 'improve')),
  ];
  const hasProof = sectionFrom(first.text, 'Detailed Solution') !== null;
  // Shorter than what it is to improve, it is a word on it: that there is nothing to improve.
  const mayBeWord = (text: string) => isStrict(attempt) && hasProof && text.length < first.text.length;
  const { draft, text } = await requestDraft(attempt, first, {
    turn: 'improve',
    messages,
    isEnough: mayBeWord,
  });
  return told(attempt, 'improve', draft ?? (hasProof ? first : wholeOf(attempt, text)));
}

/** From a fresh context: the problem, the proof as it stands, the report. Nothing of earlier rounds. */
export async function correctDraft(attempt: Attempt, last: Draft, { bugReport }: Review): Promise<Draft> {
  const correct = isStrict(attempt) ? 'strictCorrect' : 'correct';
  const messages = [
    ...(await question(attempt, 'correct')),
    assistant(last.text),
    user(attempt.run.prompt(correct, { report: bugReport })),
  ];
  const isEnough = (reply: string) =>
    isStrict(attempt) ? isUnchanged(reply) : sectionFrom(reply, 'Rebuttal') !== null;
  const { draft, text, first } = await requestDraft(attempt, last, { turn: 'correct', messages, isEnough });
  // A reply that only defends the proof, under a heading or not, must not lose it.
  const said = isStrict(attempt) ? first : text;
  const rebuttal = sectionFrom(said, 'Rebuttal') ?? said;
  const merged = draft && text !== first ? { ...draft, rebuttal: draft.rebuttal ?? rebuttal } : draft;
  const kept = { ...last, rebuttal: isStrict(attempt) && isUnchanged(said) ? null : rebuttal };
  return told(attempt, 'correct', (isStrict(attempt) ? merged : draft) ?? kept);
}

/**
 * Asks once more where a reply holds no proof, unless it `isEnough`; a strict one for a proof that holds what was said
 * beside it. `first`: the reply before that.
 */
async function requestDraft(attempt: Attempt, last: Draft, { turn, messages, isEnough }: Asking) {
  const read = (reply: string) => {
    const draft = draftIn(attempt, reply);
    return draft && isStrict(attempt) && isReference(draft.proof, last.proof) ? null : draft;
  };
  const text = await sayingOf(attempt)(attempt, 'solver', messages);
  const draft = read(text);
  if (draft || isEnough(text)) return { draft, text, first: text };
  note(attempt.run, 'missing-section', { ...attempt.place, turn });
  const more = turn === 'correct' && isStrict(attempt) ? 'merge' : 'section';
  const again = await spoken(attempt, 'solver', [
    ...messages,
    assistant(text),
    user(attempt.run.prompt(more)),
  ]);
  return { draft: read(again), text: again, first: text };
}

type Asking = {
  readonly turn: Turn;
  readonly messages: readonly Message[];
  isEnough(reply: string): boolean;
};

/** The original takes any reply, even an empty one. */
function sayingOf({ settings }: Attempt): typeof said {
  return settings.compat.sections === 'substring' ? said : spoken;
}

function draftIn(attempt: Attempt, text: string): Draft | null {
  if (attempt.settings.compat.sections === 'substring')
    return { text, proof: cutBehind(text, 'Detailed Solution'), rebuttal: null };
  return draftOf(text, { isStrict: isStrict(attempt), problem: statementOf(attempt.spec) });
}

/** Tags and other names of the sections as the headings that were asked for. */
function withHeadings(text: string): string {
  const named = Object.entries(words.headings).reduce((before, [name, others]) => {
    const other = new RegExp(
      `^[ \\t]*(?:#{1,6}[ \\t*]*(?:${others})[*#:.]{0,9}|<(?:${others})>)[ \\t#]*$`,
      'imu',
    );
    const at = before.search(other);
    // Below other headings, as that of a lemma, it is a part.
    const isPart = /^[ \t]*#/m.test(before.slice(0, at).replace(/^[ \t]*#+[ \t*]*Summary\b.*$/im, ''));
    const isIt = at >= 0 && sectionFrom(before, name) === null && (name === 'Rebuttal' || !isPart);
    return isIt ? before.replace(other, `### ${name} ###`) : before;
  }, text);
  return named.replaceAll(/^[ \t]*<\/(?:summary|proof|rebuttal|detailed[_-]?solution)>[ \t]*$/gim, '');
}

/** `isStrict`: without rebuttal, thoughts, thanks and excuses: who reads the proof knows of no report. */
export function draftOf(
  reply: string,
  { isStrict, problem }: { isStrict: boolean; problem: string },
): Draft | null {
  const text = isStrict ? withHeadings(unwrapped(withoutThoughts(reply))) : reply;
  const whole = sectionFrom(text, 'Detailed Solution', ['Rebuttal']);
  if (whole === null) return null;
  const rebuttal = sectionFrom(text, 'Rebuttal', ['Summary', 'Detailed Solution']);
  if (!isStrict) return { text, proof: whole, rebuttal };
  const summary = sectionFrom(text, 'Summary', ['Detailed Solution', 'Rebuttal']) ?? '';
  const proof = withoutTalk(whole, { problem });
  const said = whole.includes(summary) ? '' : withoutTalk(summary, { isSummary: true, problem });
  const head = said === '' ? '' : `### Summary ###\n${said}\n\n`;
  return { text: `${head}### Detailed Solution ###\n\n${proof}`, proof, rebuttal };
}

/** Some wrap the whole of it in a block of code. */
function unwrapped(text: string): string {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => /^`{3,}[a-z]*$/i.test(line));
  const fence = /^`*/.exec(lines[first] ?? '')?.[0] ?? '';
  const last = lines.findLastIndex((line) => line.trimEnd() === fence);
  const inside = lines.slice(first + 1, last).join('\n');
  return first >= 0 && last > first && /Detailed Solution/i.test(inside) ? inside : text;
}

function told({ run, place }: Attempt, turn: Turn, draft: Draft): Draft {
  note(run, 'draft', { ...place, turn, text: draft.text, rebuttal: draft.rebuttal });
  return draft;
}

/** The instructions, the problem, and each hint as a turn of its own. */
async function question(attempt: Attempt, turn: Turn): Promise<Message[]> {
  const { run, spec, hints, place } = attempt;
  for (const hint of await run.inbox()) {
    hints.push(hint);
    note(run, 'hint', { ...place, turn, hint });
  }
  return [
    system(run.prompt(isStrict(attempt) ? 'strictSolver' : 'solver')),
    { role: 'user', content: spec.statement },
    ...hints.map((hint) => user(run.prompt('hint', { hint }))),
  ];
}
