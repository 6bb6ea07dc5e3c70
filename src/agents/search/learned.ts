/**
 * What earlier sessions learned of this problem and of others like it, where the problem keeps such knowledge: looked up
 * once, when the analysis is known. Pieces are shown in every prompt that asks for a change; what words brought there is
 * what the choice among words begins with (`wordingChoice`).
 */
import { z } from 'zod';
import type { Run } from '../../core/agent.ts';
import type { Json } from '../../core/json.ts';
import { type Search, type Wording, write } from './search.ts';
import { offered } from './strategy-sources.ts';
import { nameOfArm, ownWordings } from './wordings.ts';

const mostCharacters = 4_000;
const mostWords = 12;

export async function lookUpKnowledge(search: Search, run: Run): Promise<void> {
  if (!search.settings.knowledge) return;
  const { problem_type_tags: tags, extracted_keywords: words } = search.analysis;
  const keywords = [...new Set([...tags, ...words])].slice(0, mostWords);
  const found = await offered(run, search.problem, 'knowledge_search', { keywords });
  const text = found?.text.trim().slice(0, mostCharacters).toWellFormed() ?? '';
  const isNews = text !== '' && found?.data?.found !== 0;
  if (isNews) search.learned = `What earlier sessions learned; measured there, to be checked here:\n${text}`;
  if (search.settings.wordingChoice === 'bandit') takeCredit(search, creditsIn(found?.data?.prompts));
  write(run, 'learned', { text: isNews ? text : '', wordings: search.adopted.map(({ words }) => words) });
}

const credits = z.array(
  z.object({
    kind: z.enum(['change', 'crossover']),
    /** Empty: the search's own. */
    words: z.string(),
    made: z.int().nonnegative(),
    better: z.int().nonnegative(),
  }),
);

type Credit = z.infer<typeof credits>[number];

function creditsIn(value: Json | undefined): readonly Credit[] {
  return credits.safeParse(value).data ?? [];
}

/** Older sessions count as no more than so many tries: this one has programs of its own. */
const mostTries = 8;

function takeCredit(search: Search, found: readonly Credit[]): void {
  search.adopted = adoptable(search, found);
  const arms = new Set([
    ...(['change', 'crossover'] as const).flatMap((kind) => [
      nameOfArm(kind, ''),
      ...ownWordings(search, kind).map(({ words }) => nameOfArm(kind, words)),
    ]),
    ...search.adopted.map(({ kind, words }) => nameOfArm(kind, words)),
  ]);
  for (const [arm, all] of Map.groupBy(found, ({ kind, words }) => nameOfArm(kind, words))) {
    const made = sumOf(all, 'made');
    if (!arms.has(arm) || made === 0) continue;
    const tries = Math.min(mostTries, made);
    search.choices.wordings.remember(arm, { tries, gains: (tries * sumOf(all, 'better')) / made });
  }
}

const mostAdopted = 3;
const leastHits = 2;

/** Words of earlier sessions that paid more than once, and more often than the search's own. The best first. */
function adoptable(search: Search, found: readonly Credit[]): readonly Wording[] {
  return (['change', 'crossover'] as const).flatMap((kind) => {
    const own = new Set(ownWordings(search, kind).map(({ words }) => words));
    const all = found.filter((each) => each.kind === kind);
    const usual = rateOf(all.filter(({ words }) => words === ''));
    return all
      .filter((each) => each.words !== '' && !own.has(each.words) && each.better >= leastHits)
      .filter((each) => rateOf([each]) > usual)
      .toSorted((a, b) => rateOf([b]) - rateOf([a]))
      .slice(0, mostAdopted)
      .map(({ words }, at) => ({ kind, name: `learned_${namesOf[kind]}[${at}]`, words }));
  });
}

const namesOf = { change: 'mutation_prompts', crossover: 'crossover_prompts' } as const;

const rateOf = (all: readonly Credit[]): number => sumOf(all, 'better') / Math.max(1, sumOf(all, 'made'));

function sumOf(all: readonly Credit[], key: 'made' | 'better'): number {
  return all.reduce((sum, each) => sum + each[key], 0);
}
