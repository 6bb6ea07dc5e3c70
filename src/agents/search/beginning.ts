/**
 * What a search begins with: strategies; the user's programs, else the template, which run before a model is asked; the
 * first program of each island; and the trial of more beginnings than there are to be islands.
 */
import type { Run } from '../../core/agent.ts';
import { type Strategy, write } from '../../notes/evolution.ts';
import { admit, develop } from './candidate.ts';
import { accepted, confirmAnalysis, confirmFirst, confirmStart, strategiesIn } from './confirming.ts';
import { initial } from './operators/initial.ts';
import type { Plan } from './operators/operator.ts';
import { repair, repairOf, repairsInRow } from './operators/repair.ts';
import {
  bestOf,
  failedUserProgram,
  type Island,
  islandOf,
  type Program,
  programsOf,
  rankPrograms,
  settle,
} from './population.ts';
import { answeredBy, checkClock, end, type Search, scaleOf, sideBySide } from './search.ts';
import type { SearchSettings } from './settings.ts';
import { islandWorth, noteGeneration, settleSlot } from './stock.ts';
import { requestStrategies } from './strategies.ts';
import { readInbox, takeHint } from './talk/talk.ts';

/** Stands among the islands that begin, until their user has seen what they begin with. */
const confirming = 0;

/** What the search begins with. A step that its user rejects ends the search. */
export async function begin(search: Search, run: Run): Promise<void> {
  await readInbox(search, run);
  if (!(await confirmAnalysis(search, run))) return;
  const strategies = await strategiesOf(search, run);
  if (!strategies) return;
  populate(search, strategies);
  await admitUserPrograms(search, run);
  if (search.settings.confirm && !(await awaitFirstPrograms(search, run))) return;
  closeFirst(search, run);
}

/** Programs of one strategy differ enough; a model that is asked for a dozen strategies fills them up. */
const mostFollowed = 6;

const followed = ({ room, given }: SearchSettings): number =>
  Math.min(room.beginnings, Math.max(mostFollowed, given.length));

/** Null where they were rejected. */
async function strategiesOf(search: Search, run: Run): Promise<readonly Strategy[] | null> {
  const { problem, analysis, settings } = search;
  const own = settings.given.slice(0, settings.room.beginnings).map(({ name }) => ownStrategy(name));
  // Where each beginning has a program of its user's, nothing waits for a strategy.
  if (own.length === settings.room.beginnings && !settings.confirm) return own;
  const devising = { settings, count: followed(settings) - own.length, known: own };
  const selected = await accepted<readonly Strategy[]>(search, run, {
    what: 'strategies',
    made: await answeredBy(search, run, 'strategist', () =>
      requestStrategies(run, problem, analysis, devising),
    ),
    read: strategiesIn,
    take: (strategies) => {
      write(run, 'strategies', { strategies: [...own, ...strategies], origin: 'given' });
      return strategies;
    },
    again: (rejected) =>
      answeredBy(search, run, 'strategist', () =>
        requestStrategies(run, problem, analysis, { ...devising, rejected }),
      ),
  });
  return selected && [...own, ...selected];
}

function ownStrategy(file: string): Strategy {
  const idea = 'Keep the approach of the program as its user wrote it, and make it better.';
  const reasons = 'It is what its user has.';
  return { name: `The approach of ${file}`, idea, reasons, library: [], contests: [] };
}

