/**
 * What stands in the log of a run over ARC tasks: for each task its instructions step by step, what the generator said,
 * what the verifier found, the vote, and the tokens of each node. Plain text, made harmless: models wrote much of it. Pure.
 */
import {
  type InductionLine,
  type InductionStep,
  instructionText,
  verificationText,
} from '../../notes/induction.ts';
import type { RunSet } from '../../studies/run-set/plan.ts';
import { count, dollars, duration, grouped, harmless, oneLine } from '../../text/format.ts';
import { allModels, costText, modelsText, outcomeText } from '../../text/labels.ts';
import { type NodeUsage, nodeUsage, type Tally, type TaskOutcome } from './outcomes.ts';

export type LogHead = {
  readonly set: RunSet;
  readonly taskFile: string;
  /** Null where there are none. */
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

/** Of one task that has ended, with how all stands so far. */
export function taskText(outcome: TaskOutcome, tasks: number, tally: Tally): string {
  const { index, task, runId, view, induction } = outcome;
  const models = view ? allModels(view) : {};
  return lines([
    `=== Task ${index + 1} of ${tasks}: ${task} (run ${runId}) ===`,
    `Models: ${modelsText(models)}`,
    ...induction.lines.flatMap(lineText),
    ...voteText(outcome),
    ...usageLines(nodeUsage([outcome])),
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
  const told = right.map(
    (attempt, at) => `test ${at + 1} ${attempt === null ? 'wrong' : `right by attempt ${attempt}`}`,
  );
  return `${outcome}; ${told.join(', ')}`;
}

export function tallyText({ run, completed, solved, failed, right, wrong }: Tally): string {
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
export function usageLines(nodes: readonly NodeUsage[]): string[] {
  const rows = nodes.map(({ node, calls, tokens, total, costUsd }) => [
    node,
    grouped(calls),
    ...[tokens.input, tokens.cachedInput, tokens.output, total].map(grouped),
    costUsd === null ? 'unknown' : dollars(costUsd),
  ]);
  const head = ['node', 'calls', 'input', 'cached', 'output', 'total', 'cost'];
  const widths = head.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)));
  return [head, ...rows].map((row) =>
    `  ${row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ')}`.trimEnd(),
  );
}

export function lineText(line: InductionLine): string[] {
  const { name, status, detail, view, steps, unreadable } = line;
  const seen = view.symmetry === 'same' && view.colours.every((colour, at) => colour === at);
  const how = seen ? 'the task as it is' : `the task ${view.symmetry}, colours ${view.colours.join('')}`;
  return [
    `${name}, ${how}: ${status}${detail ? ` (${oneLine(detail)})` : ''}`,
    ...steps.flatMap(stepText),
    ...unreadable.map(
      ({ role, problem }) => `  The ${role}'s reply was asked for again: ${oneLine(problem)}`,
    ),
  ];
}

function stepText({ number, instruction, program, status, errors, verification }: InductionStep): string[] {
  return [
    ...(instruction
      ? [`  Step ${number}: ${instructionText(instruction)}`, ...because(instruction.rationale)]
      : []),
    ...(program ? [`  Version ${number}:`, indented(program.source), ...because(program.rationale)] : []),
    ...(status === null ? [] : [`    generator: ${oneLine(status) || '(it said nothing)'}`]),
    ...errors.flatMap((error, at) =>
      error === null ? [] : [`    execution, input ${at + 1}: ${oneLine(error)}`],
    ),
    ...(verification ? [`    verifier: ${verificationText(verification)}`] : []),
  ];
}

function because(rationale: string): string[] {
  return rationale.trim() === '' ? [] : [`    because: ${oneLine(rationale)}`];
}

function voteText({ induction: { vote } }: TaskOutcome): string[] {
  if (!vote) return [];
  return vote.queries.map((candidates, at) => {
    const told = candidates.map(
      ({ from, votes, passing, score }) =>
        `${from} (${count(votes, 'vote')}, ${passing} with right train pairs, score ${score.toFixed(2)})`,
    );
    return `Vote on test ${at + 1}: ${told.join('; ') || 'no candidate'}`;
  });
}

function indented(text: string): string {
  return harmless(text.trimEnd())
    .split('\n')
    .map((line) => `      ${line}`)
    .join('\n');
}

function lines(all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}
