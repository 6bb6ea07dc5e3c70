/** The result of a batch, from the journals of its sessions: outcomes and combinations compared; as text, JSON and CSV. */
import { join } from 'node:path';
import type { Output } from '../../../cli/contract.ts';
import { csvField } from '../../../cli/set-report.ts';
import type { OutcomeKind } from '../../../core/agent.ts';
import type { Store } from '../../../core/store.ts';
import { type TotalSpend, totalSpend } from '../../../core/totals.ts';
import { readJournal } from '../../../run/load.ts';
import { type RunSet, runIdOf } from '../../../studies/run-set/plan.ts';
import { count, duration, formatDollars, grouped, oneLine, truncate } from '../../../text/format.ts';
import { allModels, freeReason, partText, sharedBudgetText } from '../../../text/labels.ts';
import { table } from '../../../text/table.ts';
import { scoresOf } from '../session/course.ts';
import { candidateOf, foldSession, type SessionState } from '../session/fold.ts';
import {
  type CombinationStats,
  compareCombinations,
  minSessionsFor,
  type SessionOutcome,
} from './comparison.ts';
import { type Batch, combinationText } from './file.ts';
import { sessionOfRow } from './plan.ts';

export type BatchOutcome = SessionOutcome & ReturnType<typeof outcomeOf>;

/** Ends that a provider, a machine or a user caused: they say nothing of the settings. */
const brokenOff: ReadonlySet<string> = new Set<OutcomeKind>(['cancelled', 'error']);

/** Of the rows that are sessions of a batch. */
export async function readOutcomes(store: Store, set: RunSet): Promise<readonly BatchOutcome[]> {
  const batchOutcomes: BatchOutcome[] = [];
  for (const [index, row] of set.plan.rows.entries()) {
    const session = sessionOfRow(row);
    if (!session) continue;
    const workspace = String(row.problem.workspace);
    const runId = runIdOf(set, index);
    const { events } = (await store.get(runId)) ? await readJournal(store, runId) : { events: [] };
    batchOutcomes.push(outcomeOf(foldSession(events), session, workspace));
  }
  return batchOutcomes;
}

type BatchSession = NonNullable<ReturnType<typeof sessionOfRow>>;

/** `--json` prints these fields in this order. */
function outcomeOf(state: SessionState, session: BatchSession, workspace: string) {
  const { run, bestId } = state;
  const scoreOf = scoresOf(state, session);
  const sessionCandidate = candidateOf(state, state.final?.chosen ?? bestId);
  const final = sessionCandidate?.more.find(({ why }) => why === 'final');
  return {
    session: session.name,
    folder: join(workspace, session.name),
    problem: session.contest,
    workspace,
    combination: session.batch.combination,
    repeat: session.batch.repeat,
    text: session.batch.text,
    direction: session.direction,
    cases: (final?.evaluation ?? sessionCandidate?.note.evaluation)?.cases ?? [],
    /** Whether no search saw these cases. */
    isHeldOut: final !== undefined,
    best: bestId,
    /** Over the cases of the search; with relative scoring, against what the session began with. */
    score: bestId === null ? null : scoreOf(bestId),
    isDone: run.end !== null && !brokenOff.has(run.end.outcome) && !run.end.cutShort,
    // Its agent gave up because the shared budget refused it: the limit ended it.
    outcome: run.end?.cutShort ? 'limit' : (run.end?.outcome ?? null),
    /** The shared budget ended it: it can go on. */
    isCutShort: run.end?.cutShort === true,
    why: run.end?.error?.message ?? null,
    scoring: session.scoring,
    generations: state.generation,
    models: allModels(run),
    ...totalSpend(run.totals),
    aliveMs: run.aliveMs,
  };
}

export type BatchResult = ReturnType<typeof resultOf>;

