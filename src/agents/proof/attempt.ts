/**
 * The state of an attempt of the verify loop, and the solver's turns in it: a first solution, its improvement, corrections
 * from a fresh context. No proof is lost to a reply that holds none.
 */
import type { Run } from '../../core/agent.ts';
import type { Message } from '../../core/model.ts';
import type { ProblemSpec } from '../../core/problem.ts';
import { note } from '../../notes/proof.ts';
import { withoutThoughts } from '../../text/model-json.ts';
import { assistant, system, user } from '../kit/asking.ts';
import { sectionFrom } from '../kit/sections.ts';
import { requestWords } from './dialogue.ts';
import type { Findings } from './findings.ts';
import type { VerifyLoopSettings } from './settings.ts';

export type Attempt = {
  /** The attempt's own branch. */
  readonly run: Run;
  readonly spec: ProblemSpec;
  readonly settings: VerifyLoopSettings;
  /** Of all attempts: those of the settings, and what the user sent while the run lived. */
  readonly hints: string[];
  readonly findings: Findings;
  /** The current attempt and iteration, for notes; the loop updates it. */
  readonly place: { readonly attempt: number; iteration: number | null };
  /** Verifications so far, which name their branches. */
  verifications: number;
};

/** What the solver last sent. */
export type Draft = {
  /** Its summary and its proof: what graders read, and what is accepted. */
  readonly text: string;
  /** What the solver replied to findings, beside the text. */
  readonly rebuttal: string | null;
};

type Turn = 'solve' | 'improve' | 'correct';

export async function firstSolution(attempt: Attempt): Promise<Draft> {
  const text = await requestWords(attempt, 'solver', await solverMessages(attempt, 'solve'));
  return noteDraft(attempt, 'solve', draftIn(text) ?? { text: text.trim(), rebuttal: null });
}

export async function improveDraft(attempt: Attempt, first: Draft): Promise<Draft> {
  const messages = [
    ...(await solverMessages(attempt, 'improve')),
    assistant(first.text),
    user(attempt.run.prompt('improve')),
  ];
  const hasProof = draftIn(first.text) !== null;
  // Words that are shorter than what they are to improve say that there is nothing to improve.
  const isRemark = (text: string) => hasProof && text.length < first.text.length;
  const { draft, text } = await requestDraft(attempt, first, { turn: 'improve', messages, isRemark });
  return noteDraft(attempt, 'improve', draft ?? (hasProof ? first : { text: text.trim(), rebuttal: null }));
}

/** From a fresh context: the problem, the draft as it stands, the findings. Nothing of earlier rounds. */
export async function correctDraft(attempt: Attempt, last: Draft, report: string): Promise<Draft> {
  const messages = [
    ...(await solverMessages(attempt, 'correct')),
    assistant(last.text),
    user(attempt.run.prompt('correct', { report })),
  ];
  const isRemark = (reply: string) => isUnchanged(reply) || sectionFrom(reply, 'Rebuttal') !== null;
  const { draft, text } = await requestDraft(attempt, last, { turn: 'correct', messages, isRemark });
  // A reply that only defends the proof, under a heading or not, must not lose it.
  const rebuttal = isUnchanged(text) ? null : (sectionFrom(text, 'Rebuttal') ?? text);
  return noteDraft(attempt, 'correct', draft ?? { ...last, rebuttal });
}

type DraftRequest = {
  readonly turn: Turn;
  readonly messages: readonly Message[];
  /** Whether a reply without a proof is complete as it is. */
  isRemark(reply: string): boolean;
};

/** Asks once more if a reply holds neither a proof nor a remark that is one by itself. */
async function requestDraft(attempt: Attempt, last: Draft, { turn, messages, isRemark }: DraftRequest) {
  const read = (reply: string) => {
    const draft = draftIn(reply);
    // "Unchanged, see above" in the place of a proof is none.
    return draft && draft.text.length < last.text.length && reference.test(draft.text) ? null : draft;
  };
  const text = await requestWords(attempt, 'solver', messages);
  const draft = read(text);
  if (draft || isRemark(text)) return { draft, text };
  note(attempt.run, 'missing-section', { ...attempt.place, turn });
  const question = user(attempt.run.prompt('section'));
  const again = await requestWords(attempt, 'solver', [...messages, assistant(text), question]);
  // Words that are no proof either say less than those before them.
  return { draft: read(again), text };
}

const reference =
  /### Detailed Solution ###\s+\W*(?:unchanged|see above|as (?:above|before)|no changes?)\b.{0,200}$/is;
const isUnchanged = (reply: string): boolean =>
  /^\W*(?:unchanged|no changes?(?: (?:are |is )?needed)?)\W*$/i.test(withoutThoughts(reply));

/** The sections of a reply; null where it has no proof. */
export function draftIn(reply: string): Draft | null {
  const text = withoutFence(withoutThoughts(reply));
  const proof = sectionFrom(text, 'Detailed Solution', ['Rebuttal'])?.replace(closingLine, '').trim();
  if (!proof) return null;
  const summary = sectionFrom(text, 'Summary', ['Detailed Solution', 'Rebuttal']) ?? '';
  const head = summary === '' || proof.includes(summary) ? '' : `### Summary ###\n${summary}\n\n`;
  const rebuttal = sectionFrom(text, 'Rebuttal', ['Summary', 'Detailed Solution']);
  return { text: `${head}### Detailed Solution ###\n\n${proof}`, rebuttal };
}

/** A rule at the end, with a line of courtesy below it. */
const closingLine = /\n(?:-{3,9}|\*{3,9}|_{3,9})[ \t]*\n?\n?[^\n$\\]{0,200}$/;

/** Some put all of it into a block of code. */
function withoutFence(text: string): string {
  const [, inside] = /^(?:[^`]*\n)?`{3,}[a-z]*\n(.*Detailed Solution.*)\n`{3,}\s*$/is.exec(text) ?? [];
  return inside ?? text;
}

export function noteDraft({ run, place }: Attempt, turn: Turn, draft: Draft): Draft {
  note(run, 'draft', { ...place, turn, text: draft.text, rebuttal: draft.rebuttal });
  return draft;
}

/** The instructions, the problem, and each hint as a turn of its own. */
export async function solverMessages(attempt: Attempt, turn: Turn): Promise<Message[]> {
  const { run, spec, hints, place } = attempt;
  for (const hint of await run.inbox()) {
    hints.push(hint);
    note(run, 'hint', { ...place, turn, hint });
  }
  return [
    system(run.prompt('solver')),
    { role: 'user', content: spec.statement },
    ...hints.map((hint) => user(run.prompt('hint', { hint }))),
  ];
}
