/**
 * What a search begins with: strategies; the user's programs, else the template, which run before a model is asked.
 * Where the user wants it, analysis, strategies, first programs and start are confirmed, in texts whose form only this
 * file knows.
 */
import { z } from 'zod';
import type { Run } from '../../core/agent.ts';
import { isJsonObject, type Json, toJson } from '../../core/json.ts';
import { type Strategy, write } from '../../notes/evolution.ts';
import { type ProblemAnalysis, readAnalysis } from '../../notes/problem-analysis.ts';
import { parsedJson } from '../kit/asking.ts';
import { analyse, noteAnalysis } from './analysis.ts';
import type { Rejected } from './asking.ts';
import { admit } from './candidate.ts';
import { changedSettings } from './evolution-settings.ts';
import {
  bestOf,
  givenThatFailed,
  type Island,
  islandOf,
  type Program,
  programsOf,
  ranked,
  settle,
} from './population.ts';
import { end, type Search, scaleOf, whileWaiting } from './search.ts';
import { givenStrategy, type SearchSettings } from './settings.ts';
import { devise } from './strategies.ts';
import { takeSettings } from './talk/talk.ts';

/** Beyond one a beginning: for when the course is changed. */
const spareStrategies = 2;
/** Programs of one strategy differ enough; a model that is asked for a dozen strategies fills them up. */
const mostFollowed = 6;

const followed = ({ room, given }: SearchSettings): number =>
  Math.min(room.beginnings, Math.max(mostFollowed, given.length));

/** Null where they were rejected. */
export async function strategiesOf(search: Search, run: Run): Promise<readonly Strategy[] | null> {
  const { problem, analysis, settings } = search;
  const own = settings.given.slice(0, settings.room.beginnings).map(({ name }) => ownStrategy(name));
  // Where each beginning has a program of its user's, nothing waits for a strategy but a change of course.
  if (own.length === settings.room.beginnings && !settings.confirm) return own;
  const needed = followed(settings) - own.length;
  const devising = { settings, count: needed + spareStrategies, needed, known: own };
  const chosen = await accepted<readonly Strategy[]>(search, run, {
    what: 'strategies',
    made: await devise(run, problem, analysis, devising),
    read: strategiesIn,
    take: (strategies) => {
      write(run, 'strategies', { strategies: [...strategies], origin: 'given' });
      return strategies;
    },
    again: (rejected) => devise(run, problem, analysis, { ...devising, rejected }),
  });
  return chosen && [...own, ...chosen];
}

function ownStrategy(file: string): Strategy {
  const idea = 'Keep the approach of the program as its user wrote it, and make it better.';
  const reasons = 'It is what its user has.';
  return { name: `The approach of ${file}`, idea, reasons, library: [], contests: [] };
}

/** Fewer strategies than beginnings are shared. */
export function populate(search: Search, strategies: readonly Strategy[]): void {
  const { room, given } = search.settings;
  const begun = strategies.slice(0, followed(search.settings));
  search.strategies.push(...strategies);
  search.spare.push(...strategies.slice(begun.length));
  search.islands = Array.from({ length: room.beginnings }, (_, at): Island => {
    const strategy = begun[at % Math.max(1, begun.length)] ?? plainStrategy;
    return { ...islandOf(at + 1, strategy), wantsFirst: given.length === 0 };
  });
  for (const { number, wantsFirst } of search.islands) if (wantsFirst) search.beginning.add(number);
}

export const plainStrategy: Strategy = {
  name: 'Whatever is best',
  idea: 'There is no strategy to follow; do what promises most.',
  reasons: '',
  library: [],
  contests: [],
};

/**
 * The template is for searches that have nothing else, or nothing else that works. A program of its user's that fails is
 * what its island begins to repair.
 */
export async function admitOwn(search: Search, run: Run): Promise<void> {
  const { given } = search.settings;
  for (const [at, { name, source }] of given.entries()) {
    const island = search.islands[at % search.islands.length] ?? null;
    const program = await admit(search, island, { operator: 'given', source, summary: name }, run);
    takeRoot(search, program);
    if (!island || program.status === 'evaluated') continue;
    island.wantsFirst = true;
    search.beginning.add(island.number);
  }
  if (search.beginning.size === 0 || given.length === 0) await admitTemplate(search, run);
}