/** Fewer strategies than beginnings are shared. */
function populate(search: Search, strategies: readonly Strategy[]): void {
  const { room, given } = search.settings;
  const startedRuns = strategies.slice(0, followed(search.settings));
  search.islands = Array.from({ length: room.beginnings }, (_, at): Island => {
    const strategy = startedRuns[at % Math.max(1, startedRuns.length)] ?? plainStrategy;
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
async function admitUserPrograms(search: Search, run: Run): Promise<void> {
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
async function keepUserProgram(search: Search, run: Run, island: Island): Promise<void> {
  const program = failedUserProgram(island);
  // Another island may have taken the template while this one was repaired.
  const before = search.root?.operator === 'template' ? null : search.root;
  const mended = program && bestOf(island, scaleOf(search));
  const root = before ?? (program && mended && isWorseThan(search, program, mended) ? null : mended);
  search.root = root ?? search.root;
  if (root || !program || search.over !== null) return;
  if (canCountByCase(search) && program.status === 'failed') {
    search.onFailure = 'case';
    write(run, 'doing', {
      island: island.number,
      what: `scores ${program.id} case by case: a failure counts nothing`,
    });
    const { source, summary } = program;
    const own = await admit(search, island, { operator: 'given', source, summary }, run);
    if (own.status === 'evaluated') search.root = own;
  }
  await admitTemplate(search, run);
}

const canCountByCase = ({ task }: Search) => task.scoring === 'relative' || task.direction === 'maximise';

/** A repair that runs and is worth less than the sound cases of what it repaired. */
function isWorseThan(search: Search, program: Program, mended: Program): boolean {
  const { points } = search;
  if (program.status !== 'failed' || !canCountByCase(search)) return false;
  const names = new Set(program.outcomes.map(({ name }) => name));
  const [own, its] = [program.outcomes, mended.outcomes.filter(({ name }) => names.has(name))].map(
    (outcomes) => points.meanOf(outcomes, { onFailure: 'case' }),
  );
  return own !== null && own !== undefined && own > (its ?? 0);
}

/** An island whose first program is worse than the template works on that as well. */
export function shareRoot(search: Search, island: Island): void {
  const { root } = search;
  const scale = scaleOf(search);
  const best = bestOf(island, scale);
  if (!root || !best || root.operator !== 'template' || programsOf(island).includes(root)) return;
  if (rankPrograms([best, root], scale)[0] === root) settle(island, root, scale);
}

function takeRoot(search: Search, program: Program): void {
  if (program.status === 'evaluated') search.root ??= program;
}

/** One island after the other, because a person looks at one thing at a time; false where the start is rejected. */
async function awaitFirstPrograms(search: Search, run: Run): Promise<boolean> {
  search.beginning.add(confirming);
  for (const island of search.islands) {
    for (let time = 1; island.wantsFirst && search.over === null; time += 1) {
      await run.branch(`first-${island.number}-${time}`, (here) => firstOf(search, island, here));
      await untilAdmitted(search, run, island);
    }
  }
  search.beginning.clear();
  if (await confirmStart(search, run)) return true;
  end(search, 'Its user did not have it start.');
  return false;
}

/** A rejected program is written anew, with the reason as a hint; an edited one is run and shown again. */
async function untilAdmitted(search: Search, run: Run, island: Island): Promise<void> {
  for (;;) {
    const reply = await confirmFirst(search, run, island);
    if (reply === 'taken') return;
    island.members = [];
    if ('reason' in reply) {
      if (reply.reason !== '') takeHint(search, run, { text: reply.reason });
      island.wantsFirst = true;
      return;
    }
    const edited = { operator: 'given', source: reply.edited, summary: 'edited by its user' } as const;
    await admit(search, island, edited, run);
  }
}

/** The first program of an island, with its repairs: all of them are of generation 0. */
export async function firstOf(search: Search, island: Island, run: Run): Promise<void> {
  island.wantsFirst = false;
  const given = failedUserProgram(island);
  let plan: Plan | null = given ? { operator: repair, parent: given } : { operator: initial, parent: null };
  for (let tries = 0; plan && search.over === null; tries += 1) {
    if (tries > 0 && !(await checkClock(search, run))) return skipFirstProgram(search, island, run);
    const slot = search.generations.beginFirst();
    search.planned += 1;
    const program: Program = await develop({ search, island, slot }, plan, run);
    plan = tries < repairsInRow ? repairOf(program) : null;
    if (!plan) {
      await keepUserProgram(search, run, island);
      skipFirstProgram(search, island, run);
    }
    settleSlot(search, run, slot);
  }
}

function skipFirstProgram(search: Search, island: Island, run: Run): void {
  search.beginning.delete(island.number);
  closeFirst(search, run);
}

/** Generation 0 is complete when no island makes a first program any more. */
function closeFirst(search: Search, run: Run): void {
  if (search.beginning.size > 0) return;
  for (const generation of search.generations.closeFirst()) noteGeneration(search, run, generation);
}

/** More strategies than islands begin side by side, each with a program and its repairs; the best become islands. */
export async function runTrialEvaluation(search: Search, run: Run): Promise<void> {
  if (search.islands.length <= search.settings.islands || search.over !== null) return;
  const wanting = search.islands.filter(({ wantsFirst }) => wantsFirst);
  const nameOf = ({ number }: Island) => `trial-${number}`;
  await sideBySide(run, wanting, nameOf, (island, here) => firstOf(search, island, here));
  // Of equals, and where nothing works yet, the strategies that were named first.
  const best = search.islands.toSorted((a, b) => islandWorth(search, b) - islandWorth(search, a));
  const kept = best.slice(0, search.settings.islands);
  const departures = search.islands.filter((island) => !kept.includes(island));
  search.islands = search.islands.filter((island) => kept.includes(island));
  keepFirst(search, departures);
  // A hint of the user's waits for no candidate of an island that has ended.
  for (const { islands } of search.directed) for (const { number } of departures) islands.delete(number);
  write(run, 'trial', { kept: numbersOf(search.islands), ended: numbersOf(departures) });
}

/** What the others began with stays on the one island there is: it may be the better parent of a rewrite. */
function keepFirst(search: Search, leaving: readonly Island[]): void {
  const [only, ...siblings] = search.islands;
  if (!only || siblings.length > 0) return;
  for (const program of leaving.flatMap(programsOf)) {
    settle(only, program, scaleOf(search));
  }
}

const numbersOf = (islands: readonly Island[]): number[] => islands.map(({ number }) => number);
