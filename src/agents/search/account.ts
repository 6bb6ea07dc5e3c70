/** What a prompt tells of a program: its scores against others, what it loses where, and its time against the limits. */
import type { CaseOutcome } from '../../core/program.ts';
import { mean } from '../../core/statistics/bootstrap.ts';
import { line } from './asking.ts';
import { formatFigure, relativeMost, timeMargin } from './points.ts';
import type { Program } from './population.ts';
import type { Search } from './search.ts';

const worstShown = 3;

export const worthOf = ({ outcomes }: Program): string => `mean score ${formatFigure(meanScore(outcomes))}`;

const meanScore = (outcomes: Program['outcomes']): number =>
  mean(outcomes.flatMap(({ score }) => (score === null ? [] : [score]))) ?? 0;

function caseText({ name, score, features, verdict }: Program['outcomes'][number]): string {
  const numbers = Object.entries(features)
    .slice(0, 6)
    .map(([key, value]) => `${key} ${value}`);
  return [name, ...(numbers.length > 0 ? [`(${numbers.join(', ')})`] : []), score ?? verdict].join(' ');
}

/** How a program does: its mean against parent and best, what it loses where, and its time against the limits. */
export function accountIn(search: Search, program: Program): string {
  const { id, parents } = program;
  const { points, task, champion, programs } = search;
  if (program.outcomes.length === 0) return '';
  // Numbers that are the same in all cases tell none from another.
  const varied = new Set(
    Object.keys(program.outcomes[0]?.features ?? {}).filter((name) =>
      program.outcomes.some(({ features }) => features[name] !== program.outcomes[0]?.features[name]),
    ),
  );
  const outcomes = program.outcomes.map((outcome) => ({
    ...outcome,
    features: Object.fromEntries(Object.entries(outcome.features).filter(([name]) => varied.has(name))),
  }));
  const parent = programs.find((each) => each.id === parents[0]);
  const against = [
    parent ? comparison(search, program, parent, ` its parent ${parent.id}`) : '',
    champion && champion !== program
      ? comparison(search, program, champion, ` the best, ${champion.id}`)
      : '',
    champion === program ? 'the best so far' : '',
  ].filter(Boolean);
  const improved = task.direction === 'maximise' ? 'more' : 'less';
  const unit =
    task.scoring === 'relative' ? `; differences in relative points, of ${relativeMost} a case` : '';
  const head = `How ${id} does on ${outcomes.length} cases (${improved} is better${unit}): mean score ${formatFigure(meanScore(outcomes))}; ${against.join('; ')}.`;
  const best = points.best;
  const loss = (outcome: CaseOutcome): number => {
    if (points.outcomeIssue(outcome) !== null) return Number.POSITIVE_INFINITY;
    if (task.scoring === 'relative') return (1 - points.share(outcome)) * relativeMost;
    return Math.abs((best[outcome.name] ?? outcome.score ?? 0) - (outcome.score ?? 0));
  };
  const sound = outcomes.filter((outcome) => Number.isFinite(loss(outcome)));
  const scale = task.scoring === 'relative' ? relativeMost : Math.abs(meanScore(outcomes));
  const groups = groupsOf(sound, (outcome) => loss(outcome) / Math.max(scale, Number.MIN_VALUE)).map(
    ({ name, cases, share }) => `- ${name}: ${formatFigure(share * scale)} a case (${cases} cases)`,
  );
  const lowest = outcomes
    .toSorted((a, b) => loss(b) - loss(a))
    .slice(0, worstShown)
    .filter((outcome) => loss(outcome) > 0);
  const lines = lowest.map((outcome, at) => {
    const error = points.outcomeIssue(outcome);
    const lost = error ?? `loses ${formatFigure(loss(outcome))} to ${best[outcome.name]}`;
    // What one case says of steps and restarts, the others say again.
    return `- ${caseText(outcome)}: ${lost}${at === 0 ? outputText(outcome) : ''}`;
  });
  return [
    head,
    timesText(search, outcomes),
    ...(groups.length > 0 ? ['What it loses to the best known, by groups of cases:', ...groups] : []),
    ...(lines.length > 0
      ? ['Where it loses most to the best known:', ...lines]
      : [formatUnbeaten(task.direction, outcomes)]),
  ].join('\n');
}

