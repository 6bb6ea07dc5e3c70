/**
 * What tags and algorithms are called, in English and in Japanese: so that `焼きなまし` finds what is tagged
 * simulated_annealing, and a statement in either language shows what it is about. Pure.
 */
import vocabulary from './vocabulary.json' with { type: 'json' };

export type Concept = {
  /** As tags are written. */
  readonly tag: string;
  /** Its other names; the tag itself, with spaces, is one already. */
  readonly names: readonly string[];
};

/** Of problems, then of algorithms. */
const concepts: readonly Concept[] = Object.entries(vocabulary).map(([tag, names]) => ({
  tag,
  names: [tag.replaceAll('_', ' '), ...names.split(', ')],
}));

const byName: ReadonlyMap<string, Concept> = new Map(
  // Where two share a name, the first has it.
  concepts.flatMap((concept) => concept.names.map((name) => [slug(name), concept] as const)).reverse(),
);

/** `Simulated Annealing` and `simulated-annealing` are `simulated_annealing`. */
export function slug(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_|_$/g, '');
}

/** By any of its names. */
export function conceptOf(name: string): Concept | undefined {
  return byName.get(slug(name));
}

/** All that a tag, or an algorithm, is called; a tag that is not known, by itself. */
export function namesOf(name: string): readonly string[] {
  const own = name.replaceAll('_', ' ');
  return [...new Set([own, ...(conceptOf(name)?.names ?? [])])];
}
