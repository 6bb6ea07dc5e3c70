/** What came of a batch, as a table for people, as JSON, and as CSV with a line a session. */

import type { Output } from '../../../cli/output.ts';
import { csvField } from '../../../cli/set-report.ts';
import type { Spent } from '../../../core/fold.ts';
import { clip, count, dollars, duration, grouped, oneLine } from '../../../text/format.ts';
import { freeBecause, partText, sharedBudgetText } from '../../../text/labels.ts';
import { table } from '../../../text/table.ts';
import type { AhcBatch } from '../load/batch.ts';
import type { Standing } from './comparison.ts';
import type { BatchOutcome } from './outcomes.ts';

export type BatchResult = {
  readonly set: string;
  readonly name: string;
  /** Why nobody is paid; null where somebody is. */
  readonly label: string | null;
  /** Pairs of sessions below which no difference can be told from noise, with so many combinations. */
  readonly fewestPairs: number;
  readonly outcomes: readonly BatchOutcome[];
  readonly standings: readonly Standing[];
};

export function resultOf(
  ahc: AhcBatch,
  outcomes: readonly BatchOutcome[],
  about: Pick<BatchResult, 'set' | 'name'>,
): BatchResult {
  const combinations = 1 + outcomes.reduce((most, each) => Math.max(most, each.combination), 0);
  return {
    ...about,
    label: freeBecause(Object.fromEntries(outcomes.flatMap(modelsOf))),
    fewestPairs: ahc.fewestFor(combinations - 1),
    outcomes,
    standings: ahc.compareCombinations(outcomes, combinations),
  };
}

/** A role may have one model in one session and another in the next. */
function modelsOf({ session, models }: BatchOutcome) {
  return Object.entries(models).map(([role, model]) => [`${session} ${role}`, model] as const);
}

/** What is tried against what, before anything is begun. */
export function combinationsText(output: Output, ahc: AhcBatch, { combinations }: BatchCombinations): string {
  if (combinations.length < 2) return '';
  const rows = combinations.map((each, index) => [`c${index + 1}`, clip(ahc.combinationText(each), 120)]);
  return `${table(output, ['', 'combination'], rows).trimEnd()}\n\n`;
}

type BatchCombinations = { readonly combinations: readonly Parameters<AhcBatch['combinationText']>[0][] };

/** The words of a combination are those of its sessions. */
export function textOf({ outcomes }: BatchResult, combination: number): string {
  return outcomes.find((each) => each.combination === combination)?.text || 'as it is configured';
}

export function resultText(output: Output, result: BatchResult): string {
  const { outcomes, standings, label } = result;
  const sessions = table(
    output,
    ['session', 'problem', 'outcome', 'best', 'score', 'generations', 'tokens', 'cost', 'time'],
    outcomes.map((each) => [
      each.session,
      each.problem,
      outcomeText(each),
      each.best ?? '–',
      each.score === null ? '–' : numberText(each.score),
      `${each.generations}`,
      spentTokens(each),
      sessionCost(each),
      duration(each.aliveMs),
    ]),
  );
  const compared = table(
    output,
    [
      '',
      'combination',
      'sessions',
      'points',
      '95 %',
      'against the first',
      '95 %',
      'p (Holm)',
      'tokens',
      'cost',
    ],
    standings.map((each) => [
      `c${each.combination + 1}`,
      clip(textOf(result, each.combination), 60),
      each.withoutProgram > 0
        ? `${each.sessions} (${each.withoutProgram} without a program)`
        : `${each.sessions}`,
      shareOrDash(each.points),
      rangeText(each.low, each.high, shareOrDash),
      each.against ? signed(each.against.mean) : '–',
      each.against ? rangeText(each.against.low, each.against.high) : '–',
      each.against ? pText(each.against.p) : '–',
      spentTokens(each),
      costText(result, each),
    ]),
  );
  const lines = [sessions.trimEnd(), '', compared.trimEnd(), '', ...wordsOn(result)];
  return `${label === null ? '' : `${output.paint('warn', label)}\n`}${lines.join('\n')}\n`;
}

