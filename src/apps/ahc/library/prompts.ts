/**
 * What each prompt brought in a session for what it cost. A prompt is its words: one of the configuration that was
 * rewritten while the session went on is two, and so is one of the search whose words were replaced (`--prompts`). Pure.
 */

import type { KnownPrompt } from '../../../families/ahc/knowledge/known.ts';
import type { SessionCandidate, SessionState } from '../../../families/ahc/session/fold.ts';
import type { SessionFacts } from '../../../families/ahc/session/session-facts.ts';
import { creditor } from '../session/credit.ts';

export function promptsOf(state: SessionState, facts: SessionFacts): readonly KnownPrompt[] {
  const creditFor = creditor(state, facts);
  const seen = new Map<string, number>();
  return promptsUsed(state).map(({ name, words, candidates }) => {
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    const { made, evaluated, betterThanParents, improvements, gain, tokens } = creditFor((each) =>
      candidates.has(each),
    );
    const id = `${facts.id}/${name}${times > 1 ? `~${times}` : ''}`;
    return { id, name, words, made, evaluated, betterThanParents, improvements, gain, tokens };
  });
}

export type UsedPrompt = {
  readonly name: string;
  readonly words: string;
  readonly candidates: ReadonlySet<SessionCandidate>;
};

/** By their names. */
export function promptsUsed({ run, candidates }: SessionState): readonly UsedPrompt[] {
  const own = run.header?.prompts ?? {};
  const used = Map.groupBy(candidates, ({ note }) => keyOf(note));
  used.delete('');
  return [...used]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, made]) => {
      const name = String(made[0]?.note.parameters.prompt ?? '');
      return { name, words: key.slice(name.length + 1) || wordsOf(name, own), candidates: new Set(made) };
    });
}

/** Empty for candidates that no prompt stands behind. */
function keyOf({ parameters: { prompt = '', wording = '' } }: SessionCandidate['note']): string {
  return prompt === '' ? '' : `${prompt}\n${wording}`;
}

/** Two prompts of the search are one to whoever asks what pays. */
const partsOfRepair = ['repairCompile', 'repairCases'];

function wordsOf(name: string, prompts: Readonly<Record<string, string>>): string {
  const names = name === 'repair' ? partsOfRepair : [name];
  return names.flatMap((each) => prompts[each] ?? []).join('\n\n');
}
