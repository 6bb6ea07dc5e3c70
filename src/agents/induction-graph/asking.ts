/**
 * A question to a model that is asked again, a few times, while its reply cannot be read; and how a hypothesis ends
 * when it cannot go on. What is wrong with the world rather than with one reply (an outage, no sandbox) is thrown on:
 * the run can be resumed when it is over.
 */
import type { Run } from '../../core/agent.ts';
import { EffectFailed, LimitReached, requireReply } from '../../core/errors.ts';
import { type Message, type ModelSuccess, textOf } from '../../core/model.ts';
import type { Examples, Grid, Problem } from '../../core/problem.ts';
import { gridText, note } from '../../notes/induction.ts';
import { modelSettings, type OutputForm, user } from '../kit/asking.ts';
import type { Read } from './replies.ts';
import type { InductionSettings, inductionRoles } from './settings.ts';
import type { SamplesMessage } from './words.ts';

/** What one hypothesis has to go on. */
export type Line = {
  readonly run: Run;
  readonly problem: Problem;
  /** As this hypothesis sees them: turned, mirrored, in other colours. */
  readonly examples: Examples;
  readonly settings: InductionSettings;
  readonly samples: SamplesMessage;
  /** From 1; of how many. */
  readonly number: number;
  readonly count: number;
  /** What its user said meanwhile; common to all. */
  readonly hints: string[];
  /** A grid as this hypothesis sees it, as the task has it. */
  restore(grid: Grid): Grid;
};

type Question<T> = {
  readonly role: (typeof inductionRoles)[number];
  readonly messages: readonly Message[];
  readonly form: OutputForm;
  read(reply: ModelSuccess): Read<T>;
};

/** A hypothesis cannot go on; what it has made so far counts. */
class DeadEnd extends Error {
  readonly isRefusal: boolean;

  constructor(message: string, isRefusal = false) {
    super(message);
    this.name = 'DeadEnd';
    this.isRefusal = isRefusal;
  }
}

/** The value, and the conversation with the reply that holds it. */
export async function ask<T>(
  line: Line,
  { role, messages, form, read }: Question<T>,
): Promise<{ readonly value: T; readonly messages: readonly Message[] }> {
  const { run, settings } = line;
  const talk = [...messages];
  const output = settings.replies === 'structured' ? form : undefined;
  const wished = modelSettings({ ...settings, reasoningEffort: settings.reasoning });
  for (let again = 0; ; again += 1) {
    const reply = requireReply(await run.generate(role, { messages: talk, output, settings: wished }));
    if (reply.finish === 'refusal') throw new DeadEnd('The model refused.', true);
    // A reply that was cut off while its model was still thinking has no words to be shown to it.
    if (textOf(reply.message).trim() !== '') talk.push(reply.message);
    const result = read(reply);
    if (result.ok) return { value: result.value, messages: talk };
    note(run, 'unreadable', { role, problem: result.problem });
    if (again >= settings.repairs) throw new DeadEnd(`The ${role}'s reply cannot be used. ${result.problem}`);
    talk.push(user(run.prompt('again', { problem: result.problem })));
  }
}

/** What ends a hypothesis and not the run, as the end of it. */
export function deadEndOf(error: unknown): { readonly detail: string; readonly isRefused: boolean } | null {
  if (error instanceof DeadEnd) return { detail: error.message, isRefused: error.isRefusal };
  const isEnd =
    error instanceof LimitReached || (error instanceof EffectFailed && !error.effectError.unavailable);
  return isEnd ? { detail: error.message, isRefused: false } : null;
}

/** As the task has them, whatever view of it the hypothesis had. */
export function notedGrids({ restore }: Line, grids: readonly (Grid | null)[]): (string | null)[] {
  return grids.map((grid) => grid && gridText(restore(grid)));
}
