/** The report on runs of questions for people, as tables of 80 columns. */
import type { Output, Shell } from '../../cli/contract.ts';
import { seededChance } from '../../core/seeded-chance.ts';
import type { Accuracy } from '../../core/statistics/graded.ts';
import type { Interval } from '../../core/statistics/proportion.ts';
import type { Runtime } from '../../run/world.ts';
import type { RunSet } from '../../studies/run-set/plan.ts';
import { count, duration, escapedJson, formatDollars, grouped, oneLine } from '../../text/format.ts';
import { freeReason, modelsText, partText } from '../../text/labels.ts';
import { table } from '../../text/table.ts';
import { fitToWidth, widthOf } from '../../text/wrap.ts';
import { type Source, scoreCsv, scoreJson } from './score-data.ts';
import { measureSet } from './study/measure.ts';
import {
  type Group,
  isWrong,
  type Placed,
  type Report,
  reportOn,
  type SystemComparison,
  type SystemReport,
  specsOf,
  type VoteReport,
} from './study/report.ts';
import type { Spent } from './study/spent.ts';
import { cutWords, failureWords } from './vote-text.ts';

export type Scored = { readonly source: Source; readonly placed: readonly Placed[] };

export async function scoredSet(runtime: Runtime, set: RunSet): Promise<Scored> {
  const { measured, open } = await measureSet(runtime, set);
  return {
    source: { name: set.id, kind: 'run-set', open, missing: 0 },
    placed: measured.map((run) => ({ origin: set.id, run })),
  };
}

type ScoreOptions = {
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly wrong?: boolean;
  /** The system that the others are compared with. */
  readonly against?: string;
};

export function printScore(
  { out, err }: Shell,
  scored: readonly Scored[],
  { json, csv, wrong, against }: ScoreOptions,
): void {
  const sources = scored.map(({ source }) => source);
  const placed = scored.flatMap((each) => each.placed);
  const entries = wrong ? placed.filter(({ run }) => isWrong(run)) : placed;
  for (const source of sources) err.write(sourceText(source));
  if (csv) {
    out.write(scoreCsv(entries));
    return;
  }
  // The same journals give the same intervals.
  const report = reportOn(placed, () => seededChance('qa score').next, against);
  if (json) out.write(`${escapedJson(scoreJson(sources, report, entries), 2)}\n`);
  else if (placed.length === 0) out.write('No run has ended yet.\n');
  else out.write(`${scoreText(out, report)}${wrong ? wrongText(out, entries) : ''}`);
}

/** Each wrong run: the question, what was answered, and why that is wrong. */
function wrongText(output: Output, incorrect: readonly Placed[]): string {
  if (incorrect.length === 0) return '\nNone is wrong.\n';
  const lines = incorrect.map(({ run }) => {
    const { problem, title, runId, outcome, answer, gold, why, agent, models } = run;
    const entries = [
      `${output.paint('strong', oneLine(problem))}  ${outcome}  ${runId}`,
      `  ${oneLine([agent, ...specsOf(models)].join(', '))}`,
      `  ${oneLine(title)}`,
      `  answered ${answer === null ? 'nothing' : oneLine(answer)}${gold === null ? '' : `; right is ${oneLine(gold)}`}`,
      why === '' ? '' : `  ${oneLine(why)}`,
    ];
    return entries
      .filter(Boolean)
      .map((entry) => `${fitToWidth(entry, mostColumns)}\n`)
      .join('');
  });
  return `\n${output.paint('strong', count(incorrect.length, 'wrong run'))}\n${lines.join('')}`;
}

function sourceText({ name, open, missing }: Source): string {
  if (open > 0) return `${oneLine(name)}: ${count(open, 'row')} not ended, and not in the score.\n`;
  return missing > 0
    ? `${oneLine(name)}: ${count(missing, 'question')} without a prediction, counted as wrong.\n`
    : '';
}

/** A part of a text that is there under a condition. */
function when(isSo: boolean, ...parts: readonly string[]): readonly string[] {
  return isSo ? parts : [];
}

