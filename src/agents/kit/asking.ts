/**
 * What agents have in common when they ask a model: turns of a conversation, settings and form of a request, the brief in
 * a prompt, JSON in a reply, and what the user says meanwhile. It knows no agent.
 */
import { z } from 'zod';
import type { Run } from '../../core/agent.ts';
import { excerpt } from '../../core/cut-off.ts';
import { LimitReached, ReplyCutOff } from '../../core/errors.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import {
  type AssistantMessage,
  type Message,
  type ModelRequest,
  type ModelSettings,
  type ModelSuccess,
  textOf,
} from '../../core/model.ts';
import type { Answer, Problem } from '../../core/problem.ts';
import { answerText } from '../../notes/ensemble.ts';
import { modelJson } from '../../text/model-json.ts';

export const system = (content: string): Message => ({ role: 'system', content });
export const user = (content: string): Message => ({ role: 'user', content });
export const assistant = (text: string): AssistantMessage => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
});

type Wished = { readonly [Name in keyof ModelSettings]?: ModelSettings[Name] | null };

/** The settings that say something: what is null or missing is left to the model. */
export function modelSettings({
  temperature,
  maxOutputTokens,
  reasoningEffort,
  thinkingBudgetTokens,
}: Wished): ModelSettings {
  return {
    ...(temperature == null ? {} : { temperature }),
    ...(maxOutputTokens == null ? {} : { maxOutputTokens }),
    ...(reasoningEffort == null ? {} : { reasoningEffort }),
    ...(thinkingBudgetTokens == null ? {} : { thinkingBudgetTokens }),
  };
}

export type OutputForm = NonNullable<ModelRequest['output']>;

/** `io`: of which side of the schema; `repair: false`: the agent has misfits corrected itself. */
export function outputForm(
  name: string,
  schema: z.ZodType,
  { io, repair }: { readonly io?: 'input'; readonly repair?: false } = {},
): OutputForm {
  return { name, schema: z.toJSONSchema(schema, { io }) as JsonObject, repair };
}

export const nothingSaid = 'nothing is said about it.';

export function briefOf({ spec }: Pick<Problem, 'spec'>): Record<string, string> {
  return Object.fromEntries(Object.entries(spec.brief).map(([slot, words]) => [slot, words || nothingSaid]));
}

/** Undefined where the text is no JSON. */
export const parsedJson = (text: string): Json | undefined => modelJson(text.trim());

/** The user's messages since the last look: the branch that looks first takes them for all that share `hints`. */
export async function takeHints(run: Run, hints: string[]): Promise<void> {
  for (const hint of await run.inbox()) {
    hints.push(hint);
    run.note('hint', { hint });
  }
}

/** Joins prompts that are lists of lines in a JSON file. */
export function joinedLines(texts: Readonly<Record<string, readonly string[]>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, lines]) => [name, lines.join('\n')]));
}

/** Sentences for people: how it was cut, the answer that stands in it to its end, and its text. */
export function describeCutReply(problem: Pick<Problem, 'parse'>, reply: ModelSuccess): string {
  const answer = completeAnswerIn(problem, textOf(reply.message));
  return new ReplyCutOff(reply, answer ? excerpt(answerText(answer)) : undefined).message;
}

/** How a text may have gone on: a number by a digit, a word by a letter, a sum by an operand, a box by its end. */
const continuations = ['7', 'x', ' + 7', '^7', ' and 7', '7}'];

/** Null where the answer would be another one if the text went on: `\boxed{3` may have become `\boxed{36}`. */
function completeAnswerIn({ parse }: Pick<Problem, 'parse'>, text: string): Answer | null {
  const answer = parse?.(text);
  if (!answer || answer.type === 'misfit') return null;
  const written = JSON.stringify(answer);
  const isEnded = continuations.every((more) => JSON.stringify(parse?.(`${text}${more}`)) === written);
  return isEnded ? answer : null;
}

/** The value of `work`; where a limit breaks it off, the value of `otherwise`, which is given the limit's message. */
export async function orAtLimit<T, Other = T>(
  work: () => Promise<T>,
  otherwise: (message: string) => Other,
): Promise<T | Other> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
    return otherwise(error.message);
  }
}
