/**
 * `node bench/calibrate.ts [--check] FOLDER…`: reads the searches that folders with `.polya` hold, and fits the replier of
 * bench `evolution-search` to them: how far drawn programs spread (σ), how much room there is above an approach (H/σ), how
 * often a change is better. Then it runs the search with that replier and says from how many calls on it beats the best of
 * as many programs. `--check`: fits searches whose answer is known in the place of folders.
 *
 * What it takes as known: the form of the replier, and its numbers that are not fitted. The interval of H/σ is a profile
 * likelihood's at 95 %, widened by what σ may be; parents that were lucky on their cases make it a little low.
 */
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { evolution } from '../src/agents/search/evolution.ts';
import type { Event } from '../src/core/event.ts';
import { mean } from '../src/core/statistics/bootstrap.ts';
import { type CandidateNote, evolutionNoteOf } from '../src/notes/evolution.ts';
import { readJournal } from '../src/run/load.ts';
import { openSqliteStore } from '../src/store/sqlite.ts';
import { searchOn, tableOf } from './evolution-arms.ts';
import { replierWorld, usualReplies } from './evolution-worlds.ts';

/** What a fit that can be relied on needs (48 contests of simulation): fewer are told, and far fewer give no figure. */
const wanted = { firsts: 24, changes: 90, rewrites: 30, contests: 3 };
const least = { firsts: 5, changes: 15 };

/** `line`: of one first program and all that came of it. In units of σ: where the parent stands, its approach, how often it was changed before, the difference and its error. */
type Change = {
  readonly line: string;
  readonly standing: number;
  readonly approach: number;
  readonly tries: number;
  readonly gain: number;
  readonly error: number;
};

type Facts = {
  readonly firsts: number;
  readonly rewrites: number;
  readonly contests: number;
  readonly changes: readonly Change[];
};

const byApproach = usualReplies.approach ** 2;

function factsOf(searches: readonly (readonly CandidateNote[])[]): Facts {
  const all = searches.map(factsOfSearch);
  const sum = (pick: (each: Facts) => number) => all.reduce((total, each) => total + pick(each), 0);
  return {
    firsts: sum(({ firsts }) => firsts),
    rewrites: sum(({ rewrites }) => rewrites),
    contests: all.length,
    changes: all.flatMap(({ changes }) => changes),
  };
}

function factsOfSearch(notes: readonly CandidateNote[]): Facts {
  const scoresOf = scoring(notes);
  const whole = notes.filter(({ status }) => status === 'evaluated');
  const standingOf = (note: CandidateNote): number => mean([...scoresOf(note).values()]) ?? 0;
  const firsts = whole.filter(({ operator }) => operator === 'initial');
  const rewrites = whole.filter(({ operator }) => operator === 'rewrite').length;
  const nothing = { firsts: firsts.length, rewrites, contests: 1, changes: [] };
  if (firsts.length < 2) return nothing;
  const middle = mean(firsts.map(standingOf)) ?? 0;
  const [reference] = firsts;
  const errors = firsts
    .slice(1)
    .map((note) => (reference ? differenceOf(scoresOf(reference), scoresOf(note)).error : 0));
  const variance =
    firsts.reduce((sum, note) => sum + (standingOf(note) - middle) ** 2, 0) / (firsts.length - 1);
  // Half of the error of a difference is each program's.
  const sigma = Math.sqrt(
    Math.max(variance / 10, variance - (mean(errors.map((error) => error ** 2)) ?? 0) / 2),
  );
  if (!(sigma > 0)) return nothing;
  const byId = new Map(notes.map((note) => [note.id, note]));
  const rootOf = (note: CandidateNote): CandidateNote => {
    const parent = byId.get(note.parents[0] ?? '');
    // A rewrite may be another approach: it begins a line of its own.
    return parent && note.operator !== 'rewrite' ? rootOf(parent) : note;
  };
  const tries = new Map<string, number>();
  const changes = notes.flatMap((note): Change[] => {
    const parent = byId.get(note.parents[0] ?? '');
    if (note.operator !== 'change' || parent?.status !== 'evaluated') return [];
    const before = tries.get(parent.id) ?? 0;
    tries.set(parent.id, before + 1);
    if (note.status !== 'evaluated' && note.status !== 'cut') return [];
    const { gain, error } = differenceOf(scoresOf(parent), scoresOf(note));
    const root = rootOf(note);
    const isDrawn = root.operator === 'initial' || root.operator === 'rewrite';
    const approach = isDrawn ? (byApproach * (standingOf(root) - middle)) / sigma : 0;
    const standing = (standingOf(parent) - middle) / sigma;
    return [
      {
        line: `${notes[0]?.source.length} ${middle} ${root.id}`,
        standing,
        approach,
        tries: before,
        gain: gain / sigma,
        error: Math.max(1e-3, error / sigma),
      },
    ];
  });
  return { ...nothing, changes };
}

