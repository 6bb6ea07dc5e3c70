/** The final report of a run over ARC tasks, for people and as JSON. Pure. */
import type { Output } from '../../cli/output.ts';
import { dollars } from '../../text/format.ts';
import { type LogHead, lineText, resultText, tallyText, usageLines } from './log.ts';
import { nodeUsage, type TaskOutcome, tallyOf } from './outcomes.ts';

export type Written = {
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
  readonly written: Written;
  /** Replies were written ahead: the label that must stand at the result. */
  readonly label: string | null;
};

export function reportText(output: Pick<Output, 'paint'>, report: ArcReport): string {
  const { head, outcomes, written, label, reason } = report;
  const tally = tallyOf(outcomes, head.solutions !== null);
  const score = scoreText(tally);
  return [
    output.paint('strong', `Run ${head.set.id}${reason === null ? ', not finished' : ''}`),
    `${tallyText(tally)}${score}`,
    `Cost: ${label ?? `${dollars(tally.costUsd)}${tally.isCostKnown ? '' : ' + unknown'}`}`,
    ...usageLines(nodeUsage(outcomes)),
    ...lastTask(outcomes),
    `Log: ${written.log}`,
    `Pictures: ${written.pictures}`,
    ...(written.submission ? submissionLines(written.submission) : []),
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
    `Last task: ${last.task}, ${last.status}; ${resultText(last)}`,
    ...last.induction.lines.flatMap(lineText).map((line) => `  ${line}`),
  ];
}

function submissionLines({ path, placeholders, isKept }: NonNullable<Written['submission']>): string[] {
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
