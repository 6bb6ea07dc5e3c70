/**
 * What agents have in common when they ask a model: turns of a conversation, settings and form of a request, the brief in
 * a prompt, JSON in a reply, and what the user says meanwhile. It knows no agent.
 */
import { z } from 'zod';
import type { Run } from '../../core/agent.ts';
import { cutFeedback, excerpt, ReplyCutOff } from '../../core/cut-off.ts';
import { LimitReached } from '../../core/errors.ts';
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

type RequestOptions = { readonly [Name in keyof ModelSettings]?: ModelSettings[Name] | null };

/** The settings that say something: what is null or missing is left to the model. */
export function modelSettings({
  temperature,
  maxOutputTokens,
  reasoningEffort,
  thinkingBudgetTokens,
}: RequestOptions): ModelSettings {
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

export function briefFields({ spec }: Pick<Problem, 'spec'>): Record<string, string> {
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

export type ReplyReading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string };

type Exchange<T, Reply extends ModelSuccess> = {
  readonly messages: readonly Message[];
  /** How often a reply that cannot be read is asked about. */
  readonly repairs: number;
  request(messages: readonly Message[]): Promise<Reply>;
  /** Called with complete replies only. */
  read(reply: Reply, repairs: number): ReplyReading<T>;
  repairPrompt(problem: string): string;
  onUnread?(problem: string, reply: Reply): void;
};

/**
 * A reply and what was read in it. A reply that was cut off or cannot be read is asked about in the same conversation, with
 * what was wrong; one that refuses is not. `messages` end with the last reply.
 */
export async function requestReading<T, Reply extends ModelSuccess>(exchange: Exchange<T, Reply>) {
  const messages = [...exchange.messages];
  for (let repairs = 0; ; repairs += 1) {
    const reply = await exchange.request(messages);
    // A reply that was cut off while its model was still thinking has no words to be shown to it.
    if (textOf(reply.message).trim() !== '') messages.push(reply.message);
    const cut = cutFeedback(reply);
    const reading = cut === null ? exchange.read(reply, repairs) : ({ ok: false, problem: cut } as const);
    const isEnd = reading.ok || reply.finish === 'refusal' || repairs >= exchange.repairs;
    if (isEnd) return { reading, reply, messages, repairs };
    exchange.onUnread?.(reading.problem, reply);
    messages.push(user(cut ?? exchange.repairPrompt(reading.problem)));
  }
}

/** What the repair prompts of answers say. */
export const noAnswerPrompt =
  'Your reply could not be read: {{feedback}} What was asked for: {{answerFormat}} Send your final answer again, in that form, and nothing else.';

/** Reads the answer that the problem's own parser finds. */
export function readAnswer({ parse }: Pick<Problem, 'parse'>, text: string): ReplyReading<Answer> {
  const parsed = parse?.(text) ?? { type: 'text' as const, text };
  return parsed.type === 'misfit' ? { ok: false, problem: parsed.feedback } : { ok: true, value: parsed };
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
  fallback: (message: string) => Other,
): Promise<T | Other> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
    return fallback(error.message);
  }
}
