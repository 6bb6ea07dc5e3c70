/**
 * The best known score of each case. `.ahc/best.jsonl` gets a line whenever one becomes better and is only added to, so
 * that processes which evaluate at once lose nothing of one another; `.ahc/best.json` is what they come to, written
 * whole. What is known is read from both: neither is lost with the other.
 */
import { z } from 'zod';
import { UnavailableError } from '../../../core/errors.ts';
import type { Folder } from '../../../core/io.ts';
import { jsonIn } from '../../../core/json.ts';
import { type Direction, isBetter } from '../../../core/program.ts';
import { layout } from '../layout.ts';
import { appendLine, type CaseId, caseKey, readLines } from './history.ts';

/** `input`: its hash. */
const entry = z.object({ name: z.string(), input: z.string(), score: z.number() });
const bestLine = z.object({ direction: z.enum(['maximise', 'minimise']), entries: z.array(entry) });
const bestFile = bestLine.extend({ version: z.literal(1) });

export type BestScores = {
  of(each: CaseId): number | null;
  readonly size: number;
};

type Entry = z.infer<typeof entry>;
type ScoredCase = CaseId & { readonly score: number | null };
type Scores = Map<string, Entry>;

/** `keptAside`: where a `best.json` that could not be read was put; null where there was none. */
export async function readBest(folder: Folder, direction: Direction) {
  const { scores, keptAside } = await known(folder, direction);
  return { ...scoresOf(scores), keptAside };
}

/** Adds what is better than all that was known; tells how many were. */
export async function addToBest(folder: Folder, direction: Direction, cases: readonly ScoredCase[]) {
  const { scores } = await known(folder, direction);
  const entries = cases.flatMap(({ score, ...each }) => {
    const { name, inputHash: input = '' } = each;
    const before = scores.get(caseKey(each));
    const isNew = score !== null && (!before || isBetter(score, before.score, direction));
    return isNew ? [{ name, input, score }] : [];
  });
  if (entries.length === 0) return { best: scoresOf(scores), improved: [] };
  await appendLine(folder, layout.bestLog, { direction, entries });
  // Read again: others may have added to the log meanwhile.
  const all = (await known(folder, direction)).scores;
  const content = { version: 1, direction, entries: [...all.values()] };
  await folder.write(layout.best, `${JSON.stringify(content)}\n`);
  return { best: scoresOf(all), improved: entries.map(({ name }) => name) };
}

async function known(folder: Folder, direction: Direction) {
  const scores: Scores = new Map();
  const take = (entries: readonly Entry[]): void => {
    for (const each of entries) {
      const key = caseKey({ name: each.name, inputHash: each.input });
      const best = betterScore(direction, scores.get(key)?.score ?? null, each.score);
      if (best === each.score) scores.set(key, each);
    }
  };
  const { file, keptAside } = await readFile(folder);
  // After a correction of the direction, the best scores of earlier are the worst ones.
  if (file?.direction === direction) take(file.entries);
  const { values } = await readLines(folder, layout.bestLog, bestLine);
  for (const line of values) if (line.direction === direction) take(line.entries);
  return { scores, keptAside };
}

/** A file that cannot be read may be worth something: it is put aside, never written over. */
async function readFile(folder: Folder) {
  const text = await folder.read(layout.best);
  if (text === null) return { file: null, keptAside: null };
  const parsed = bestFile.safeParse(jsonIn(text));
  if (parsed.success) return { file: parsed.data, keptAside: null };
  const claimed = new Set(await folder.files(layout.records));
  let number = 1;
  while (claimed.has(`best.broken-${number}.json`)) number += 1;
  const backup = `${layout.records}/best.broken-${number}.json`;
  await folder.write(backup, text);
  await folder.remove(layout.best);
  return { file: null, keptAside: backup };
}

function scoresOf(scores: Scores): BestScores {
  return { of: (each) => scores.get(caseKey(each))?.score ?? null, size: scores.size };
}

/** What is known of these cases after a search has run them, by their names. A full disk keeps nothing, and stops no search. */
export async function bestAfter(folder: Folder, direction: Direction, records: readonly ScoredCase[]) {
  if (records.length === 0) return {};
  const best = await addToBest(folder, direction, records).then(
    (added) => added.best,
    (error: unknown) => {
      if (error instanceof UnavailableError) return readBest(folder, direction);
      throw error;
    },
  );
  const known = records.flatMap((each) => {
    const score = betterScore(direction, best.of(each), each.score);
    return score === null ? [] : [[each.name, score] as const];
  });
  return Object.fromEntries(known);
}

/** The better of two scores; null means unknown. */
export function betterScore(direction: Direction, one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return isBetter(one, other, direction) ? one : other;
}
