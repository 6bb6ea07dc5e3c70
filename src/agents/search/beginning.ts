/**
 * What a search begins with: strategies, one a beginning and some to spare; its user's own programs, each on an island, or
 * else the template, which are run before anything is asked of a model.
 */
import type { Run } from '../../core/agent.ts';
import { type Strategy, write } from '../../notes/evolution.ts';
import { admitted } from './candidate.ts';
import { confirmStrategies } from './confirming.ts';
import { type Island, islandOf, type Program } from './population.ts';
import type { Search } from './search.ts';
import { devise } from './strategies.ts';

/** Beyond one a beginning: for when the course is changed. */
const spareStrategies = 2;

/** Null where they were rejected. */
export async function strategiesOf(search: Search, run: Run): Promise<readonly Strategy[] | null> {
  const { problem, analysis, settings } = search;
  const own = settings.given.slice(0, settings.beginnings).map(({ name }) => ownStrategy(name));
  const count = settings.beginnings - own.length + spareStrategies;
  const devising = { settings, count, known: own };
  const devised = await devise(run, problem, analysis, devising);
  const chosen = await confirmStrategies(search, run, devised, (rejected) =>
    devise(run, problem, analysis, { ...devising, rejected }),
  );
  return chosen && [...own, ...chosen];
}

function ownStrategy(file: string): Strategy {
  const idea = 'Keep the approach of the program as its user wrote it, and make it better.';
  const reasons = 'It is what its user has.';
  return { name: `The approach of ${file}`, idea, reasons, library: [], contests: [] };
}

/** Fewer strategies than beginnings are shared. */
export function populate(search: Search, strategies: readonly Strategy[]): void {
  const { beginnings, given } = search.settings;
  search.strategies.push(...strategies);
  search.spare.push(...strategies.slice(beginnings));
  search.islands = Array.from({ length: beginnings }, (_, at): Island => {
    const strategy = strategies[at % Math.max(1, strategies.length)] ?? plain;
    return { ...islandOf(at + 1, strategy), wantsFirst: given.length === 0 };
  });
  for (const { number, wantsFirst } of search.islands) if (wantsFirst) search.beginning.add(number);
}

const plain: Strategy = {
  name: 'Whatever is best',
  idea: 'There is no strategy to follow; do what promises most.',
  reasons: '',
  library: [],
  contests: [],
};

/** The template is for searches that have nothing else, or nothing else that works. */
export async function admitOwn(search: Search, run: Run): Promise<void> {
  for (const [at, { name, source }] of search.settings.given.entries()) {
    const island = search.islands[at % search.islands.length] ?? null;
    takeRoot(search, await admit(search, run, island, { operator: 'given', source, summary: name }));
  }
  const { template, templateTold } = search.task;
  if (search.root || template.trim() === '') return;
  const program = {
    operator: 'template',
    source: template,
    summary: templateTold || 'The template of the problem',
  } as const;
  takeRoot(search, await admit(search, run, null, program));
}

function takeRoot(search: Search, program: Program): void {
  if (program.status === 'evaluated') search.root ??= program;
}

export async function admit(
  search: Search,
  run: Run,
  island: Island | null,
  program: Parameters<typeof admitted>[1],
): Promise<Program> {
  const slot = search.generations.beginFirst();
  const doing = (what: string) => write(run, 'doing', { island: island?.number ?? 0, what });
  const candidate = await run.branch(slot.id, (here) =>
    admitted({ search, island, slot, doing }, program, here),
  );
  search.generations.settle(slot);
  return candidate;
}
