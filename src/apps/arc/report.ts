/**
 * What a run over ARC tasks tells: its log, task by task (instructions, what the generator said, what the verifier found,
 * the vote, the tokens of each node), and its final report, for people and as JSON. Pure.
 */
import type { Output } from '../../cli/contract.ts';
import {
  failuresOf,
  formatAlternative,
  formatVerification,
  type InductionLine,
  type InductionStep,
  instructionText,
} from '../../notes/induction.ts';
import type { RunSet } from '../../studies/run-set/plan.ts';
import { count, duration, formatDollars, grouped, oneLine } from '../../text/format.ts';
import { allModels, costText, freeReason, modelsText, outcomeText, partText } from '../../text/labels.ts';
import { type NodeUsage, nodeUsage, type Tally, type TaskOutcome, tallyOf } from './outcomes.ts';

export type WrittenFiles = {
  readonly log: string;
  readonly pictures: number;
  /** Null where there are solutions. */
  readonly submission: {
    readonly path: string;
    readonly placeholders: readonly string[];
    readonly isKept: boolean;
  } | null;
};

export type ArcReport = {
  readonly head: LogHead;
  readonly outcomes: readonly TaskOutcome[];
  /** Why the set ended; null while something is missing. */
  readonly reason: string | null;
  readonly written: WrittenFiles;
  /** The label for results of scripts, whose replies were written ahead. */
  readonly label: string | null;
};

export function reportText(output: Pick<Output, 'paint'>, report: ArcReport): string {
  const { head, outcomes, written, label, reason } = report;
  const tally = tallyOf(outcomes, head.solutions !== null);
  const score = scoreText(tally);
  return [
    output.paint('strong', `Run ${head.set.id}${reason === null ? ', not finished' : ''}`),
    `${tallyText(tally)}${score}`,
    `Cost: ${label ?? partText(tally.isCostKnown ? tally.costUsd : null, tally.costUsd, formatDollars)}`,
    ...usageLines(nodeUsage(outcomes), { isFree: label !== null }),
    ...lastTask(outcomes),
    `Log: ${written.log}`,
    `Pictures: ${written.pictures}`,
    ...(written.submission ? submissionLines(written.submission) : []),
    ...(head.solutions === null ? ['Not graded: name the outputs of the tests with `--solutions`'] : []),
    '',
  ].join('\n');
}

function scoreText({ right, wrong }: ReturnType<typeof tallyOf>): string {
  if (right === null || wrong === null || right + wrong === 0) return '';
  return ` (${((100 * right) / (right + wrong)).toFixed(1)}%)`;
}

/** Of the last in the order of the tasks that was begun: its instructions, and what the verifier said. */
function lastTask(outcomes: readonly TaskOutcome[]): string[] {
  const last = outcomes.findLast(({ view }) => view !== null);
  if (!last) return [];
  return [
    `Last task: ${oneLine(last.task)}, ${last.status}; ${resultText(last)}`,
    ...last.induction.lines.flatMap((line) => lineText(line, { programs: false })).map((line) => `  ${line}`),
  ];
}

function submissionLines({ path, placeholders, isKept }: NonNullable<WrittenFiles['submission']>): string[] {
  if (isKept) return [`Submission: ${path} is kept as it was: it answers more than this run does`];
  const some =
    placeholders.length > 0 ? `; placeholders for ${placeholders.length} tasks without an attempt` : '';
  return [`Submission: ${path}${some}`];
}

export function reportJson({ head, outcomes, reason, written, label }: ArcReport) {
  const last = outcomes.findLast(({ view }) => view !== null);
  const tally = tallyOf(outcomes, head.solutions !== null);
  const { costUsd, isCostKnown, ...counts } = tally;
  return {
    run: head.set.id,
    /** Null while something is missing. */
    ended: reason,
    label,
    taskFile: head.taskFile,
    solutions: head.solutions,
    leftOut: head.leftOut,
    totals: { ...counts, costUsd: isCostKnown ? costUsd : null, knownCostUsd: costUsd },
    nodes: nodeUsage(outcomes).map(({ node, calls, tokens, total, costUsd: cost }) => ({
      node,
      calls,
      inputTokens: tokens.input,
      cachedTokens: tokens.cachedInput,
      outputTokens: tokens.output,
      totalTokens: total,
      costUsd: cost,
    })),
    tasks: outcomes.map(taskJson),
    lastTask: last && { ...taskJson(last), hypotheses: last.induction.lines },
    log: written.log,
    pictures: written.pictures,
    submission: written.submission,
  };
}

function taskJson({ task, runId, status, right, attempts, view, induction }: TaskOutcome) {
  return {
    task,
    run: runId,
    status,
    outcome: view?.end?.outcome ?? null,
    right,
    attempts,
    steps: induction.lines.map((line) => ({
      hypothesis: line.name,
      status: line.status,
      steps: line.steps.length,
    })),
    costUsd: view && view.totals.callsOfUnknownCost === 0 ? view.totals.costUsd : null,
  };
}

type LogHead = {
  readonly set: RunSet;
  readonly taskFile: string;
  readonly solutions: string | null;
  /** Tasks of the file that cannot be used, with what is wrong. */
  readonly leftOut: readonly string[];
};

