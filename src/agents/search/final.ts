/**
 * The final choice. The leaders, and what the search began with, run on unseen cases; the best mean is chosen, and a
 * paired interval tells how sure its gain is. All run on the same cases, stage by stage, so that it can end when time
 * is over. Without unseen cases, or where nothing may be run any more, the standing in the search decides.
 */
import type { Run, Solution } from '../../core/agent.ts';
import type { CaseOutcome, ProgramEvaluation } from '../../core/program.ts';
import { seededChance } from '../../core/seeded-chance.ts';
import { bootstrapMean, mean } from '../../core/statistics/bootstrap.ts';
import { write } from '../../notes/evolution.ts';
import { orAtLimit } from '../kit/asking.ts';
import { type Program, rankPrograms } from './population.ts';
import { evaluateOn, joined, onCommonCases } from './race.ts';
import { canRunPastLimit, leftForGrading, type Search, scaleOf } from './search.ts';

type Finalist = { readonly program: Program; readonly outcomes: readonly CaseOutcome[] };

/** How many programs the final choice compares. */
const finalistCount = 3;
const together = 10;
/** How often the interval of the chosen program may miss. */
const allowedError = 0.05;

/** Null where no program is worth anything. */
export async function chooseFinal(search: Search, run: Run): Promise<Program | null> {
  const { programs, cases } = search;
  const finalists = rankPrograms(programs, scaleOf(search)).slice(0, finalistCount);
  const [first] = finalists;
  if (!first) return null;
  if (cases.heldOut.length === 0) {
    return bySearch(search, run, first, 'there are no cases that were held out');
  }
  // The starting program comes first: shares of scores are relative to it.
  const { root } = search;
  const visible = root ? [root, ...finalists.filter((each) => each !== root)] : finalists;
  return orAtLimit(
    async () => decideFinal(search, run, finalists, await runAll(search, run, visible)),
    (message) => bySearch(search, run, first, `nothing may be run any more (${message})`),
  );
}

async function runAll(search: Search, run: Run, programs: readonly Program[]): Promise<readonly Finalist[]> {
  const found = new Map<Program, ProgramEvaluation>();
  const { heldOut } = search.cases;
  for (let from = 0; from < heldOut.length; from += together) {
    if (from > 0 && !(await canRunPastLimit(search, run))) break;
    const cases = heldOut.slice(from, from + together);
    for (const [program, evaluation] of await runStage(search, run, programs, cases)) {
      found.set(program, joined(found.get(program) ?? null, evaluation));
    }
  }
  const result = [...found].map(([program, evaluation]) => {
    write(run, 'more-cases', { id: program.id, evaluation, why: 'final' });
    return { program, outcomes: evaluation.cases };
  });
  return onCommonCases(result);
}

async function runStage(search: Search, run: Run, programs: readonly Program[], cases: readonly string[]) {
  const ran: (readonly [Program, ProgramEvaluation])[] = [];
  for (const program of programs) {
    write(run, 'doing', { island: 0, what: `runs ${program.id} on ${cases.length} held-out cases` });
    const evaluation = await evaluateOn(run, program.source, cases);
    search.points.learn(evaluation.cases);
    ran.push([program, evaluation]);
  }
  return ran;
}

function decideFinal(search: Search, run: Run, programs: readonly Program[], found: readonly Finalist[]) {
  const { points } = search;
  const root = found.find(({ program }) => program === search.root) ?? null;
  const able = found
    .filter(({ program }) => programs.includes(program))
    .map((each) => ({ ...each, mean: points.meanOf(each.outcomes, search) }))
    .filter((each): each is Finalist & { mean: number } => each.mean !== null)
    .toSorted((a, b) => b.mean - a.mean);
  const baseline = found.filter((each) => each !== root).length;
  const standings = found.map((each) => finalistRow(search, run, each, { root, against: baseline }));
  const cases = Math.max(0, ...found.map(({ outcomes }) => outcomes.length));
  const [selected] = able;
  // Where every finalist fails on unseen cases, the first program may not.
  const saved =
    selected?.program ?? (root && points.meanOf(root.outcomes, search) !== null ? root.program : null);
  const program = saved ?? programs[0] ?? null;
  if (!program) return null;
  const left = search.cases.heldOut.length - cases;
  const unrun = left > 0 ? `; there was no time for the other ${left}` : '';
  const which =
    able.length === 1 ? 'the only finalist that works,' : `the best mean of ${able.length} finalists`;
  const ahead = describeLead(search, run, able);
  const reason = selected
    ? `${which} on ${cases} held-out cases${ahead}${unrun}`
    : saved
      ? 'every finalist failed on a held-out case; it is what the search began with'
      : 'every finalist failed on a held-out case, and what the search began with did as well: the best of the search is handed in';
  const unit = search.task.scoring === 'relative' ? 'share' : 'score';
  write(run, 'final', { chosen: program.id, cases, unit, standings, because: reason });
  return program;
}

/** The chosen program may be the luckiest: the intervals hold for all programs at once (Bonferroni). */
function finalistRow(
  search: Search,
  run: Run,
  { program, outcomes }: Finalist,
  { root, against }: { readonly root: Finalist | null; readonly against: number },
) {
  const common = { id: program.id, mean: search.points.scoreOf(outcomes) };
  const differences =
    root && root.program !== program ? search.points.differences(root.outcomes, outcomes, search) : null;
  if (!differences) return { ...common, gain: null, low: null, high: null };
  const random = seededChance(String(run.random())).next;
  const interval = bootstrapMean(differences, { random, level: 1 - allowedError / against });
  return { ...common, gain: mean(differences), low: interval?.low ?? null, high: interval?.high ?? null };
}

/** The gain over the next finalist: that over what the search began with hides how close the choice was. */
function describeLead(search: Search, run: Run, [first, second]: readonly Finalist[]): string {
  const { points } = search;
  const differences = first && second && points.differences(second.outcomes, first.outcomes, search);
  if (!differences || differences.length === 0) return '';
  const interval = bootstrapMean(differences, { random: seededChance(String(run.random())).next });
  const range = interval
    ? ` (95 %: ${points.formatDifference(interval.low)} to ${points.formatDifference(interval.high)})`
    : '';
  const by = mean(differences) ?? 0;
  return `, ${points.formatDifference(by)} ${by === 0 ? 'as' : 'than'} the next, ${second.program.id}${range}`;
}

function bySearch(search: Search, run: Run, program: Program, why: string): Program {
  const mean = search.points.scoreOf(program.outcomes);
  write(run, 'final', {
    chosen: program.id,
    cases: 0,
    standings: [{ id: program.id, mean, gain: null, low: null, high: null }],
    because: `the best on the cases of the search: ${why}`,
  });
  return program;
}

export async function submitBest(search: Search, run: Run, program: Program | null): Promise<Solution> {
  const reason = search.over ?? '';
  if (!program) {
    const last = search.unusable && ` The last reply: ${search.unusable}`;
    return {
      end: 'gave-up',
      detail: `No program ran on all cases without a failure.${last} ${reason}`.trim(),
    };
  }
  const { language } = search.task;
  const answer = { type: 'source', language, source: program.source } as const;
  const gradeWithinMs = await leftForGrading(search, run);
  return { end: 'answered', answer, detail: `${program.id}. ${reason}`.trim(), gradeWithinMs };
}
