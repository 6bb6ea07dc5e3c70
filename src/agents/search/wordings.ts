/**
 * In which words a change, or the joining of two programs, is asked for: the user's own, those that paid in earlier
 * sessions, or the search's. Drawn alike, or chosen by what they gained for what they cost.
 */
import type { Run } from '../../core/agent.ts';
import type { CandidateNote } from '../../notes/evolution.ts';
import type { Search, Wording, WordingKind } from './search.ts';

/** Null: the search's own words. */
export function chosenWording(search: Search, run: Run, kind: WordingKind): Wording | null {
  const own = ownWordings(search, kind);
  if (search.settings.wordingChoice === 'even') return drawnFrom(own, run);
  const all = [...own, ...search.adopted.filter((each) => each.kind === kind)];
  if (all.length === 0) return null;
  // Words that nobody has measured are no better than the search's own: these are among what is chosen from.
  const arms = new Map<string, Wording | null>([
    ...all.map((each) => [nameOfArm(kind, each.words), each] as const),
    [nameOfArm(kind, ''), null] as const,
  ]);
  return arms.get(search.choices.wordings.choose([...arms.keys()]) ?? '') ?? null;
}

export function ownWordings({ settings }: Search, kind: WordingKind): readonly Wording[] {
  const [key, texts] =
    kind === 'change'
      ? (['mutation_prompts', settings.mutationPrompts] as const)
      : (['crossover_prompts', settings.crossoverPrompts] as const);
  return texts.map((words, at) => ({ kind, name: `${key}[${at}]`, words }));
}

/** Null for what was made by other means, or for a hint, which says itself what is to be done. */
export function armOf({
  operator,
  parents,
  parameters,
}: Pick<CandidateNote, 'operator' | 'parents' | 'parameters'>) {
  const { prompt, wording = '' } = parameters;
  const isOne = operator === 'change' || (operator === 'crossover' && parents.length === 2);
  if (!isOne || prompt === undefined || prompt === 'directed') return null;
  return nameOfArm(operator, String(wording));
}

/** Empty words: the search's own. */
export function nameOfArm(kind: WordingKind, words: string): string {
  return `${kind} ${words}`;
}

export function drawnFrom<T>(items: readonly T[], run: Run): T | null {
  return items.length === 0 ? null : (items[Math.floor(run.random() * items.length)] ?? null);
}