export function scoreText(output: Output, report: Report): string {
  const parts = [
    systemsTable(output, report.systems),
    ...report.systems.flatMap((system) => systemText(output, system, report.systems.length > 1)),
    ...(report.comparisons.length > 0 ? [comparisonsText(output, report.comparisons)] : []),
  ];
  return parts.join('\n');
}

/** Of what was asked and answered, as far as it is worth a line. */
const mostColumns = 80;
const mostNameColumns = 26;
/** Beside a comparison there is less room. */
const fewNameColumns = 18;

/** Beginning and end: of two run-sets, the names differ in the last letters alone. */
function nameCell(name: string, columns: number): string {
  return widthOf(name) <= columns ? name : `${fitToWidth(name, columns - 5)}${name.slice(-5)}`;
}

function systemsTable(output: Output, systems: readonly SystemReport[]): string {
  const head = ['system', 'questions', 'runs', 'right', 'accuracy (95 %)', 'tokens', 'cost', 'time a run'];
  const rows = systems.map(({ name, accuracy, runs, spent, models }) => [
    nameCell(name, mostNameColumns),
    grouped(accuracy.questions),
    grouped(runs),
    grouped(accuracy.right),
    accuracyText(accuracy),
    ...spentCells(spent, models, runs),
  ]);
  const labels = new Set(systems.flatMap(({ models }) => (freeReason(models) ? modelsText(models) : [])));
  const clipped = systems.flatMap(({ name }) => (name.length > mostNameColumns ? [`in full: ${name}`] : []));
  const notes = [...clipped, ...systems.flatMap((system) => systemNotes(system, systems.length > 1))];
  return `${table(output, head, rows)}${[...labels, ...notes].map((note) => `${oneLine(note)}\n`).join('')}`;
}

/** What a table of numbers would hide. */
function systemNotes(system: SystemReport, isNamed: boolean): string[] {
  const { name, models, accuracy, runs, ungraded, possiblyBilled, rightOnce, outcomes, reasons, twins } =
    system;
  const { questions } = accuracy;
  const limited = outcomes.limit ?? 0;
  const ended = Object.entries(outcomes).map(([outcome, number]) => `${number} ${outcome}`);
  const notes = [
    ...when(
      twins > 0,
      `${count(accuracy.questions, 'question')} in ${count(runs, 'run')}: ${count(twins, 'row')} ask${twins === 1 ? 's' : ''} word for word what another one asks`,
    ),
    // Limits have a line of their own.
    ...reasons.filter(({ outcome }) => outcome !== 'limit').map(reasonText),
    ...when(accuracy.runs === 0 && ungraded === 0, 'nothing is graded: there are no gold answers'),
    ...when(
      accuracy.runs > questions,
      `${grouped(rightOnce)} of ${count(questions, 'question')} right at least once; the interval is by question`,
    ),
    ...when(
      ungraded > 0,
      `${count(ungraded, 'run')} ended ungraded (${ended.join(', ')}) and count for nothing`,
    ),
    ...when(limited > 0, `${count(limited, 'run')} of ${grouped(runs)} ended at a limit`),
    // A script bills nothing.
    ...when(
      possiblyBilled > 0 && !freeReason(models),
      `${count(possiblyBilled, 'call')} broken off or lost may have been billed`,
    ),
  ];
  return notes.map((note) => oneLine(isNamed ? `${name}: ${note}` : note));
}

const mostReasons = 3;

/** `200 malformed: no answer in the last line (198), the reply was cut off (2)` */
function reasonText({ outcome, runs, reasons }: SystemReport['reasons'][number]): string {
  const visible = reasons.slice(0, mostReasons).map(({ why, runs: number }) => {
    const text = fitToWidth(oneLine(why || 'no reason is told'), 60);
    return reasons.length > 1 ? `${text} (${grouped(number)})` : text;
  });
  const more = reasons.length > mostReasons ? [`${reasons.length - mostReasons} other reasons`] : [];
  return `${grouped(runs)} ${outcome}: ${[...visible, ...more].join(', ')}`;
}