async function admitTemplate(search: Search, run: Run): Promise<void> {
  const { template: source } = search.task;
  if (search.root || source.trim() === '') return;
  const summary = 'The template';
  takeRoot(search, await admit(search, null, { operator: 'template', source, summary }, run));
}

/** A program of its user's that no repair has made sound is scored case by case, where a case that fails can count. */
export async function keepGiven(search: Search, run: Run, island: Island): Promise<void> {
  const given = givenThatFailed(island);
  // Another island may have taken the template while this one was repaired.
  const before = search.root?.operator === 'template' ? null : search.root;
  const mended = given && bestOf(island, scaleOf(search));
  const root = before ?? (given && mended && isWorseThan(search, given, mended) ? null : mended);
  search.root = root ?? search.root;
  if (root || !given || search.over !== null) return;
  if (canCountByCase(search) && given.status === 'failed') {
    search.onFailure = 'case';
    write(run, 'doing', {
      island: island.number,
      what: `scores ${given.id} case by case: a failure counts nothing`,
    });
    const { source, summary } = given;
    const own = await admit(search, island, { operator: 'given', source, summary }, run);
    if (own.status === 'evaluated') search.root = own;
  }
  await admitTemplate(search, run);
}

const canCountByCase = ({ task }: Search) => task.scoring === 'relative' || task.direction === 'maximise';

/** A repair that runs and is worth less than the sound cases of what it repaired. */
function isWorseThan(search: Search, given: Program, mended: Program): boolean {
  const { points } = search;
  if (given.status !== 'failed' || !canCountByCase(search)) return false;
  const names = new Set(given.outcomes.map(({ name }) => name));
  const [own, its] = [given.outcomes, mended.outcomes.filter(({ name }) => names.has(name))].map((outcomes) =>
    points.meanOf(outcomes, { onFailure: 'case' }),
  );
  return own !== null && own !== undefined && own > (its ?? 0);
}

/** An island whose first program is worse than the template works on that as well. */
export function shareRoot(search: Search, island: Island): void {
  const { root } = search;
  const scale = scaleOf(search);
  const best = bestOf(island, scale);
  if (!root || !best || root.operator !== 'template' || programsOf(island).includes(root)) return;
  if (ranked([best, root], scale)[0] === root) settle(island, root, scale);
}

function takeRoot(search: Search, program: Program): void {
  if (program.status === 'evaluated') search.root ??= program;
}

/** False where it was rejected. */
export async function confirmAnalysis(search: Search, run: Run): Promise<boolean> {
  const chosen = await accepted<ProblemAnalysis>(search, run, {
    what: 'analysis',
    made: search.analysis,
    read: analysisIn,
    take: (analysis) => noteAnalysis(run, { analysis, origin: 'given' }),
    again: (rejected) => analyse(run, search.problem, { ...search.settings, analysis: null }, rejected),
  });
  search.analysis = chosen ?? search.analysis;
  return chosen !== null;
}

function analysisIn(edited: Json): Reading<ProblemAnalysis> {
  const read = readAnalysis(edited);
  return read.ok ? { edited: toJson(read.analysis) as ProblemAnalysis } : { trouble: read.problems };
}

function strategiesIn(edited: Json): Reading<readonly Strategy[]> {
  const read = z.array(givenStrategy).min(1).safeParse(edited);
  return read.success ? { edited: read.data } : { trouble: z.prettifyError(read.error) };
}

/** Edited: the program that it is to be instead. */
export async function confirmFirst(search: Search, run: Run, island: Island): Promise<Reply<string>> {
  const program = bestOf(island, scaleOf(search)) ?? island.failures.at(-1)?.program;
  if (!program) return 'taken';
  const { id, source, status, detail, score } = program;
  const { name: strategy, library, contests } = island.strategy;
  const value = { island: island.number, strategy, library, contests, id, source, status, detail, score };
  return confirmed(search, run, { what: 'first-program', value, read: programIn });
}

