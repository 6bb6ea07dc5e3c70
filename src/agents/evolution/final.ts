/**
 * The final choice: the leaders, and what the search began with, on cases that nobody has looked at; the best mean there
 * is chosen, and how sure its gain is told by a paired interval. Where there are no such cases, or nothing may be run any
 * more, the search's own standing decides.
 */
import type { Run } from '../../core/agent.ts';
import { LimitReached } from '../../core/errors.ts';
import type { EvolutionNotes } from '../../core/evolution-notes.ts';
import type { CaseOutcome } from '../../core/program.ts';
import { seededChance } from '../../core/seeded-chance.ts';
import { bootstrapMean, mean } from '../../core/statistics/bootstrap.ts';
import { type Program, ranked } from './population.ts';
import { evaluateOn } from './race.ts';
import { type Search, scaleOf, write } from './search.ts';

type Standing = EvolutionNotes['final']['standings'][number];
type Finalist = { readonly program: Program; readonly outcomes: readonly CaseOutcome[] };

/** Null where no program is worth anything. */
export async function chooseFinal(search: Search, run: Run): Promise<Program | null> {
  const { settings, programs, cases } = search;
  const finalists = ranked(programs, scaleOf(search)).slice(0, settings.finalists);
  const [first] = finalists;
  if (!first) return null;
  if (cases.heldOut.length === 0) {
    return bySearch(search, run, first, 'there are no cases that were held out');
  }
  try {
    // What it began with comes first: scores by shares are told against it.
    const { root } = search;
    const shown = root ? [root, ...finalists.filter((each) => each !== root)] : finalists;
    return decide(search, run, finalists, await runAll(search, run, shown));
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
    return bySearch(search, run, first, `nothing may be run any more (${error.message})`);
  }
}

async function runAll(search: Search, run: Run, programs: readonly Program[]): Promise<readonly Finalist[]> {
  const found: Finalist[] = [];
  for (const program of programs) {
    const { heldOut } = search.cases;
    write(run, 'doing', { island: 0, what: `runs ${program.id} on ${heldOut.length} held-out cases` });
    const evaluation = await evaluateOn(run, program.source, heldOut);
    search.points.learn(evaluation.cases);
    write(run, 'more-cases', { id: program.id, evaluation, why: 'final' });
    found.push({ program, outcomes: evaluation.cases });
  }
  return found;
}

function decide(
  search: Search,
  run: Run,
  finalists: readonly Program[],
  found: readonly Finalist[],
): Program | null {
  const { points, settings } = search;
  const root = found.find(({ program }) => program === search.root) ?? null;
  const able = found
    .filter(({ program }) => finalists.includes(program))
    .map((each) => ({ ...each, mean: points.meanOf(each.outcomes, settings) }))
    .filter((each): each is Finalist & { mean: number } => each.mean !== null)
    .toSorted((a, b) => b.mean - a.mean);
  const standings = found.map((each) => standingOf(search, run, each, root));
  const cases = search.cases.heldOut.length;
  const [chosen] = able;
  // None of them stands what it had not seen; what it began with may.
  const saved =
    chosen?.program ?? (root && points.meanOf(root.outcomes, settings) !== null ? root.program : null);
  const program = saved ?? finalists[0] ?? null;
  if (!program) return null;
  const because = chosen
    ? `the best mean of ${able.length} finalists on ${cases} held-out cases`
    : saved
      ? 'every finalist failed on a held-out case; it is what the search began with'
      : 'every finalist failed on a held-out case, and what the search began with did as well: the best of the search is handed in';
  write(run, 'final', { chosen: program.id, cases, standings, because });
  return program;
}

function standingOf(
  { points, settings }: Search,
  run: Run,
  { program, outcomes }: Finalist,
  root: Finalist | null,
): Standing {
  const common = { id: program.id, mean: points.scoreOf(outcomes, settings) };
  const differences =
    root && root.program !== program ? points.differences(root.outcomes, outcomes, settings) : null;
  const interval =
    differences && bootstrapMean(differences, { random: seededChance(String(run.random())).next });
  return {
    ...common,
    gain: differences ? mean(differences) : null,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
  };
}

function bySearch(search: Search, run: Run, program: Program, why: string): Program {
  const mean = search.points.scoreOf(program.outcomes, search.settings);
  write(run, 'final', {
    chosen: program.id,
    cases: 0,
    standings: [{ id: program.id, mean, gain: null, low: null, high: null }],
    because: `the best on the cases of the search: ${why}`,
  });
  return program;
}