export function resultOf(
  batchOutcomes: readonly BatchOutcome[],
  subject: { readonly set: string; readonly name: string },
) {
  const combinations = 1 + batchOutcomes.reduce((most, each) => Math.max(most, each.combination), 0);
  // A role may have one model in one session and another in the next.
  const models = batchOutcomes.flatMap(({ session, models }) =>
    Object.entries(models).map(([role, model]) => [`${session} ${role}`, model] as const),
  );
  return {
    ...subject,
    /** Why it was free; null where a live model was asked. */
    label: freeReason(Object.fromEntries(models)),
    /** With fewer pairs of sessions no difference can be told from noise. */
    fewestPairs: minSessionsFor(combinations - 1),
    outcomes: batchOutcomes,
    standings: compareCombinations(batchOutcomes, combinations).map((each) => {
      const session = batchOutcomes.find(({ combination }) => combination === each.combination);
      return { name: session ? nameOf(session) : combinationText({}), ...each };
    }),
  };
}

function nameOf({ text }: Pick<BatchOutcome, 'text'>): string {
  return text || combinationText({});
}

/** The combinations of a batch, told before anything is begun. */
export function combinationsText(output: Output, { combinations }: Pick<Batch, 'combinations'>): string {
  if (combinations.length < 2) return '';
  const rows = combinations.map((each, index) => [`c${index + 1}`, truncate(combinationText(each), 120)]);
  return `${table(output, ['', 'combination'], rows).trimEnd()}\n\n`;
}

/** The columns of tables for people, by their headings. */
const sessionCells = {
  session: ({ session }) => session,
  problem: ({ problem }) => problem,
  combination: ({ text }) => text,
  outcome: ({ outcome, isCutShort }) => (isCutShort ? sharedBudgetText : (outcome ?? 'open')),
  best: ({ best }) => best ?? '–',
  score: ({ score }) => (score === null ? '–' : numberText(score)),
  generations: ({ generations }) => `${generations}`,
  tokens: spentTokens,
  // A script's session says that it was free, even beside paid ones.
  cost: ({ models, ...spent }) => freeReason(models) ?? spentDollars(spent),
  time: ({ aliveMs }) => duration(aliveMs),
} satisfies Record<string, (outcome: BatchOutcome) => string>;

const shownInText = [
  ...(['session', 'problem', 'outcome', 'best', 'score'] as const),
  ...(['generations', 'tokens', 'cost', 'time'] as const),
];

function sessionRows(batchOutcomes: readonly BatchOutcome[], head: readonly (keyof typeof sessionCells)[]) {
  return { head, rows: batchOutcomes.map((each) => head.map((column) => sessionCells[column](each))) };
}

const combinationHead = [
  ...['', 'combination', 'sessions', 'points', '95 %'],
  ...['against the first', '95 %', 'p (Holm)', 'tokens', 'cost'],
];

export function resultText(output: Output, result: BatchResult): string {
  const { outcomes, standings, label } = result;
  const { head, rows } = sessionRows(outcomes, shownInText);
  const compared = standings.map(({ against, ...each }) => [
    `c${each.combination + 1}`,
    truncate(each.name, 60),
    `${each.sessions}${each.withoutProgram > 0 ? ` (${each.withoutProgram} without a program)` : ''}`,
    shareOrDash(each.points),
    rangeText(each, shareOrDash),
    ...(against ? [signed(against.mean), rangeText(against), pText(against.p)] : ['–', '–', '–']),
    spentTokens(each),
    label !== null && each.costUsd === 0 ? 'free' : spentDollars(each),
  ]);
  const lines = [
    ...(label === null ? [] : [output.paint('warn', label)]),
    table(output, head, rows),
    table(output, combinationHead, compared),
    ...wordsOn(result),
  ];
  return `${lines.join('\n')}\n`;
}