function programIn(edited: Json): Reading<string> {
  const source = isJsonObject(edited) ? edited.source : edited;
  if (typeof source === 'string' && source.trim() !== '') return { edited: source };
  return { trouble: 'A program is edited by a JSON text, or an object with its "source".' };
}

export async function confirmStart(search: Search, run: Run): Promise<boolean> {
  const { maxGenerations, populationSize, timeLimitSeconds } = search.settings;
  const value = { maxGenerations, populationSize, timeLimitSeconds };
  const reply = await confirmed(search, run, { what: 'start', value, read: settingsIn });
  if (reply === 'taken') return true;
  if ('reason' in reply) return false;
  takeSettings(search, run, reply.edited);
  return true;
}

const startable = changedSettings.pick({
  maxGenerations: true,
  populationSize: true,
  timeLimitSeconds: true,
});

function settingsIn(edited: Json): Reading<Record<string, z.core.util.JSONType>> {
  const read = startable.safeParse(edited);
  if (!read.success) return { trouble: z.prettifyError(read.error) };
  const given = z.record(z.string(), z.json()).parse(edited);
  if (Object.keys(given).length > 0) return { edited: given };
  return { trouble: 'Nothing in it is a setting: maxGenerations, populationSize, timeLimitSeconds.' };
}

/** `reason` is empty where none was given. */
type Reply<T> = 'taken' | { readonly edited: T } | { readonly reason: string };
/** The value of an edited text, or what is wrong with it. */
type Reading<T> = { readonly edited: T } | { readonly trouble: string };

/** A rejection with a reason has it made again; one without a reason ends the search: null. */
async function accepted<T>(
  search: Search,
  run: Run,
  step: {
    what: 'analysis' | 'strategies';
    made: T;
    read: (edited: Json) => Reading<T>;
    /** Notes what its user put in the place of it. */
    take: (edited: T) => T;
    again: (rejected: Rejected<T>) => Promise<T>;
  },
): Promise<T | null> {
  const { what, read, take, again } = step;
  if (!search.settings.confirm) return step.made;
  for (let shown = step.made; ; ) {
    const reply = await confirmed(search, run, { what, value: toJson(shown), read });
    if (reply === 'taken') return shown;
    if ('edited' in reply) return take(reply.edited);
    if (reply.reason === '') {
      end(search, `Its user rejected the ${what}.`);
      return null;
    }
    shown = await again({ before: shown, reason: reply.reason });
  }
}

/** A reply that cannot be read is answered with the trouble, and asked for again. */
function confirmed<T>(
  search: Search,
  run: Run,
  { what, value, read }: { what: string; value: Json; read: (edited: Json) => Reading<T> },
): Promise<Reply<T>> {
  return whileWaiting(search, run, async () => {
    for (let trouble: string | undefined; ; ) {
      const reply = (await run.ask(JSON.stringify({ confirm: what, value, trouble }))).trim();
      if (/^(?:y|yes|ok|)$/i.test(reply)) return 'taken';
      const reason = reasonIn(reply);
      if (reason !== null) return { reason };
      const edited = parsedJson(reply);
      const found = edited === undefined ? { trouble: howToReply } : read(edited);
      if ('edited' in found) return found;
      trouble = found.trouble;
    }
  });
}

const howToReply =
  'Reply with yes, with no, with "no: " and the reason, or with the JSON of what it is to be instead.';

/** Null where nothing is rejected; `no`, `no: too slow`, `{"reject": "too slow"}`. */
function reasonIn(reply: string): string | null {
  const said = /^(?:n|no|reject)(?:\s*[:,]\s*(?<reason>[\s\S]*))?$/i.exec(reply);
  if (said) return said.groups?.reason?.trim() ?? '';
  const object = parsedJson(reply);
  return isJsonObject(object) && typeof object.reject === 'string' ? object.reject.trim() : null;
}
