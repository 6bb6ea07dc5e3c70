/**
 * The one vocabulary for what went wrong with a part of a puzzle, in metrics, exports and documents. An `error_type` is
 * the cause that ended a part unsolved; a `last_failure` is the last thing in it that did not work, whatever came of it.
 */

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
