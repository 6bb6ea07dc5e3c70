/**
 * What a search begins with: strategies, one a beginning and some to spare; its user's own programs, each on an island, or
 * the template, run first of all; and where its user wants to confirm them, the first programs, one after the other.
 */
import type { Run } from '../../core/agent.ts';
import type { Strategy } from '../../notes/evolution.ts';
import { admitted } from './candidate.ts';
import { confirmAnalysis, confirmFirst, confirmStart, confirmStrategies } from './confirming.ts';
import { tell } from './generation-end.ts';
import { firstOf } from './islands.ts';
import { readMail } from './mail.ts';
import { type Island, islandOf, type Program } from './population.ts';
import { end, type Search, write } from './search.ts';
import { devise } from './strategies.ts';
import { takeHint } from './talk/hints.ts';

/** Beyond one a beginning: for when the course is changed. */
const spareStrategies = 2;
/** Stands among the islands that begin, until their user has seen what they begin with. */
const confirming = 0;

/** Ends the search where its user rejects something. */
export async function begin(search: Search, run: Run): Promise<void> {
  await readMail(search, run);
  if (!(await confirmAnalysis(search, run))) return;
  const strategies = await strategiesOf(search, run);
  if (!strategies) return;
  populate(search, strategies);
  await admitOwn(search, run);
  if (search.settings.confirm && !(await confirmIslands(search, run))) return;
  if (search.beginning.size > 0) return;
  for (const generation of search.generations.closeFirst()) tell(search, run, generation);
}

/** Null where they were rejected. */
async function strategiesOf(search: Search, run: Run): Promise<readonly Strategy[] | null> {
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
  return {
    name: `The approach of ${file}`,
    idea,
    reasons: 'It is what its user has.',
    library: [],
    contests: [],
  };
}

/** Fewer strategies than beginnings are shared. */
function populate(search: Search, strategies: readonly Strategy[]): void {
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
async function admitOwn(search: Search, run: Run): Promise<void> {
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

async function admit(
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

/** One island after the other, because a person looks at one thing at a time; false where the start is rejected. */
async function confirmIslands(search: Search, run: Run): Promise<boolean> {
  search.beginning.add(confirming);
  for (const island of search.islands) {
    for (let time = 1; island.wantsFirst && search.over === null; time += 1) {
      await run.branch(`first-${island.number}-${time}`, (here) => firstOf(search, island, here));
      await untilTaken(search, run, island);
    }
  }
  search.beginning.clear();
  if (await confirmStart(search, run)) return true;
  end(search, 'Its user did not have it start.');
  return false;
}

/** Rejected, it is written anew, with the reason as a hint; edited, it is run and shown again. */
async function untilTaken(search: Search, run: Run, island: Island): Promise<void> {
  for (;;) {
    const reply = await confirmFirst(search, run, island);
    if (reply === 'taken') return;
    island.members = [];
    if ('reason' in reply) {
      if (reply.reason !== '') takeHint(search, run, { text: reply.reason });
      island.wantsFirst = true;
      return;
    }
    await admit(search, run, island, {
      operator: 'given',
      source: reply.source,
      summary: 'edited by its user',
    });
  }
}
