/** Why a part ended unsolved, and what failed in it, from the run's end and its tool calls. Pure. */
import type { EndLimit } from '../../core/errors.ts';
import type { RunEnd } from '../../core/event.ts';
import type { RunView } from '../../core/fold.ts';
import words from './failure.json' with { type: 'json' };
import type { ToolStep } from './tool-steps.ts';

/** The cause for a part that was begun and not solved. `steps` are those of the part. */
export function causeOf({ end }: RunView, steps: readonly ToolStep[]): ErrorType {
  const last = steps.findLast(({ tool }) => tool === 'SubmitAnswer')?.end;
  const verdict = last?.status === 'ok' ? last.data.verdict : null;
  // A right part 2 that does not count follows a part 1 that could not be judged.
  if (verdict === 'unjudged' || verdict === 'right') return 'unjudged';
  // Whatever the agent did afterwards, the part could not be solved any more.
  if (verdict === 'no-tries-left') return 'submission_limit_exceeded';
  return end ? causeOfEnd(end) : 'unfinished';
}

function causeOfEnd({ outcome, limit, error }: RunEnd): ErrorType {
  if (outcome === 'limit') return limit ? causeOfLimit[limit] : 'tool_limit_exceeded';
  if (outcome !== 'error') return causeOfOutcome[outcome];
  if (error?.unavailable) return 'unavailable';
  return error?.model ? 'model_error' : 'internal_error';
}

const causeOfOutcome: Readonly<Record<Exclude<RunEnd['outcome'], 'limit' | 'error'>, ErrorType>> = {
  stopped: 'agent_stopped',
  doubtful: 'agent_stopped',
  answered: 'agent_stopped',
  passed: 'agent_stopped',
  rejected: 'agent_stopped',
  'gave-up': 'agent_gave_up',
  refused: 'refused',
  malformed: 'malformed',
  cancelled: 'cancelled',
  wrong: 'wrong_answer',
  scored: 'wrong_answer',
  solved: 'wrong_answer',
};

const causeOfLimit: Readonly<Record<EndLimit, ErrorType>> = {
  toolCalls: 'tool_limit_exceeded',
  modelCalls: 'model_call_limit_exceeded',
  tokens: 'token_limit_exceeded',
  costUsd: 'cost_limit_exceeded',
  wallMs: 'time_limit_exceeded',
  context: 'context_limit_exceeded',
};

/** The last one that no later call of its tool made good; one that was misused, any later call makes good. */
export function lastFailure(steps: readonly ToolStep[]): Failure | null {
  const worked = new Set<string>();
  for (const step of steps.toReversed()) {
    const failure = failureOf(step);
    const isMended = failure === 'misused_tool' ? worked.size > 0 : worked.has(step.tool);
    if (failure !== null && !isMended) return failure;
    if (failure === null && step.end.status === 'ok') worked.add(step.tool);
  }
  return null;
}

/** Null for a call that worked, was not made at all, or has not ended. */
function failureOf({ tool, end }: ToolStep): Failure | null {
  if (end.status === 'open' || end.status === 'refused') return null;
  if (end.status === 'cancelled') return 'broken_off';
  if (end.status === 'error') return 'unavailable';
  const { data, isError } = end;
  if (data.rejected === true || typeof data.mistake === 'string') return 'misused_tool';
  if (tool === 'RunGeneratedCode') return isError ? failureOfProgram(data.phase, data.verdict) : null;
  return tool === 'SubmitAnswer' ? failureOfAnswer(data.verdict) : null;
}

function failureOfProgram(phase: unknown, verdict: unknown): Failure {
  if (verdict === 'cancelled') return 'broken_off';
  if (phase === 'compile') return 'compile_error';
  return failureOfVerdict.get(verdict) ?? 'execution_error';
}

const failureOfVerdict = new Map<unknown, Failure>([
  ['wall', 'timeout'],
  ['cpu', 'timeout'],
  ['memory', 'memory_limit'],
  ['disk', 'disk_limit'],
  ['output', 'output_limit'],
]);

function failureOfAnswer(verdict: unknown): Failure | null {
  if (verdict === 'right' || verdict === 'unjudged') return null;
  return failureOfReply.get(verdict) ?? 'answer_not_taken';
}

const failureOfReply = new Map<unknown, Failure>([
  ['wrong', 'wrong_answer'],
  ['too-high', 'wrong_answer'],
  ['too-low', 'wrong_answer'],
  ['too-recent', 'cooldown'],
  ['no-tries-left', 'submission_limit'],
  ['unknown', 'unknown_reply'],
]);

/** Why a part is not solved; and what did not work within a part. */
export const { errorTypes, failures } = words;
export type ErrorType = keyof typeof errorTypes;
export type Failure = keyof typeof failures;
