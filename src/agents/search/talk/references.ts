/** What the problem's tools know of what its user refers to: past contests by id, algorithms of the library by words. */
import type { Run } from '../../../core/agent.ts';
import type { Problem } from '../../../core/problem.ts';
import type { Hint } from '../search.ts';
import { offered } from '../strategy-sources.ts';
import type { Meaning } from './rules.ts';

export type Found = { readonly sources: Hint['sources']; readonly missing: readonly string[] };

const [mostContests, mostAlgorithms, mostCharacters] = [3, 3, 6_000];

export async function referencesOf(
  run: Run,
  problem: Problem,
  { contests, algorithms }: Extract<Meaning, { readonly kind: 'reference' }>,
): Promise<Found> {
  const found: Hint['sources'][number][] = [];
  const missing: string[] = [];
  for (const id of contests.slice(0, mostContests)) {
    const shown = await offered(run, problem, 'contests_show', { contest_id: id });
    if (shown) found.push({ name: id, text: bounded(shown.text) });
    else missing.push(id);
  }
  for (const words of algorithms.slice(0, mostAlgorithms)) {
    const entry = await entryFor(run, problem, words);
    if (entry && !found.some(({ name }) => name === entry.name)) found.push(entry);
    else if (!entry) missing.push(words);
  }
  return { sources: found, missing };
}

async function entryFor(run: Run, problem: Problem, words: string): Promise<Hint['sources'][number] | null> {
  const listed = await offered(run, problem, 'library_search', { keywords: words });
  const entries = listed?.data?.entries;
  const [name] = Array.isArray(entries) ? entries : [];
  if (typeof name !== 'string') return null;
  const shown = await offered(run, problem, 'library_show', { name });
  return shown && { name, text: bounded(shown.text) };
}

function bounded(text: string): string {
  return text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters).toWellFormed()}\n…`;
}