export function headText({ set, taskFile, solutions, leftOut }: LogHead): string {
  const { rows, concurrency } = set.plan;
  const [row] = rows;
  const settings = Object.entries(row?.settings ?? {}).map(([name, value]) => `${name}=${String(value)}`);
  return lines([
    `Run ${set.id}`,
    `Tasks: ${count(rows.length, 'task')} of ${taskFile}, ${concurrency} at once`,
    `Solutions: ${solutions ?? 'none; a submission is written'}`,
    `Agent: ${row?.agent ?? ''}${settings.length > 0 ? ` (${settings.join(', ')})` : ''}`,
    `Models: ${Object.entries(row?.models ?? {})
      .map(([role, model]) => `${role}=${model}`)
      .join(', ')}`,
    ...leftOut.map((what) => `Left out: ${what}`),
  ]);
}

/** One task that has ended, with the totals so far. */
export function taskReport(outcome: TaskOutcome, tasks: number, tally: Tally): string {
  const { index, task, runId, view, induction } = outcome;
  const { another } = induction;
  const models = view ? allModels(view) : {};
  return lines([
    `=== Task ${index + 1} of ${tasks}: ${task} (run ${runId}) ===`,
    `Models: ${modelsText(models)}`,
    ...induction.lines.flatMap((line) => lineText(line)),
    ...(another ? [`Last look: ${formatAlternative(another)}`, ...formatRationale(another.rationale)] : []),
    ...voteText(outcome),
    ...usageLines(nodeUsage([outcome]), { isFree: freeReason(models) !== null }),
    `Cost: ${view ? costText(view.totals, models) : 'none'}; time: ${duration(view?.aliveMs ?? 0)}`,
    `Status: ${outcome.status ?? 'not run'}; ${resultText(outcome)}`,
    `So far: ${tallyText(tally)}`,
  ]);
}

export function resultText({ view, right }: Pick<TaskOutcome, 'view' | 'right'>): string {
  const end = view?.end;
  if (!end) return 'not ended';
  const why = end.error?.message ?? end.solution?.detail ?? '';
  const outcome = `${outcomeText(end)}${why ? ` (${oneLine(why)})` : ''}`;
  if (!right) return outcome;
  const lines = right.map(
    (attempt, at) => `test ${at + 1} ${attempt === null ? 'wrong' : `right by attempt ${attempt}`}`,
  );
  return `${outcome}; ${lines.join(', ')}`;
}

function tallyText({ run, completed, solved, failed, right, wrong }: Tally): string {
  const graded = solved === null ? [] : [`${solved} solved`];
  const pairs = right === null ? [] : [`test pairs: ${right} right, ${wrong} wrong`];
  return [
    `${count(run, 'task')} run`,
    `${completed} completed`,
    ...graded,
    `${failed} failed`,
    ...pairs,
  ].join('; ');
}

/** A table without borders, the four counts and the cost of each node. */
export function usageLines(nodes: readonly NodeUsage[], { isFree = false } = {}): string[] {
  const rows = nodes.map(({ node, calls, tokens, total, costUsd }) => [
    node,
    grouped(calls),
    ...[tokens.input, tokens.cachedInput, tokens.output, total].map(grouped),
    isFree ? 'free' : costUsd === null ? 'unknown' : formatDollars(costUsd),
  ]);
  const head = ['node', 'calls', 'input', 'cached', 'output', 'total', 'cost'];
  const widths = head.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)));
  return [head, ...rows].map((row) =>
    `  ${row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ')}`.trimEnd(),
  );
}

export function lineText(line: InductionLine, { programs = true } = {}): string[] {
  const { name, status, detail, view, steps, unreadable } = line;
  const seen = view.symmetry === 'same' && view.colours.every((colour, at) => colour === at);
  const method = seen ? 'the task as it is' : `the task ${view.symmetry}, colours ${view.colours.join('')}`;
  return [
    `${name}, ${method}: ${status}${detail ? ` (${oneLine(detail)})` : ''}`,
    ...steps.flatMap((step) => stepText(step, programs)),
    ...unreadable.map(
      ({ role, problem }) => `  The ${role}'s reply was asked for again: ${oneLine(problem)}`,
    ),
  ];
}

function stepText(
  { number, instruction, program, status, train, errors, verification }: InductionStep,
  programs: boolean,
): string[] {
  return [
    ...(instruction
      ? [`  Step ${number}: ${instructionText(instruction)}`, ...formatRationale(instruction.rationale)]
      : []),
    ...(program && programs ? [`  Version ${number}:`, indented(program.source)] : []),
    ...(program && !programs ? [`  Version ${number}: the log has the program`] : []),
    ...(program ? formatRationale(program.rationale) : []),
    ...(status === null ? [] : [`    generator: ${oneLine(status) || '(it said nothing)'}`]),
    ...failuresOf(errors, train.length).map((failure) => `    execution: ${failure}`),
    ...(verification ? [`    verifier: ${formatVerification(verification)}`] : []),
  ];
}

function formatRationale(rationale: string): string[] {
  return rationale.trim() === '' ? [] : [`    because: ${oneLine(rationale)}`];
}

function voteText({ induction: { vote } }: TaskOutcome): string[] {
  if (!vote) return [];
  return vote.queries.map((candidates, at) => {
    const lines = candidates.map(
      ({ from, votes, passing, score }) =>
        `${from} (${count(votes, 'vote')}, ${passing} with right train pairs, score ${score.toFixed(2)})`,
    );
    return `Vote on test ${at + 1}: ${lines.join('; ') || 'no candidate'}`;
  });
}

function indented(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `      ${line}`)
    .join('\n');
}

function lines(all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}