function systemText(output: Output, system: SystemReport, isNamed: boolean): string[] {
  const heading = (text: string) => `${output.paint('strong', isNamed ? `${system.name}: ${text}` : text)}\n`;
  const kinds = [...new Set(system.groups.map(({ by }) => by))];
  return [
    ...kinds.map((by) => heading(`By ${by}`) + groupsTable(output, system, by)),
    ...(system.strategies.length > 0 ? [heading('By strategy') + strategiesTable(output, system)] : []),
    ...(system.vote ? [heading('What the vote did') + voteText(output, system, system.vote)] : []),
  ];
}

const mostGroups = 40;

function groupsTable(output: Output, { groups, models }: SystemReport, by: string): string {
  const all = groups.filter((group) => group.by === by);
  const shown = all.length > mostGroups ? all.toSorted((a, b) => b.runs - a.runs).slice(0, mostGroups) : all;
  const cells = ({ name, runs, accuracy, spent }: Group) => [
    fitToWidth(oneLine(name), mostNameColumns),
    grouped(runs),
    grouped(accuracy.right),
    accuracyText(accuracy),
    ...spentCells(spent, models, runs),
  ];
  const head = [by, 'runs', 'right', 'accuracy (95 %)', 'tokens', 'cost', 'time a run'];
  const more = all.length > shown.length ? `and ${all.length - shown.length} smaller ones\n` : '';
  return table(output, head, shown.map(cells)) + more;
}

function strategiesTable(output: Output, { strategies, models }: SystemReport): string {
  const head = [
    'strategy',
    'samples',
    'answered',
    'right',
    'accuracy (95 %)',
    'decisive',
    'tokens',
    'cost',
    'time',
  ];
  const rows = strategies.map((each) => [
    each.strategy,
    grouped(each.samples),
    grouped(each.answered),
    grouped(each.accuracy.right),
    accuracyText(each.accuracy),
    each.alone ? grouped(each.decisive) : '–',
    ...spentCells(each.spent, models, each.samples),
  ]);
  const failures = strategies.flatMap(({ strategy, failures: { 'cut-off': _, ...reasons }, cuts }) => {
    const cutOff = Object.entries(cuts).map(([cut, number]) => [cutWords(cut), number] as const);
    const siblings = Object.entries(reasons).map(
      ([reason, number]) => [failureWords(reason), number] as const,
    );
    const words = [...cutOff, ...siblings].map(([why, number]) => `${why} (${grouped(number)})`);
    return when(words.length > 0, `${strategy} without an answer: ${words.join(', ')}\n`);
  });
  return table(output, head, rows) + failures.join('');
}

function voteText(output: Output, { strategies, models }: SystemReport, vote: VoteReport): string {
  const head = ['first sample of', 'runs', 'alone', 'ensemble', 'saved by the vote', 'lost by it', 'p'];
  const rows = strategies.flatMap(({ strategy, alone }) => {
    if (!alone || alone.first === null) return [];
    const shares = [percent(alone.first), percent(alone.second ?? 0)];
    const counts = [grouped(alone.onlySecond), grouped(alone.onlyFirst)];
    return [[strategy, grouped(alone.questions), ...shares, ...counts, pText(alone.p)]];
  });
  const isGraded = strategies.some(({ accuracy }) => accuracy.runs > 0);
  const entries = voteFacts(vote, models, isGraded).map((entry) => `${entry}\n`);
  return `${isGraded ? table(output, head, rows) : ''}${entries.join('')}`;
}