/** What is told of a program that no other beats on any case: its lowest scores. */
function formatUnbeaten(direction: Search['task']['direction'], outcomes: Program['outcomes']): string {
  const sign = direction === 'maximise' ? 1 : -1;
  const lowest = outcomes.toSorted((a, b) => sign * ((a.score ?? 0) - (b.score ?? 0))).slice(0, worstShown);
  const cases = lowest.map((outcome, at) => `- ${caseText(outcome)}${at === 0 ? outputText(outcome) : ''}`);
  return [`No better score is known of any case. Its ${sign > 0 ? 'lowest' : 'highest'}:`, ...cases].join(
    '\n',
  );
}

/** `named`: the end of the sentence; empty if the sentence names the other program already. */
export function comparison(search: Search, program: Program, other: Program, named: string): string {
  const { points } = search;
  const found = mean(points.differences(other.outcomes, program.outcomes, search) ?? []);
  const words = found === null ? 'not to be compared' : points.formatDifference(found);
  const than = found === null ? ' with' : found === 0 ? ' as' : ' than';
  const load = points.doubt(other.outcomes, program.outcomes, found ?? 0);
  return `${words}${named && than + named}${load}`;
}

function timesText({ task }: Search, outcomes: Program['outcomes']): string {
  const slowest = outcomes.toSorted((a, b) => b.cpuMs - a.cpuMs)[0];
  const wallMs = Math.round(Math.max(...outcomes.map((outcome) => outcome.wallMs)));
  const cpuMs = Math.round(slowest?.cpuMs ?? 0);
  const { timeLimitMs } = task;
  if (timeLimitMs === null) return `The slowest case took ${cpuMs} ms of CPU time, ${wallMs} ms on the wall.`;
  const most = Math.floor(timeLimitMs * timeMargin);
  return `CPU time, which counts: at most ${cpuMs} of ${timeLimitMs} ms a case (more than ${most} ms is a failure); on the wall ${wallMs} ms.`;
}

function outputText({ said = '' }: CaseOutcome): string {
  return said === '' ? '' : `; standard error ends: ${line(said)}`;
}

const featuresShown = 2;
const groupsOfFeature = 3;
/** Groups that do alike say nothing. */
const leastSpread = 0.005;

/** How a program does on like cases: groups by the numbers of their inputs, where these tell good from bad. */
export function groupsOf(outcomes: readonly CaseOutcome[], shareOf: (outcome: CaseOutcome) => number) {
  const names = [...new Set(outcomes.flatMap(({ features }) => Object.keys(features)))].sort();
  const found = names
    .map((name) => groupsBy(name, outcomes, shareOf))
    .filter((groups) => scoreSpread(groups) >= leastSpread)
    .toSorted((a, b) => scoreSpread(b) - scoreSpread(a));
  return found.slice(0, featuresShown).flat();
}

/** Thirds of the cases by one number, `N 10–30`, each with the mean share; cases of one value stay together. */
function groupsBy(name: string, outcomes: readonly CaseOutcome[], shareOf: (outcome: CaseOutcome) => number) {
  const known = outcomes
    .flatMap((outcome) => {
      const value = outcome.features[name];
      return value === undefined ? [] : [{ value, share: shareOf(outcome) }];
    })
    .toSorted((a, b) => a.value - b.value);
  const parts = Map.groupBy(known, ({ value }) => {
    const first = known.findIndex((each) => each.value === value);
    return Math.floor((first * groupsOfFeature) / known.length);
  });
  return [...parts.values()].map((part) => {
    const [low, high] = [part[0]?.value ?? 0, part.at(-1)?.value ?? 0];
    const share = part.reduce((sum, each) => sum + each.share, 0) / part.length;
    return { name: `${name} ${low === high ? low : `${low}–${high}`}`, cases: part.length, share };
  });
}

function scoreSpread(groups: ReturnType<typeof groupsBy>): number {
  const shares = groups.map(({ share }) => share);
  return shares.length < 2 ? 0 : Math.max(...shares) - Math.min(...shares);
}
