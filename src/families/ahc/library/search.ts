/**
 * Finds entries: by name, whatever way it is written, or by keywords, best first. Words of any script are looked for, so
 * that a tag in Japanese is found as well. Pure.
 */
import { UserError } from '../../../core/errors.ts';
import { nearestOf } from '../config/nearest.ts';
import type { Library, LibraryEntry } from './library.ts';

/** `simulated_annealing`, `Simulated annealing`, `simulated-annealing.hpp`. Throws `UserError` with what may be meant. */
export function findEntry({ entries }: Library, name: string): LibraryEntry {
  const asked = plain(
    name
      .trim()
      .replace(/^polya\//, '')
      .replace(/\.(?:hpp|h|cpp)$/i, ''),
  );
  const found = entries.find(({ id, meta }) => plain(id) === asked || plain(meta.name) === asked);
  if (found) return found;
  const meant = nearNames(entries, asked);
  const all = entries.map(({ id }) => id).join(', ');
  throw new UserError({
    code: 'no-such-header',
    what: `There is no ${JSON.stringify(name)} in the library.`,
    fix: `${meant.length > 0 ? `Did you mean ${meant.join(' or ')}? ` : ''}There are: ${all}.`,
  });
}

/** A word that nearly all entries have, such as `of`, says nothing. */
const leastWeight = 0.2;

/** Entries in which a keyword is found, best first: by the places where they are found, where rare words count more. */
export function searchLibrary(
  { entries }: Library,
  keywords: string | readonly string[],
): readonly LibraryEntry[] {
  const wanted = new Set(wordsOf(typeof keywords === 'string' ? keywords : keywords.join(' ')));
  const ranked = entries.map((entry) => ({ entry, weight: 0, points: 0 }));
  for (const word of wanted) {
    const points = entries.map((entry) => pointsOf(entry, word));
    const hits = points.filter((each) => each > 0).length;
    const weight = Math.log((entries.length + 1) / Math.max(hits, 1));
    for (const [at, each] of ranked.entries()) {
      const here = points[at] ?? 0;
      each.weight += here > 0 ? weight : 0;
      each.points += weight * here;
    }
  }
  return ranked
    .filter(({ weight }) => weight > leastWeight)
    .sort((a, b) => b.points - a.points)
    .map(({ entry }) => entry);
}

/** Words of the library that may have been meant, for a search that found nothing. */
export function nearWords({ entries }: Library, keywords: readonly string[]): readonly string[] {
  const known = [...new Set(entries.flatMap((entry) => [...titleWords(entry), ...tagWords(entry)]))];
  const near = keywords.flatMap((each) => wordsOf(each)).map((word) => nearestOf(word, known));
  return [...new Set(near.filter((each) => each !== null))];
}

/** Of another name that it goes by, such as `dsu`; else of what is written nearly so; else of what it is a part of. */
function nearNames(entries: readonly LibraryEntry[], asked: string): readonly string[] {
  if (asked === '') return [];
  const called = entries.filter(({ meta }) => meta.tags.some((tag) => plain(tag) === asked));
  if (called.length > 0) return called.map(({ id }) => id).slice(0, 5);
  const ids = entries.map(({ id }) => id);
  const near = nearestOf(asked, ids.map(plain));
  const like = ids.filter((id) => plain(id) === near);
  if (like.length > 0) return like;
  return ids.filter((id) => plain(id).includes(asked) || asked.includes(plain(id))).slice(0, 5);
}

/** The best place that a word has in an entry. A part of a word counts less than all of it. */
function pointsOf(entry: LibraryEntry, word: string): number {
  const { description, when_to_use, notes, pitfalls } = entry.meta;
  const places = [
    [titleWords(entry), 16],
    [tagWords(entry), 12],
    [wordsOf(description), 4],
    [wordsOf(`${when_to_use} ${notes} ${pitfalls}`), 2],
  ] as const;
  return Math.max(...places.map(([known, most]) => most * likeness(known, word)));
}

function likeness(known: readonly string[], word: string): number {
  if (known.includes(word)) return 1;
  // A letter or two are in almost every word; of Japanese they are a word.
  const isShort = /^\w{1,2}$/.test(word);
  return !isShort && known.some((each) => each.includes(word)) ? 0.5 : 0;
}

function titleWords({ id, meta }: LibraryEntry): readonly string[] {
  return [id.toLowerCase(), plain(id), plain(meta.name), ...wordsOf(id), ...wordsOf(meta.name)];
}

function tagWords({ meta }: LibraryEntry): readonly string[] {
  return meta.tags.flatMap((tag) => [tag.toLowerCase(), ...wordsOf(tag)]);
}

/** `simulated_annealing` is two words and one: both are found. */
function wordsOf(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}+]+/u)
    .filter((word) => word !== '');
}

/** Letters and digits alone. */
function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}