/**
 * Cases as the search counts them: as they are with absolute scores, whose mean the note says, else as logarithms. More is
 * better, or less, as the search's own bests say.
 */
function scoring(notes: readonly CandidateNote[]) {
  const kept = notes.filter(({ status, score }) => status === 'evaluated' && score !== null);
  // Where less is better, relative scores are ratios that grow, and cases fall.
  const [first, best] = [kept[0], kept.findLast(({ parents }) => parents.length > 0)];
  const meanOf = (note: CandidateNote | undefined) =>
    mean(note?.evaluation?.cases.map(({ score }) => score ?? 0) ?? []) ?? 0;
  const fell =
    kept.filter((note) => meanOf(note) < meanOf(first)).length * 2 > kept.length &&
    meanOf(best) < meanOf(first);
  const way = fell ? -1 : 1;
  const isAbsolute = Math.abs((first?.score ?? 0) - meanOf(first)) <= 1e-6 * Math.abs(meanOf(first));
  return ({ evaluation }: CandidateNote): ReadonlyMap<string, number> =>
    new Map(
      (evaluation?.cases ?? []).flatMap(({ name, score }) =>
        score === null ? [] : [[name, way * (isAbsolute || score <= 0 ? score : Math.log(score))] as const],
      ),
    );
}

function differenceOf(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>) {
  const found = [...after].flatMap(([name, value]) => {
    const other = before.get(name);
    return other === undefined ? [] : [value - other];
  });
  const gain = mean(found) ?? 0;
  const variance = found.reduce((sum, each) => sum + (each - gain) ** 2, 0) / Math.max(1, found.length - 1);
  return { gain, error: Math.sqrt(variance / Math.max(1, found.length)) };
}

type Fit = {
  readonly headroom: number;
  readonly better: number;
  readonly low: number;
  readonly high: number;
};

const headrooms = Array.from({ length: 33 }, (_, at) => at * 0.25);
/** More and less were not seen; a rate and a headroom that are both free take one another's place. */
const rates = [0.2, 0.25, 0.3, 0.35];

/** Sixths of Gamma(4)/4, by which ceilings differ, and thirds of what a first program does not say of its approach. */
const heights = [0.43, 0.63, 0.82, 1.02, 1.28, 1.75];
const offsets = [-1, 0, 1].map((step) => step * 1.1 * Math.sqrt(byApproach * (1 - byApproach)));

function likelihoodOf(line: readonly Change[], headroom: number, better: number): number {
  const all = heights.flatMap((height) =>
    offsets.map((offset) =>
      line.reduce(
        (sum, change) =>
          sum + Math.log(densityOf(change, { ceiling: headroom * height + offset, better }) + 1e-12),
        0,
      ),
    ),
  );
  const top = Math.max(...all);
  return top + Math.log(mean(all.map((each) => Math.exp(each - top))) ?? 1);
}

function fitted({ changes, firsts }: Facts): Fit {
  const lines = [...Map.groupBy(changes, ({ line }) => line).values()];
  const likelihoods = headrooms.map((headroom) => {
    const all = rates.map((better) => ({
      better,
      sum: lines.reduce((sum, line) => sum + likelihoodOf(line, headroom, better), 0),
    }));
    return all.reduce((best, each) => (each.sum > best.sum ? each : best));
  });
  const top = Math.max(...likelihoods.map(({ sum }) => sum));
  const at = likelihoods.findIndex(({ sum }) => sum === top);
  const able = headrooms.filter(
    (_, place) => (likelihoods[place]?.sum ?? Number.NEGATIVE_INFINITY) > top - 1.92,
  );
  // σ is known to one part in the root of twice its degrees of freedom.
  const sigma = 1.96 / Math.sqrt(2 * Math.max(1, firsts - 1));
  return {
    headroom: headrooms[at] ?? 0,
    better: likelihoods[at]?.better ?? 0,
    low: (able[0] ?? 0) / (1 + sigma),
    high: (able.at(-1) ?? 8) * (1 + sigma),
  };
}

function densityOf(
  { standing, approach, tries, gain, error }: Change,
  { ceiling, better }: { ceiling: number; better: number },
): number {
  const { loss, idle, fading, gain: part } = usualReplies;
  const left = Math.max(0, approach + ceiling - standing);
  const chance = ((better * left) / (left + 1)) * fading ** tries;
  const up = left > 0 ? blurred(gain, part * left, error) : 0;
  return (
    chance * up +
    (1 - chance) * ((idle * normal(gain / error)) / error + (1 - idle) * blurred(-gain, loss, error))
  );
}

const normal = (x: number): number => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);