function voteFacts(vote: VoteReport, models: SystemReport['models'], isGraded: boolean): string[] {
  const paths = vote.decidedBy.map(
    ({ by, runs, right }) => `${by} ${grouped(runs)}${isGraded ? ` (${grouped(right)} right)` : ''}`,
  );
  const saved =
    vote.savedTokens === null ? 'an unknown number of tokens' : `about ${grouped(vote.savedTokens)} tokens`;
  const { beside, lostRight, sparedSamples, lateSamples, extraSamples, unknownRecommendations } = vote;
  return [
    `decided by: ${paths.join(', ')}`,
    ...when(isGraded && lostRight > 0, `in ${count(lostRight, 'wrong run')} a member had the right answer`),
    ...when(
      sparedSamples > 0,
      `${count(sparedSamples, 'sample')} broken off or never asked, the vote being decided: ${saved} saved`,
    ),
    ...when(lateSamples > 0, `${count(lateSamples, 'sample')} answered when the vote was decided already`),
    ...when(extraSamples > 0, `${count(extraSamples, 'sample')} more asked where it was close`),
    ...when(
      unknownRecommendations > 0,
      `${count(unknownRecommendations, 'plan')} without a known recommendation: taken as reasoning`,
    ),
    `plans, self-corrections and what was broken off: ${count(beside.calls, 'call')}, ${tokensText(beside)} tokens, ${costText(beside, models)}`,
  ];
}

function comparisonsText(output: Output, comparisons: readonly SystemComparison[]): string {
  const isMany = comparisons.filter(({ questions }) => questions > 0).length > 1;
  if (comparisons.every(({ questions }) => questions === 0))
    return 'They have no graded question in common: nothing is compared.\n';
  const head = [
    'compared with',
    'common',
    'first',
    'this',
    'difference (95 %)',
    'only first',
    'only this',
    'p',
  ];
  const rows = comparisons.map((each) => [
    nameCell(each.secondName, fewNameColumns),
    grouped(each.questions),
    ...(each.difference === null
      ? ['', '', 'none in common']
      : [
          percent(each.first ?? 0),
          percent(each.second ?? 0),
          differenceText(each.difference, each.interval),
        ]),
    grouped(each.onlyFirst),
    grouped(each.onlySecond),
    each.difference === null ? '' : `${pText(each.p)}${isMany ? ` (${pText(each.corrected)})` : ''}`,
  ]);
  const tests = new Set(comparisons.map(({ test }) => test));
  const names = { mcnemar: "McNemar's exact test", permutation: 'a permutation test by question' };
  const method = [...tests].map((test) => names[test]).join(' or ');
  const note = `p: ${method}, on the questions that both have; two-sided${isMany ? '; in brackets corrected by Holm' : ''}`;
  const first = comparisons[0]?.firstName ?? '';
  return `${output.paint('strong', `The first is ${oneLine(first)}`)}\n${table(output, head, rows)}${note}\n`;
}

function accuracyText({ share, interval }: Accuracy): string {
  if (share === null) return 'not graded';
  return `${percent(share)} (${interval ? bounds(interval) : 'too few'})`;
}

function bounds({ low, high }: Interval): string {
  return `${(100 * low).toFixed(1)}–${(100 * high).toFixed(1)}`;
}

function differenceText(difference: number, interval: Interval | null): string {
  const sign = difference > 0 ? '+' : '';
  return `${sign}${(100 * difference).toFixed(1)}${interval ? ` (${bounds(interval)})` : ''}`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}

function pText(p: number): string {
  return p < 0.001 ? '<0.001' : p.toFixed(3);
}

function spentCells(spent: Spent, models: SystemReport['models'], runs: number): string[] {
  if (spent.calls === 0 && Object.keys(models).length === 0) return ['–', '–', '–'];
  return [tokensText(spent), costText(spent, models), duration(spent.timeMs / Math.max(1, runs))];
}

/** Unknown counts are shown as unknown, never as zero. */
function tokensText({ tokens, callsOfUnknownTokens }: Spent): string {
  return partText(callsOfUnknownTokens > 0 ? null : tokens, tokens, grouped);
}

function costText({ costUsd, callsOfUnknownCost }: Spent, models: SystemReport['models']): string {
  if (freeReason(models)) return 'free';
  return partText(callsOfUnknownCost > 0 ? null : costUsd, costUsd, formatDollars);
}
