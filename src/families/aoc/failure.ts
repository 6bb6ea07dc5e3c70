/** Why a part ended unsolved, and what failed in it, from the run's end and its tool calls. Pure. */
import type { LimitName } from '../../core/errors.ts';
import type { RunEnd } from '../../core/event.ts';
import type { RunView } from '../../core/fold.ts';
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
  if (outcome === 'limit') return limit ? causeOfLimit[limit] : 'tool_limit_exceeded';
  if (outcome !== 'error') return causeOfOutcome[outcome];
  if (error?.unavailable) return 'unavailable';
  return error?.model ? 'model_error' : 'internal_error';
}

const causeOfOutcome: Readonly<Record<Exclude<RunEnd['outcome'], 'limit' | 'error'>, ErrorType>> = {
  stopped: 'agent_stopped',
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

/** Why a part is not solved. */
export const errorTypes = {
  wrong_answer: 'The agent ended as one who has answered, and its answers were wrong.',
  unjudged: 'An answer was given, and nobody here knows whether it is right.',
  submission_limit_exceeded: 'The run has given as many wrong answers to the part as it may.',
  tool_limit_exceeded: 'The run has used all its tool calls.',
  model_call_limit_exceeded: 'The run has used all its model calls.',
  token_limit_exceeded: 'The next model call might have used more tokens than the run had left.',
  cost_limit_exceeded: 'The next model call might have cost more than the run had left.',
  time_limit_exceeded: 'The time of the run was over.',
  agent_stopped: 'The model called no tool any more, although it was reminded as often as the settings say.',
  agent_gave_up: 'The agent said that it gives up.',
  refused: 'The model refused to work on the puzzle.',
  malformed: 'The model did not reply in the form that the agent needs.',
  cancelled: 'The run was stopped by its user; it can be resumed.',
  unavailable: 'A site, a sandbox or a provider was not there; the run can be resumed.',
  model_error: 'A model call failed in a way that a repetition does not mend.',
  internal_error: 'A defect of Polya itself.',
  unfinished: 'The run has no end yet: it is running, or it was interrupted and can be resumed.',
  not_attempted: 'The part was never begun: part 1 was not solved, or there is nothing to be done for it.',
} as const;

export type ErrorType = keyof typeof errorTypes;

/** What did not work within a part. */
export const failures = {
  compile_error: 'A program did not compile, or not within the limits of compilation.',
  execution_error: 'A program ended with an exit status other than 0, or by a signal.',
  timeout: 'A program ran into its time limit.',
  memory_limit: 'A program ran into its memory limit.',
  disk_limit: 'A program wrote more files than it may.',
  output_limit: 'A program printed far more than it may.',
  broken_off: 'A call was broken off, because the run ended or its time was over.',
  wrong_answer: 'A submitted answer was wrong.',
  cooldown: 'An answer was not judged because it came too soon, and the wait was too long to be waited out.',
  answer_not_taken: 'An answer was empty, too long, or given to a part that was not open.',
  submission_limit: 'An answer was not sent because the run had given as many wrong ones as it may.',
  unknown_reply: 'The site replied with a page that Polya does not know.',
  misused_tool: 'A tool was called that does not exist, or with arguments that do not fit.',
  unavailable: 'A site or the sandbox was not there.',
} as const;

export type Failure = keyof typeof failures;