/** How the numbers are to be taken. */
export function wordsOn({ standings, outcomes, fewestPairs }: BatchResult): string[] {
  const pairs = standings.flatMap(({ against }) => against?.pairs ?? []);
  const isFew = standings.length > 1 && (pairs.length === 0 || pairs.some((each) => each < fewestPairs));
  const unseen = outcomes.filter(({ isHeldOut, cases }) => cases.length > 0 && !isHeldOut).length;
  return [
    'Points: mean share of the best that any session reached on a case, over the cases of the final choice; a session without a program has none of them.',
    ...(isFew
      ? [
          `Too few sessions to say whether differences are more than noise: of ${count(standings.length, 'combination')}, ${fewestPairs} pairs with the first are the least; \`repeat:\` makes more.`,
        ]
      : []),
    ...(unseen > 0
      ? [`${count(unseen, 'session')} had no cases set aside: theirs are those that were searched on.`]
      : []),
    ...(outcomes.some(({ scoring }) => scoring === 'relative')
      ? [
          'Scores of relative contests say how far each session came from where it began; points tell which is better.',
        ]
      : []),
    ...leftOut(outcomes),
  ];
}

/** Those that are not compared, and why; of many, the first few. */
function leftOut(outcomes: readonly BatchOutcome[]): string[] {
  const open = outcomes.filter(({ isDone }) => !isDone);
  if (open.length === 0) return [];
  const shown = open.flatMap(({ session, why }) =>
    why === null ? [] : [`${session} broke off: ${clip(oneLine(why), 300)}`],
  );
  const are =
    open.length === 1 ? 'was not brought to its end, and is' : 'were not brought to their ends, and are';
  return [`${count(open.length, 'session')} ${are} not compared.`, ...shown.slice(0, 5)];
}

export function resultJson(result: BatchResult) {
  const { standings, outcomes, ...about } = result;
  return {
    ...about,
    combinations: standings.map((each) => ({ name: textOf(result, each.combination), ...each })),
    sessions: outcomes.map(({ cases, course: _course, models, ...each }) => ({
      ...each,
      label: freeBecause(models),
      cases: cases.length,
    })),
  };
}

const columns = [
  ...['session', 'problem', 'combination', 'text', 'repeat', 'outcome', 'best', 'score', 'generations'],
  ...['tokens', 'cost_usd', 'seconds', 'folder', 'known_tokens', 'known_cost_usd'],
];

export function resultCsv({ outcomes }: BatchResult): string {
  const lines = outcomes.map((each) =>
    [
      ...[
        each.session,
        each.problem,
        `c${each.combination + 1}`,
        each.text,
        each.repeat,
        each.outcome,
        each.best,
      ],
      ...[
        each.score,
        each.generations,
        each.tokens,
        each.costUsd,
        Math.round(each.aliveMs / 1000),
        each.folder,
        each.knownTokens,
        each.knownCostUsd,
      ],
    ]
      .map(csvField)
      .join(','),
  );
  return `${[columns.join(','), ...lines].join('\n')}\n`;
}

/** How a session ended, or that it has not. */
export function outcomeText({ outcome, isCutShort }: BatchOutcome): string {
  return isCutShort ? sharedBudgetText : (outcome ?? 'open');
}

export function numberText(value: number): string {
  return Number.isInteger(value) ? grouped(value) : value.toLocaleString('en', { maximumFractionDigits: 3 });
}

export function spentTokens({ tokens, knownTokens }: Spent): string {
  return partText(tokens, knownTokens, grouped);
}

function costText({ label }: Pick<BatchResult, 'label'>, { costUsd, knownCostUsd }: Spent): string {
  return label !== null && costUsd === 0 ? 'free' : partText(costUsd, knownCostUsd, dollars);
}

/** Of one session: beside paid ones, a script's are told as such. */
export function sessionCost({ models, ...spent }: BatchOutcome): string {
  return freeBecause(models) ?? costText({ label: null }, spent);
}

export function shareOrDash(value: number | null): string {
  return value === null ? '–' : `${(value * 100).toFixed(2)} %`;
}

function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${(value * 100).toFixed(2)} %`;
}

export function rangeText(
  low: number | null,
  high: number | null,
  word: (value: number) => string = signed,
): string {
  return low === null || high === null ? 'too few' : `${word(low)} … ${word(high)}`;
}

function pText(p: number | null): string {
  if (p === null) return 'too few';
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}
