/**
 * The solver's turns: a first solution, its improvement, corrections from a fresh context. A reply without a proof is
 * asked for again, and no proof is lost to a reply that holds none.
 */
import type { Message } from '../../core/model.ts';
import { note } from '../../notes/proof.ts';
import { assistant, system, user } from '../kit/asking.ts';
import { cutBehind, sectionFrom } from '../kit/sections.ts';
import type { Attempt, Draft, Review } from './attempt.ts';
import { said, spoken } from './talk.ts';

type Turn = 'solve' | 'improve' | 'correct';

export async function firstSolution(attempt: Attempt): Promise<Draft> {
  const messages = await question(attempt, 'solve');
  const text = await sayingOf(attempt)(attempt, 'solver', messages);
  return told(attempt, 'solve', draftIn(attempt, text) ?? { text, proof: text, rebuttal: null });
}

export async function improved(attempt: Attempt, first: Draft): Promise<Draft> {
  const messages = [
    ...(await question(attempt, 'improve')),
    assistant(first.text),
    user(attempt.run.prompt('improve')),
  ];
  const { draft, text } = await drafted(attempt, 'improve', messages);
  if (draft) return told(attempt, 'improve', draft);
  const firstHasProof = sectionFrom(first.text, 'Detailed Solution') !== null;
  return told(attempt, 'improve', firstHasProof ? first : { text, proof: text, rebuttal: null });
}

/** From a fresh context: the problem, the proof as it stands, the report. Nothing of earlier rounds. */
export async function corrected(attempt: Attempt, last: Draft, { bugReport }: Review): Promise<Draft> {
  const messages = [
    ...(await question(attempt, 'correct')),
    assistant(last.text),
    user(attempt.run.prompt('correct', { report: bugReport })),
  ];
  const { draft, text } = await drafted(attempt, 'correct', messages);
  // A reply that only defends the proof, under a heading or not, must not lose it.
  const rebuttal = sectionFrom(text, 'Rebuttal') ?? text;
  return told(attempt, 'correct', draft ?? { ...last, rebuttal });
}

/** Asks once more where a reply holds neither a proof nor a rebuttal. */
async function drafted(
  attempt: Attempt,
  turn: Turn,
  messages: readonly Message[],
): Promise<{ draft: Draft | null; text: string }> {
  const text = await sayingOf(attempt)(attempt, 'solver', messages);
  const draft = draftIn(attempt, text);
  const isRebuttal = turn === 'correct' && sectionFrom(text, 'Rebuttal') !== null;
  if (draft || isRebuttal) return { draft, text };
  note(attempt.run, 'missing-section', { ...attempt.place, turn });
  const asked = [...messages, assistant(text), user(attempt.run.prompt('section'))];
  const again = await spoken(attempt, 'solver', asked);
  return { draft: draftIn(attempt, again), text: again };
}

/** The original takes what comes, be it nothing. */
function sayingOf({ settings }: Attempt): typeof said {
  return settings.compat.sections === 'substring' ? said : spoken;
}

function draftIn({ settings }: Attempt, text: string): Draft | null {
  if (settings.compat.sections === 'substring')
    return { text, proof: cutBehind(text, 'Detailed Solution'), rebuttal: null };
  const proof = sectionFrom(text, 'Detailed Solution', ['Rebuttal']);
  if (proof === null) return null;
  return { text, proof, rebuttal: sectionFrom(text, 'Rebuttal', ['Summary', 'Detailed Solution']) };
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
    system(run.prompt('solver')),
    { role: 'user', content: spec.statement },
    ...hints.map((hint) => user(run.prompt('hint', { hint }))),
  ];
}
