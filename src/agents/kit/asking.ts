/**
 * What agents have in common when they ask a model: turns of a conversation, settings and form of a request, the brief in
 * a prompt, JSON in a reply, and what the user says meanwhile. It knows no agent.
 */
import { z } from 'zod';
import type { Run } from '../../core/agent.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { AssistantMessage, Message, ModelRequest, ModelSettings } from '../../core/model.ts';
import type { Problem } from '../../core/problem.ts';
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
