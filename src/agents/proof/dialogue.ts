/**
 * Asks a model for words, or for a value of a form, and tells apart what is no reply: a refusal, words that never came,
 * and a reply that was cut off. It knows nothing of proofs.
 */
import { z } from 'zod';
import type { Run } from '../../core/agent.ts';
import {
  cutFeedback,
  describeCut,
  describeModelRefusal,
  describePartialText,
  requireReply,
} from '../../core/cut-off.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import {
  isCutOff,
  type Message,
  type ModelRequest,
  type ModelSettings,
  type ModelSuccess,
  textOf,
} from '../../core/model.ts';
import type { ProblemSpec } from '../../core/problem.ts';
import { modelSettings, user } from '../kit/asking.ts';

export type Dialogue = {
  readonly run: Run;
  readonly settings: Pick<ModelSettings, 'temperature' | 'thinkingBudgetTokens' | 'maxOutputTokens'>;
};

/** The model will not do it. */
export class Refused extends Error {
  constructor(reply: ModelSuccess, role: string) {
    super(describeModelRefusal(reply, `The ${role}`));
    this.name = 'Refused';
  }
}

/** Its replies are none of the kind that was asked for, although it was asked again. */
export class Unusable extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** Its reply was cut off, and so was the one that was asked for instead: nothing of them counts. */
export class CutOff extends Unusable {
  constructor(role: string, last: ModelSuccess) {
    const hint = last.finish === 'length' ? longerRepliesHint : '';
    const how = describeCut(last, `Like the one before, the ${role}'s reply`);
    super([how, hint, describePartialText(textOf(last.message))].filter(Boolean).join(' '));
  }
}

/** The words of its reply; without any it is asked once more. */
export async function requestWords(
  dialogue: Dialogue,
  role: string,
  messages: readonly Message[],
): Promise<string> {
  for (const _try of [1, 2]) {
    const text = await requestText(dialogue, role, messages);
    if (text.trim() !== '') return text;
  }
  throw new Unusable(`The ${role} replied twice without words. ${longerRepliesHint}`);
}

/** The text of its reply, even an empty one. */
export async function requestText(
  dialogue: Dialogue,
  role: string,
  messages: readonly Message[],
): Promise<string> {
  return textOf((await requestComplete(dialogue, role, { messages })).message);
}

const longerRepliesHint = 'Allow longer ones with maxOutputTokens.';

/** A reply that was cut off is asked for once more; cut off again, nothing of it counts. */
async function requestComplete(
  dialogue: Dialogue,
  role: string,
  request: ModelRequest,
): Promise<ModelSuccess> {
  const first = await requestOnce(dialogue, role, request);
  const cut = cutFeedback(first);
  if (cut === null) return first;
  const messages = [...request.messages, user(cut)];
  const second = await requestOnce(dialogue, role, { ...request, messages });
  if (!isCutOff(second)) return second;
  throw new CutOff(role, second);
}

export type Form<T> = { readonly name: string; readonly schema: z.ZodType<T>; readonly json: JsonObject };

export function formOf<T>(name: string, schema: z.ZodType<T>): Form<T> {
  const { $schema: _, ...json } = z.toJSONSchema(schema) as JsonObject;
  return { name, schema, json };
}

/** A value of the form; null if the reply is none, after the run has asked for a repair. */
export async function requestForm<T>(
  dialogue: Dialogue,
  role: string,
  messages: readonly Message[],
  { name, schema, json }: Form<T>,
): Promise<T | null> {
  const { object } = await requestComplete(dialogue, role, { messages, output: { name, schema: json } });
  return schema.safeParse(object).data ?? null;
}

/** Its words and their JSON value, whatever form they have: the caller reads both. */
export async function requestReport(
  dialogue: Dialogue,
  role: string,
  messages: readonly Message[],
  { name, json }: Pick<Form<unknown>, 'name' | 'json'>,
): Promise<{ readonly text: string; readonly object: Json | undefined }> {
  const output = { name, schema: json, repair: false } as const;
  const { message, object } = await requestComplete(dialogue, role, { messages, output });
  return { text: textOf(message), object };
}

async function requestOnce(
  { run, settings }: Dialogue,
  role: string,
  request: ModelRequest,
): Promise<ModelSuccess> {
  const { thinkingBudgetTokens } = settings;
  // 0 leaves it to the model.
  const sent = modelSettings({ ...settings, thinkingBudgetTokens: thinkingBudgetTokens || null });
  const received = await run.generate(role, { ...request, settings: sent });
  const reply = received.ok && isCutOff(received) ? received : requireReply(received);
  if (reply.finish === 'refusal') throw new Refused(reply, role);
  return reply;
}

/** A message with the text, and the problem's pictures behind it. */
export function userAbout({ statement }: ProblemSpec, text: string): Message {
  const images = statement.filter((part) => part.type === 'image');
  return images.length === 0 ? user(text) : { role: 'user', content: [{ type: 'text', text }, ...images] };
}

export function statementText({ statement }: ProblemSpec): string {
  return statement.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}
