/** Why a part ended unsolved, and what failed in it, from the run's end and its tool calls. Pure. */
import type { LimitName } from '../../core/errors.ts';
import type { RunEnd } from '../../core/event.ts';
import type { RunView } from '../../core/fold.ts';
import type { ErrorType, Failure } from './error-types.ts';
import type { ToolStep } from './tool-steps.ts';

/** Of a part that was begun and not solved. `steps` are its own. */
export function causeOf({ end }: RunView, steps: readonly ToolStep[]): ErrorType {
  const last = steps.findLast(({ tool }) => tool === 'SubmitAnswer')?.end;
  const verdict = last?.status === 'ok' ? last.data.verdict : null;
  // A part 2 that is right and does not count follows a part 1 that nobody could judge.
  if (verdict === 'unjudged' || verdict === 'right') return 'unjudged';
  // Whatever the agent did afterwards, the part could not be solved any more.
  if (verdict === 'no-tries-left') return 'submission_limit_exceeded';
  return end ? causeOfEnd(end) : 'unfinished';
}

function causeOfEnd({ outcome, limit, error }: RunEnd): ErrorType {
  switch (outcome) {
    case 'limit':
      return limit ? causeOfLimit[limit] : 'tool_limit_exceeded';
    case 'stopped':
    case 'answered':
      return 'agent_stopped';
    case 'gave-up':
      return 'agent_gave_up';
    case 'refused':
    case 'malformed':
    case 'cancelled':
      return outcome;
    case 'error':
      if (error?.unavailable) return 'unavailable';
      return error?.model ? 'model_error' : 'internal_error';
    case 'wrong':
    case 'scored':
    case 'solved':
      return 'wrong_answer';
  }
}

const causeOfLimit: Readonly<Record<LimitName, ErrorType>> = {
  toolCalls: 'tool_limit_exceeded',
  modelCalls: 'model_call_limit_exceeded',
  tokens: 'token_limit_exceeded',
  costUsd: 'cost_limit_exceeded',
  wallMs: 'time_limit_exceeded',
};

/** Null for a call that worked, was not made at all, or has not ended. */
export function failureOf({ tool, end }: ToolStep): Failure | null {
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
  switch (verdict) {
    case 'wall':
    case 'cpu':
      return 'timeout';
    case 'memory':
      return 'memory_limit';
    case 'disk':
      return 'disk_limit';
    case 'output':
      return 'output_limit';
    default:
      return 'execution_error';
  }
}

function failureOfAnswer(verdict: unknown): Failure | null {
  switch (verdict) {
    case 'right':
    case 'unjudged':
      return null;
    case 'wrong':
    case 'too-high':
    case 'too-low':
      return 'wrong_answer';
    case 'too-recent':
      return 'cooldown';
    case 'no-tries-left':
      return 'submission_limit';
    case 'unknown':
      return 'unknown_reply';
    default:
      return 'answer_not_taken';
  }
}
