/** What a person wrote in a model's place, checked against the question and made into a model's reply. */
import { z } from 'zod';
import { isCutOff, type ModelCall, type ModelRequest, type ModelSuccess } from '../../core/model.ts';
import { jsonInReply } from '../../text/model-json.ts';
import { finishReason } from '../reply.ts';
import { replyFrom } from '../scripted.ts';

export type Question = { readonly request: ModelRequest; readonly call: ModelCall };

/** Puts a question to a person and resolves to a checked answer; rejects where the signal aborts. */
export type RequestAnswer = (question: Question) => Promise<PersonAnswer>;

const count = z.number().int().nonnegative();

const answerSchema = z.strictObject({
  text: z.string().optional(),
  reasoning: z.string().optional(),
  toolCalls: z
    .array(z.strictObject({ name: z.string().min(1), args: z.record(z.string(), z.json()).default({}) }))
    .optional(),
  /** The value that was asked for as JSON; a text that is JSON will do as well. */
  object: z.json().optional(),
  finish: finishReason.optional(),
  /** As a chat window counted them; estimated where missing. */
  tokens: z.strictObject({ input: count, output: count }).optional(),
});

export type PersonAnswer = z.infer<typeof answerSchema>;

export type CheckedAnswer =
  | { readonly ok: true; readonly answer: PersonAnswer }
  /** What its author has to change. */
  | { readonly ok: false; readonly problem: string };

export function checkAnswer(value: unknown, request: ModelRequest): CheckedAnswer {
  const parsed = answerSchema.safeParse(value);
  if (!parsed.success) return { ok: false, problem: z.prettifyError(parsed.error) };
  const problem = formError(parsed.data, request);
  return problem === null ? { ok: true, answer: parsed.data } : { ok: false, problem };
}

/** Nothing is refused that a provider may say: where a run would ask again, its person is told at once. */
function formError(
  { text, toolCalls = [], object, finish }: PersonAnswer,
  { tools = [], output }: ModelRequest,
) {
  const known = tools.map(({ name }) => name);
  const unknown = toolCalls.find(({ name }) => !known.includes(name));
  if (unknown) {
    const existing = known.length ? `There are: ${known.join(', ')}.` : 'None is offered here.';
    return `There is no tool ${unknown.name}. ${existing}`;
  }
  const isCorrupt = finish !== undefined && (finish === 'refusal' || isCutOff({ finish }));
  if (toolCalls.length > 0 || isCorrupt) return null;
  const isJson = object !== undefined || jsonInReply(text ?? '') !== undefined;
  // What an agent does not have repaired, it reads itself: labels in the place of JSON, for instance.
  if (output && output.repair !== false && !isJson) {
    return `A JSON value is asked for (${output.name}), and this is none.`;
  }
  return text?.trim() || object !== undefined ? null : 'The answer is empty.';
}

export function replyOf(
  { tokens, ...answer }: PersonAnswer,
  request: ModelRequest,
  call: ModelCall,
): ModelSuccess {
  return replyFrom(answer, request, call, tokens && { cachedInput: 0, reasoning: 0, ...tokens });
}