/** An exponential of this mean, with a normal error. */
function blurred(x: number, of: number, error: number): number {
  const shift = x / error - error / of;
  return (Math.exp(Math.min(500, error ** 2 / (2 * of ** 2) - x / of)) * below(shift)) / of;
}

/** Of a standard normal (Abramowitz and Stegun 26.2.17). */
function below(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const sum =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = normal(x) * sum;
  return x > 0 ? 1 - tail : tail;
}

/** The search's gain over the best of N with this replier, in σ; the mean of some searches. */
async function gainWith(headroom: number, better: number, calls: number): Promise<number> {
  const make = () => replierWorld({ ...usualReplies, headroom, better }, `fitted ${headroom}`);
  const table = await tableOf(make(), 2_000);
  const budget = { of: 'calls', programs: calls } as const;
  const gains: number[] = [];
  for (let at = 0; at < 12; at += 1) {
    const { worth } = await searchOn(make(), evolution, { seed: `fitted ${at}`, budget, settings: {} });
    gains.push((worth - table.bestOf(budget)) / table.spread);
  }
  return mean(gains) ?? 0;
}

async function told(facts: Facts): Promise<void> {
  const { firsts, changes, rewrites, contests } = facts;
  console.log(
    `${contests} searches: ${firsts} first programs, ${changes.length} changes, ${rewrites} rewrites.`,
  );
  if (firsts < least.firsts || changes.length < least.changes) {
    console.log(
      `Too few: a figure takes at least ${least.firsts} first programs and ${least.changes} changes.`,
    );
    return;
  }
  const short = { firsts, changes: changes.length, rewrites, contests };
  const lacking = Object.entries(wanted).filter(([name, many]) => Reflect.get(short, name) < many);
  if (lacking.length > 0) {
    console.log(
      `Too few to rely on: wanted are ${lacking.map(([name, many]) => `${many} ${name}`).join(', ')}.`,
    );
  }
  const { headroom, better, low, high } = fitted(facts);
  console.log(
    `H/σ ${headroom.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)}); a change far below its ceiling is better in ${(100 * better).toFixed(0)} %.`,
  );
  for (const calls of [16, 60, 200]) {
    const gains: string[] = [];
    for (const each of [low, headroom, high]) gains.push((await gainWith(each, better, calls)).toFixed(2));
    console.log(
      `${calls} calls: search less best of N ${gains[1]} σ (${gains[0]} at the low end of H/σ, ${gains[2]} at the high end)`,
    );
  }
}

const { values, positionals } = parseArgs({
  options: { check: { type: 'boolean', default: false } },
  allowPositionals: true,
});

const candidatesIn = (events: readonly Event[]): CandidateNote[] =>
  events.flatMap((event) => {
    const note = evolutionNoteOf(event);
    return note?.kind === 'candidate' ? [note.data] : [];
  });

/** Sessions of contests have databases of their own below their workspaces. */
const databasesIn = (folder: string): readonly string[] =>
  readdirSync(resolve(folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('polya.db'))
    .map((path) => join(resolve(folder), path));

async function searchesIn(file: string): Promise<readonly CandidateNote[][]> {
  const store = openSqliteStore({ file, now: Date.now });
  const found: CandidateNote[][] = [];
  for (const { id } of await store.list()) {
    const notes = candidatesIn((await readJournal(store, id)).events);
    if (notes.length > 0) found.push(notes);
  }
  await store.close();
  // A session that went on is a fork, which has all that its parent had.
  const holds = (whole: readonly CandidateNote[], part: readonly CandidateNote[]) =>
    part.every(({ id, source }) => whole.some((each) => each.id === id && each.source === source));
  return found.filter(
    (part, at) =>
      !found.some(
        (whole, other) => other !== at && holds(whole, part) && (other < at || !holds(part, whole)),
      ),
  );
}

if (values.check) {
  for (const [headroom, many] of [
    [1, 4],
    [2, 4],
    [2, 1],
    [4, 4],
  ] as const) {
    const searches: CandidateNote[][] = [];
    for (let at = 0; at < many; at += 1) {
      const world = replierWorld({ ...usualReplies, headroom }, `check ${headroom}`);
      const budget = { of: 'calls', programs: 80 } as const;
      const onEvents = (events: readonly Event[]) => searches.push(candidatesIn(events));
      await searchOn(world, evolution, { seed: `check ${at}`, budget, settings: {}, onEvents });
    }
    const { headroom: found, better, low, high } = fitted(factsOf(searches));
    console.log(
      `H/σ ${headroom}, ${usualReplies.better}: found ${found.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)}), ${better.toFixed(2)}`,
    );
  }
} else {
  const searches: (readonly CandidateNote[])[] = [];
  try {
    for (const file of positionals.flatMap(databasesIn)) searches.push(...(await searchesIn(file)));
    await told(factsOf(searches));
  } catch (error) {
    console.error(`These searches cannot be read: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 2;
  }
}