function wordsOn({ standings, outcomes, fewestPairs }: BatchResult): string[] {
  const pairs = standings.flatMap(({ against }) => against?.pairs ?? []);
  const isFew = standings.length > 1 && (pairs.length === 0 || pairs.some((each) => each < fewestPairs));
  const unseen = outcomes.filter(({ isHeldOut, cases }) => cases.length > 0 && !isHeldOut).length;
  const words = [
    'Points: mean share of the best that any session reached on a case, over the cases of the final choice; a session without a program has none of them.',
  ];
  if (isFew)
    words.push(
      `Too few sessions to say whether differences are more than noise: of ${count(standings.length, 'combination')}, ${fewestPairs} pairs with the first are the least; \`repeat:\` makes more.`,
    );
  if (unseen > 0)
    words.push(`${count(unseen, 'session')} had no cases set aside: theirs are those that were searched on.`);
  if (outcomes.some(({ scoring }) => scoring === 'relative'))
    words.push(
      'Scores of relative contests say how far each session came from where it began; points tell which is better.',
    );
  return [...words, ...leftOut(outcomes)];
}

/** Sessions that are not compared, and why; of many, the first few. */
function leftOut(batchOutcomes: readonly BatchOutcome[]): string[] {
  const open = batchOutcomes.filter(({ isDone }) => !isDone);
  if (open.length === 0) return [];
  const visible = open.flatMap(({ session, why }) =>
    why === null ? [] : [`${session} broke off: ${truncate(oneLine(why), 300)}`],
  );
  const are =
    open.length === 1 ? 'was not brought to its end, and is' : 'were not brought to their ends, and are';
  return [`${count(open.length, 'session')} ${are} not compared.`, ...visible.slice(0, 5)];
}

export function resultJson({ standings, outcomes, ...subject }: BatchResult) {
  return {
    ...subject,
    combinations: standings,
    sessions: outcomes.map(({ cases, models, ...each }) => ({
      ...each,
      label: freeReason(models),
      cases: cases.length,
    })),
  };
}

const columns: Readonly<Record<string, (outcome: BatchOutcome) => string | number | null>> = {
  session: ({ session }) => session,
  problem: ({ problem }) => problem,
  combination: ({ combination }) => `c${combination + 1}`,
  text: ({ text }) => text,
  repeat: ({ repeat }) => repeat,
  outcome: ({ outcome }) => outcome,
  best: ({ best }) => best,
  score: ({ score }) => score,
  generations: ({ generations }) => generations,
  tokens: ({ tokens }) => tokens,
  cost_usd: ({ costUsd }) => costUsd,
  seconds: ({ aliveMs }) => Math.round(aliveMs / 1000),
  folder: ({ folder }) => folder,
  known_tokens: ({ knownTokens }) => knownTokens,
  known_cost_usd: ({ knownCostUsd }) => knownCostUsd,
};

export function resultCsv({ outcomes }: BatchResult): string {
  const cells = Object.values(columns);
  const lines = outcomes.map((each) => cells.map((cell) => csvField(cell(each))).join(','));
  return `${[Object.keys(columns).join(','), ...lines].join('\n')}\n`;
}

function numberText(value: number): string {
  return Number.isInteger(value) ? grouped(value) : value.toLocaleString('en', { maximumFractionDigits: 3 });
}

function spentTokens({ tokens, knownTokens }: TotalSpend): string {
  return partText(tokens, knownTokens, grouped);
}

function spentDollars({ costUsd, knownCostUsd }: TotalSpend): string {
  return partText(costUsd, knownCostUsd, formatDollars);
}

const percent = (value: number): string => `${(value * 100).toFixed(2)} %`;
const signed = (value: number): string => `${value > 0 ? '+' : ''}${percent(value)}`;
const shareOrDash = (value: number | null): string => (value === null ? '–' : percent(value));

function rangeText({ low, high }: Pick<CombinationStats, 'low' | 'high'>, wordOf = signed): string {
  return low === null || high === null ? 'too few' : `${wordOf(low)} … ${wordOf(high)}`;
}

function pText(p: number | null): string {
  if (p === null) return 'too few';
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}
